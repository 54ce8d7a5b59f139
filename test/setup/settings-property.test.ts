import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { agentsOf } from "../../src/observe/set-up";
import { applyEdits } from "../../src/files/settings-edit";
import { readJsonSettings } from "../../src/files/settings-json";
import { propertyRuns } from "../property-runs";

const RECORDER = {
  path: "/home/me/.agent-sessions/bin/record",
  inbox: "/home/me/.agent-sessions/inbox",
  platform: "linux",
} as const;

const AGENTS = agentsOf({
  environment: { HOME: "/home/me" },
  home: "/home/me/.agent-sessions",
  assets: "/a",
  platform: "linux",
});

/** How a generated file is written: what stands between two signs is drawn from this. */
interface Hand {
  eol: string;
  /** What may stand wherever nothing has to. */
  gaps: readonly string[];
  trailingCommas: boolean;
}

/** A value as JSONC text, with a gap drawn for every place between two signs. */
function written(value: unknown, hand: Hand, draw: () => number): string {
  const gap = () => hand.gaps[draw() % hand.gaps.length] ?? "";
  const list = (items: string[], open: string, close: string) => {
    const comma = hand.trailingCommas && items.length > 0 && draw() % 2 === 0 ? `${gap()},` : "";
    return `${open}${items.map((item) => gap() + item).join(`${gap()},`)}${comma}${gap()}${close}`;
  };
  if (Array.isArray(value)) {
    const values: unknown[] = value;
    return list(
      values.map((each) => written(each, hand, draw)),
      "[",
      "]",
    );
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    return list(
      members.map(([key, each]) => `${JSON.stringify(key)}${gap()}:${gap()}${written(each, hand, draw)}`),
      "{",
      "}",
    );
  }
  return JSON.stringify(value);
}

const handler = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("say done", "/opt/tool hook", "/opt/bin/recorder claude Stop", "echo /x/bin/record claude"),
});
const element = fc.oneof(
  handler,
  fc.record({ matcher: fc.constantFrom("*", "Bash"), hooks: fc.array(handler, { maxLength: 3 }) }),
  fc.jsonValue({ maxDepth: 1 }),
);
const event = fc.constantFrom(
  "Stop",
  "SessionStart",
  "stop",
  "sessionStart",
  "preToolUse",
  "BeforeTool",
  "AfterAgent",
  "Other",
);
const hooks = fc.dictionary(event, fc.array(element, { maxLength: 3 }), { maxKeys: 5 });
const settings = fc
  .record(
    {
      model: fc.string({ unit: "grapheme" }),
      hooks,
      env: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      version: fc.constant(1),
    },
    { requiredKeys: [] },
  )
  .chain((value) => fc.shuffledSubarray(Object.entries(value)).map((entries) => Object.fromEntries(entries)));
const eol = fc.constantFrom("\n", "\r\n");
const hand: fc.Arbitrary<Hand> = eol.chain((end) =>
  fc.record({
    eol: fc.constant(end),
    gaps: fc.uniqueArray(
      fc.constantFrom(
        "",
        " ",
        "\t",
        end,
        `${end}  `,
        `${end}\t`,
        "/* , } ] */",
        ` // a "note" {${end}`,
        `${end}${end}   `,
        "/**/",
      ),
      { minLength: 1, maxLength: 6 },
    ),
    trailingCommas: fc.boolean(),
  }),
);
const files = fc
  .record({
    value: settings,
    hand,
    draws: fc.infiniteStream(fc.nat()),
    bom: fc.boolean(),
    before: fc.constantFrom("", "\n", "// top\n"),
    after: fc.constantFrom("", "\n", "\r\n", "// end"),
  })
  .map(({ value, hand: drawn, draws, bom, before, after }) => {
    const draw = () => draws.next().value ?? 0;
    return `${bom ? "\uFEFF" : ""}${before}${written(value, drawn, draw)}${after}`;
  });

const JSON_AGENTS = AGENTS.filter(({ targets: [target] }) => target?.path.endsWith(".json") === true);

test("the generated files are what they should be: settings in JSON", () => {
  expect(JSON_AGENTS.map(({ agent }) => agent)).toEqual([
    "claude",
    "codex",
    "gemini",
    "qwen",
    "cursor",
    "copilot",
    "droid",
  ]);
  fc.assert(
    fc.property(files, (text) => expect(readJsonSettings(text).outcome).toBe("settings")),
    propertyRuns(100),
  );
});

test.each(JSON_AGENTS)(
  "$agent: set up and removed is the identity; set up twice is set up once",
  ({ targets: [target] }) => {
    if (target === undefined) throw new Error("no target");
    fc.assert(
      fc.property(files, (text) => {
        const set = target.setUp(text, RECORDER, undefined);
        if (set.outcome !== "change" || set.undo === undefined)
          throw new Error(`${set.outcome}: ${JSON.stringify(set)}`);
        expect(target.setUp(set.text, RECORDER, set.created)).toEqual({ outcome: "already" });
        // Some agents read plain JSON: where it was that but for comments, it still is.
        expect(hasTrailingComma(set.text)).toBe(hasTrailingComma(text));
        // By the memory of it, to the byte.
        expect(applyEdits(set.text, set.undo)).toBe(text);
        // Every edit only added: nothing of the user's was rewritten.
        expect(set.undo.map((edit) => edit.text).join("")).toBe("");
        // And by looking for ours, as after a change of the user's: all that counts is the same.
        const removed = target.remove(set.text, set.created);
        if (removed.outcome !== "change" || removed.text === undefined) throw new Error(JSON.stringify(removed));
        expect(target.holdsOurs(removed.text)).toBe(false);
        if (!hasTrailingComma(text)) expect(hasTrailingComma(removed.text)).toBe(false);
        // A version that the file has to have stays while others' hooks are in it.
        const isOurs = set.created.some(([key]) => key === "version");
        const version = isOurs && /"version"/.test(removed.text) ? { version: 1 } : {};
        expect(meaningOf(removed.text)).toEqual({ ...meaningOf(text), ...version });
        expect(commentsOf(removed.text)).toEqual(commentsOf(text));
      }),
      propertyRuns(150),
    );
  },
);

function hasTrailingComma(text: string): boolean {
  const errors: ParseError[] = [];
  parse(text.replace("\uFEFF", ""), errors);
  return errors.length > 0;
}

function meaningOf(text: string): Record<string, unknown> {
  const value: unknown = parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true });
  return JSON.parse(JSON.stringify(value ?? null));
}

function commentsOf(text: string): string[] {
  return Array.from(text.matchAll(/\/\* , \} \] \*\/|\/\/ a "note" \{|\/\*\*\//g), ([comment]) => comment);
}
