import fc from "fast-check";
import type { Mapped } from "../../src/session/mapping";
import { MAPPED_AGENTS, mapperOf } from "../../src/agents/registry";
import type { Event } from "../../src/session/event";
import type { Identity } from "../../src/session/identity";
import { reportOf } from "../../src/session/record";
import { reduce } from "../../src/session/reduce";
import { textLength } from "../../src/session/text";
import { payloadOf } from "../player";
import { propertyRuns } from "../property-runs";
import { recording, recordingsIn } from "../recording";
import { part } from "../thoroughness";

const AGENTS = [...MAPPED_AGENTS, "generic", "some-script"];

/** The real payloads of each agent; those of agents that were never recorded are Claude Code's, which they resemble. */
const RECORDED: Record<string, string[]> = {
  codex: ["codex", "codex-daemon", "codex-more"],
  gemini: ["gemini", "gemini-more"],
  opencode: ["opencode", "opencode-more"],
  qwen: ["qwen"],
};

interface Seed {
  payload: unknown;
  event: string;
}

const seeds = new Map<string, Seed[]>();

function seedsOf(agent: string): Seed[] {
  const known = seeds.get(agent);
  if (known !== undefined) return known;
  const found = (RECORDED[agent] ?? ["claude", "claude-control"])
    .flatMap(recordingsIn)
    .flatMap(recording)
    .map((entry) => ({ payload: payloadOf(entry), event: entry.event }));
  seeds.set(agent, found);
  return found;
}

/** What may stand where something else belongs. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, 0, -1, 1e308, NaN, true, "", " ", "\0", "\ud800", "a\udc00b", [], {}, [[]], [null]),
  fc.constant("\ud83d".repeat(3) + "x".repeat(3_000)),
  fc.constant(Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, type: "subagent", status: "running" }))),
  fc.constant(JSON.parse('{"__proto__": {"session_id": "p"}, "constructor": 1, "toString": null}')),
  fc.string({ unit: "binary" }),
);

/** A payload with some of its fields, however deep, replaced, removed or added. */
function mutated(payload: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(fc.tuple(fc.nat(), fc.constantFrom("replace", "remove", "add", "rename"), anything, fc.string()), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => {
      let value: unknown = structuredClone(payload);
      for (const [where, how, by, name] of changes) value = changedAt(value, where, how, by, name);
      return value;
    });
}

function changedAt(value: unknown, where: number, how: string, by: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return how === "replace" ? by : value;
  const entries = Object.entries(value);
  if (entries.length === 0) return how === "add" ? { [name]: by } : value;
  const index = where % entries.length;
  const changed = entries.flatMap(([key, part], at): [string, unknown][] => {
    if (at !== index) return [[key, part]];
    if (where % 3 === 0 && typeof part === "object" && part !== null) {
      return [[key, changedAt(part, Math.floor(where / 3), how, by, name)]];
    }
    switch (how) {
      case "replace":
        return [[key, by]];
      case "remove":
        return [];
      case "add":
        return [
          [key, part],
          ["__proto__", by],
          [name, by],
        ];
      default:
        return [[key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), part]];
    }
  });
  return Array.isArray(value) ? changed.map(([, part]) => part) : Object.fromEntries(changed);
}

/** Every text of an event that reaches the status file, with its limit there. */
function textsOf(event: Event): [string, string | undefined, number][] {
  const asked = "ask" in event ? event.ask : "asks" in event ? event.asks : undefined;
  return [
    ["event", event.name, 64],
    ["permission_mode", event.permissionMode, 32],
    ["title", event.title, 200],
    ["surface", event.surface, 32],
    ["tool", "tool" in event ? event.tool : undefined, 64],
    ["activity", "activity" in event ? event.activity : undefined, 200],
    ["message", asked?.message, 500],
    ["message", "reason" in event ? event.reason : undefined, 500],
    ["title", "text" in event ? event.text : undefined, 200],
    ...("running" in event ? (event.running ?? []) : []).map((task): [string, string | undefined, number] => [
      "background.command",
      task.text,
      500,
    ]),
  ];
}

/** What is kept beside the status file's texts: ids and the folder, of any length. */
function namesOf({ sessionId }: Identity, event: Event): unknown[] {
  return [
    sessionId,
    event.cwd,
    event.agentId,
    "call" in event ? event.call : undefined,
    "source" in event ? event.source : undefined,
    "turn" in event ? event.turn : undefined,
    "subagent" in event ? event.subagent : undefined,
  ];
}

/** Holds of whatever a mapper made of a payload: it is one of the three outcomes, within limits, and can be reduced. */
function expectSound(mapped: Mapped): void {
  switch (mapped.outcome) {
    case "refused":
      expect(mapped.reason).not.toBe("");
      return;
    case "ignored":
      expect(typeof mapped.event).toBe("string");
      return;
    default: {
      const { identity, event } = mapped;
      expect(identity.sessionId).not.toBe("");
      expect(identity.agent).toMatch(/^[a-z0-9._-]{1,32}$/);
      for (const [field, text, limit] of textsOf(event)) {
        if (text === undefined) continue;
        expect([field, text.isWellFormed(), textLength(text) <= limit]).toEqual([field, true, true]);
      }
      const broken = namesOf(identity, event).filter((name) => typeof name === "string" && !name.isWellFormed());
      expect(broken).toEqual([]);
      expect(Number.isFinite(event.at)).toBe(true);
      const record = reduce(undefined, identity, event);
      expect(JSON.parse(JSON.stringify(reportOf(record)))).toBeDefined();
    }
  }
}

const settings = fc.record(
  {
    at: fc.constant(1_796_000_000),
    event: fc.oneof(fc.constantFrom("Stop", "agentStop", "event:session.idle", "notify", "SessionEnd"), fc.string()),
    env: fc.dictionary(fc.constantFrom("OPENCODE_PID", "CLAUDE_PID", "PWD", "SESSION_ID", "AGENT_NAME"), fc.string()),
    parent: fc.integer(),
  },
  { requiredKeys: ["at", "env"] },
);

describe.each(AGENTS)("the mapping of %s", (agent) => {
  const map = mapperOf(agent);

  test("never throws and keeps the limits, for any JSON", () => {
    fc.assert(
      fc.property(anything, settings, (payload, setting) => expectSound(map(payload, setting))),
      propertyRuns(300),
    );
  });

  test("never throws and keeps the limits, for real payloads that were changed", () => {
    const changed = fc
      .constantFrom(...seedsOf(agent))
      .chain((seed) => mutated(seed.payload).map((payload) => ({ payload, event: seed.event })));
    fc.assert(
      fc.property(changed, settings, ({ payload, event }, setting) =>
        expectSound(map(payload, { ...setting, event: setting.event ?? event })),
      ),
      propertyRuns(300),
    );
  });

  test("never throws for a payload nested deeper than any stack", () => {
    const deep = (open: string, close: string) => JSON.parse(`${open.repeat(60_000)}1${close.repeat(60_000)}`);
    const bottomless = deep("[", "]");
    for (const seed of part(seedsOf(agent).slice(0, 20), 4)) {
      const payload = { ...Object(seed.payload), tool_input: { a: bottomless }, data: bottomless, session: bottomless };
      expectSound(map(payload, { at: 1, env: {}, event: seed.event }));
    }
  });

  test("keeps the limits for texts of a megabyte", () => {
    const huge = "line\n".repeat(200_000);
    const texts = { prompt: huge, message: huge, tool_name: huge, error: huge, title: huge, permission_mode: huge };
    for (const seed of part(seedsOf(agent).slice(0, 20), 4)) {
      const payload = { ...Object(seed.payload), ...texts, tool_input: { command: huge, description: huge } };
      expectSound(map(payload, { at: 1, env: {}, event: seed.event }));
    }
  });

  test("is pure: the payload stays, and the same one means the same", () => {
    for (const { payload, event } of seedsOf(agent).slice(0, 60)) {
      const before = structuredClone(payload);
      const setting = { at: 5, env: { OPENCODE_PID: "9" }, event };
      expect(map(payload, setting)).toEqual(map(payload, setting));
      expect(payload).toEqual(before);
    }
  });
});
