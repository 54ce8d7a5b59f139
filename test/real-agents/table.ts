import type { Outcome } from "./run-scenario";

/** Agent × scenario × states seen × ok, with the known limits below. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [
    ["agent", "scenario", "ok", "s", "states seen"],
    ...outcomes.map(({ agent, scenario, course, failure, seconds, knownLimit }) => [
      agent,
      scenario + (knownLimit === undefined ? "" : " †"),
      failure === undefined ? "ok" : "FAILED",
      seconds.toFixed(0),
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
