import type { Reading, Writing } from "./expectations";
import type { Place } from "./place";
import { KINDS, MEANINGS, type Kind } from "./traps";

/** What came of one trap at one place. */
export interface Cell {
  place: string;
  act: "read" | "write";
  kind: Kind;
  outcome: (Reading | Writing)["outcome"];
  /** Why it was refused, in the words that the specification has. */
  reason?: string;
}

const SIGNS: Readonly<Record<Cell["outcome"], string>> = {
  used: "✓",
  written: "✓",
  followed: "↪",
  replaced: "⟳",
  refused: "✗",
  "left out": "–",
};

/**
 * The cells as Markdown: a table of what is read, one of what is written, and what the signs, the kinds of trap and some
 * of the places mean.
 */
export function permissionTable(places: readonly Place[], cells: readonly Cell[]): string {
  const read = places.filter(({ reads }) => reads !== undefined);
  const written = places.filter(({ writes }) => writes !== undefined);
  return [
    "### Read",
    "",
    "✓ it counts; ✗ it is refused, and a message names it with the reason; – it does not count, and nothing is said; " +
      "an empty cell: there can be no such thing.",
    "",
    ...rows(read, "read", cells),
    "",
    "### Written",
    "",
    "✓ it is written; ↪ the user's own link stays, and what it leads to is written; ⟳ what stood there is removed, " +
      "moved aside or replaced unopened; ✗ nothing is changed, and a message names it with the reason; – nothing is " +
      "changed, and nothing is said.",
    "",
    ...rows(written, "write", cells),
    "",
    "### What Was Tried",
    "",
    "|  | What stands in the place | What is said where it is refused |",
    "| --- | --- | --- |",
    ...KINDS.map((kind, index) => `| ${index + 1} | ${MEANINGS[kind]} | ${reasonsOf(kind, cells)} |`),
    "",
    "### Notes",
    "",
    ...places.flatMap(({ name, note }) => (note === undefined ? [] : [`- **${name}.** ${note}`])),
    "",
  ].join("\n");
}

function rows(places: readonly Place[], act: Cell["act"], cells: readonly Cell[]): string[] {
  return [
    `| Place | ${KINDS.map((_, index) => index + 1).join(" | ")} |`,
    `| --- |${" :-: |".repeat(KINDS.length)}`,
    ...places.map(({ name, none }) => {
      const signs = KINDS.map((kind) => {
        if (none?.[kind] !== undefined) return "";
        const cell = cells.find((each) => each.place === name && each.act === act && each.kind === kind);
        return cell === undefined ? "not tried" : SIGNS[cell.outcome];
      });
      return `| ${name} | ${signs.join(" | ")} |`;
    }),
  ];
}

function reasonsOf(kind: Kind, cells: readonly Cell[]): string {
  const reasons = cells.flatMap((cell) => (cell.kind === kind && cell.reason !== undefined ? [cell.reason] : []));
  return Array.from(new Set(reasons))
    .sort()
    .map((reason) => `“${reason}”`)
    .join(", ");
}
