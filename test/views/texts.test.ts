import * as fc from "fast-check";
import { agentTitle, agentWithSurface } from "../../src/views/agent-title";
import { fenced, printableLines } from "../../src/views/plain-text";
import { ageText, nextTextChange, relativeTime } from "../../src/views/time-text";
import { propertyRuns } from "../property-runs";

const NOW = 1_790_000_000;

describe("times", () => {
  test.each([
    [-5, "now"],
    [0, "now"],
    [59.9, "now"],
    [60, "1m"],
    [3599, "59m"],
    [3600, "1h"],
    [86_400, "1d"],
    [15 * 86_400, "2w"],
  ])("%d seconds ago is %s", (age, text) => {
    expect(ageText(NOW - age, NOW)).toBe(text);
  });

  test.each([
    [0, "just now"],
    [-59, "just now"],
    [-60, "1m ago"],
    [-7300, "2h ago"],
    [1, "in a moment"],
    [59, "in a moment"],
    [60, "in 1m"],
    [1830, "in 30m"],
    [7200, "in 2h"],
  ])("%d seconds from now is %s", (ahead, text) => {
    expect(relativeTime(NOW + ahead, NOW)).toBe(text);
  });

  test("no text changes before it is said to", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (at, part) => {
          const wait = nextTextChange(at, 0);
          expect(wait).toBeGreaterThan(0);
          // A little before the change, so that rounding does not decide.
          const later = Math.max(0, wait * part - 0.02);
          expect([ageText(at, later), at > 0 || relativeTime(at, later)]).toEqual([
            ageText(at, 0),
            at > 0 || relativeTime(at, 0),
          ]);
        },
      ),
      propertyRuns(500),
    );
  });
});

describe("texts of others", () => {
  test("keep their lines, of whatever system, and nothing that steers", () => {
    expect(printableLines("a\r\nb\rc\nd\u001b[2J\u202e\te\ud83d")).toBe("a\nb\nc\nd�[2J� e�");
  });

  test("stay in their block, whatever they hold", () => {
    const text = fc.string({
      unit: fc.constantFrom("`", "``", "~~~", "\n", "\r\n", "a", "![x](https://x.example)", " "),
    });
    fc.assert(
      fc.property(text, (inside) => {
        const lines = fenced(inside).split("\n");
        const fence = lines[0] ?? "";
        expect(fence).toMatch(/^`{3,}$/);
        expect(lines.at(-1)).toBe(fence);
        // A block ends at the first line of nothing but as many marks as it began with, or more.
        const closing = lines.slice(1).findIndex((line) => new RegExp(`^ {0,3}\`{${fence.length},}\\s*$`).test(line));
        expect(closing).toBe(lines.length - 2);
      }),
      propertyRuns(1000),
    );
  });
});

test("agents have their makers' names; others keep their own", () => {
  expect(["claude", "gemini", "opencode", "my-agent", "constructor"].map(agentTitle)).toEqual([
    "Claude Code",
    "Gemini CLI",
    "opencode",
    "my-agent",
    "constructor",
  ]);
  expect(agentWithSurface({ agent: "codex", surface: "codex-vscode" })).toBe("Codex (codex-vscode)");
  expect(agentWithSurface({ agent: "codex" })).toBe("Codex");
});
