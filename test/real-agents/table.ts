import type { Outcome } from "./run-scenario";
import type { Figure } from "./shown-sessions";

/** Agent × scenario × time to the right list × states seen × ok, with the known limits below. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [
    ["agent", "scenario", "ok", "s", "right after", "states seen"],
    ...outcomes.map(({ agent, scenario, course, figures, failure, seconds, knownLimit }) => [
      agent,
      scenario + (knownLimit === undefined ? "" : " †"),
      failure === undefined ? "ok" : "FAILED",
      seconds.toFixed(0),
      figuresText(figures),
      course.filter((step) => step !== "nothing").join(" → "),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  const limits = outcomes.flatMap(({ agent, scenario, knownLimit }) =>
    knownLimit === undefined ? [] : [`† ${agent}, ${scenario}: ${knownLimit}`],
  );
  return [...lines, ...limits].map((line) => `${line.trimEnd()}\n`).join("");
}

/** What was done and how long after it the list was right, as in `Esc 0.4 s`. */
export function figuresText(figures: readonly Figure[]): string {
  return figures.map(({ deed, ms }) => `${deed} ${(ms / 1000).toFixed(1)} s`).join(", ");
}
