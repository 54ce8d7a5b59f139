import { transformSync } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { opencodeHooks } from "../../../src/agents/opencode/hooks";
import { mapperOf } from "../../../src/agents/registry";
import { decodeInboxEntry, type InboxEntry } from "../../../src/files/inbox-entry";
import { sessionKey } from "../../../src/session/identity";
import type { SessionRecord } from "../../../src/session/record";
import { reduce } from "../../../src/session/reduce";
import { scratchFolder } from "../../scratch";
import { loadPlugin } from "../../setup/plugin-host";

const CAPTURES = resolve(__dirname, "..", "..", "captures");

const RECORDINGS = ["opencode", "opencode-more"].flatMap((folder) =>
  readdirSync(join(CAPTURES, folder))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name)),
);

interface Told {
  event: string;
  payload: Record<string, unknown>;
  directory: string;
}

/** The events of a recording, one process after the other. */
function told(recording: string): Told[] {
  let directory = "/";
  return readFileSync(join(CAPTURES, recording), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { event, payload } = JSON.parse(line);
      if (event === "plugin.init") directory = payload.directory;
      return { event, payload, directory };
    });
}

type Hook = (...given: unknown[]) => Promise<void>;

/** Plays a recording into the plugin, as opencode calls it. */
async function play(events: readonly Told[], inbox: string, environment: Record<string, string> = {}): Promise<void> {
  const { AgentSessions } = loadPlugin(source(inbox), "js", environment);
  let hooks: Record<string, Hook> = {};
  for (const { event, payload, directory } of events) {
    if (event === "plugin.init") hooks = await AgentSessions({ directory });
    const [, type] = /^event:(.*)$/.exec(event) ?? [];
    if (type !== undefined) await hooks.event?.({ event: { type, properties: payload } });
    else if (event === "chat.message") await hooks[event]?.(payload.i, { parts: payload.parts });
    else if (event === "tool.execute.after") await hooks[event]?.(payload.i, { output: payload.output });
    else await hooks[event]?.(payload.i ?? payload, payload.o);
  }
}

function source(inbox: string): string {
  const [target] = opencodeHooks({ environment: {}, user: "/home/me", platform: "linux" }).targets;
  const set = target?.setUp(undefined, { path: "/x/bin/record", inbox, platform: "linux" }, undefined);
  if (set?.outcome !== "change") throw new Error("no plugin");
  return set.text;
}

/** The entries in their order: the plugin counts them in their names. */
function entriesIn(inbox: string): InboxEntry[] {
  return readdirSync(inbox)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => {
      const decoded = decodeInboxEntry(readFileSync(join(inbox, name), "utf8"));
      if (decoded.outcome === "refused") throw new Error(`${name} ${decoded.reason}`);
      return decoded.entry;
    });
}

/** The sessions after events, without the times. */
function sessionsAfter(events: readonly { event: string; payload: unknown; env: Record<string, string> }[]) {
  const records = new Map<string, SessionRecord>();
  for (const { event, payload, env } of events) {
    const mapped = mapperOf("opencode")(payload, { at: 1, event, env });
    if (mapped.outcome === "refused") throw new Error(mapped.reason);
    if (mapped.outcome === "ignored") continue;
    const key = sessionKey(mapped.identity);
    records.set(key, reduce(records.get(key), mapped.identity, mapped.event));
  }
  return Object.fromEntries(
    Array.from(records, ([key, { state, title, agent, cwd }]) => [key, { state, title, agent, cwd }]),
  );
}

test("the plugin is valid JavaScript with one export, and imports nothing but Node", () => {
  const text = source('/home/it\'s "me"/inbox');
  expect(() => transformSync(text, { loader: "js", format: "esm" })).not.toThrow();
  expect(text.match(/^import .*$/gm)).toEqual(['import * as fs from "node:fs";', 'import * as path from "node:path";']);
  expect(text.match(/^export /gm)).toHaveLength(1);
});

test.each(RECORDINGS)("%s: what the plugin leaves says of every session what the events said", async (recording) => {
  const inbox = join(scratchFolder(), "inbox");
  const events = told(recording);
  await play(events, inbox);
  const entries = entriesIn(inbox);
  expect(entries.length).toBeGreaterThan(0);
  expect(
    entries.every(({ agent, parent, truncated }) => agent === "opencode" && parent === process.pid && !truncated),
  ).toBe(true);
  const left = sessionsAfter(
    entries.map(({ event = "", payload, env }) => ({ event, payload: JSON.parse(payload), env })),
  );
  const direct = sessionsAfter(
    events.map(({ event, payload, directory }) => {
      const [, type] = /^event:(.*)$/.exec(event) ?? [];
      if (type === undefined) return { event, payload: { type: event, directory, ...payload }, env: {} };
      return { event, payload: { type, directory, properties: payload }, env: {} };
    }),
  );
  // A subagent's session is its parent's, which only the plugin can tell for all of its events.
  for (const [key, session] of Object.entries(left)) expect([key, session.state]).toEqual([key, direct[key]?.state]);
  if (!recording.includes("subagent")) expect(Object.keys(left)).toEqual(Object.keys(direct));
});

test("a subagent's events are told as its root's", async () => {
  const inbox = join(scratchFolder(), "inbox");
  await play(told(join("opencode-more", "subagent-approved.jsonl")), inbox);
  const payloads = entriesIn(inbox).map(({ payload }) => JSON.parse(payload));
  const children = new Set(
    payloads.flatMap(({ properties }) => (properties?.info?.parentID ? [properties.info.id] : [])),
  );
  expect(children.size).toBeGreaterThan(0);
  for (const { properties, input, parentID } of payloads) {
    const session = properties?.sessionID ?? properties?.info?.id ?? input?.sessionID;
    expect([session, parentID !== undefined]).toEqual([session, children.has(session)]);
  }
});

test("it neither throws nor answers, whatever it is given, and where there is no inbox to be had", async () => {
  const inbox = join(scratchFolder(), "file", "inbox");
  writeFileSync(join(inbox, "..", "..", "file"), "");
  const { AgentSessions } = loadPlugin(source(inbox), "js");
  const hooks = await AgentSessions({ directory: "/" });
  for (const hook of Object.values<Hook>(hooks)) {
    for (const given of [undefined, null, {}, { event: null }, { event: { type: "session.idle" } }]) {
      expect(await hook(given, undefined)).toBeUndefined();
    }
  }
});

test("in an inbox that fills up it leaves no progress, and of the rest one of a kind", async () => {
  const inbox = join(scratchFolder(), "inbox");
  const events = told(join("opencode", "b-bash-approved.jsonl"));
  await play(events, inbox);
  const all = entriesIn(inbox).map(({ event }) => event);
  expect(all).toContain("tool.execute.before");
  const crowded = join(scratchFolder(), "inbox");
  await play([], crowded);
  await play(events.slice(0, 3), crowded);
  writeFileSync(join(crowded, ".full"), "3\n");
  for (let n = 0; n < 3; n++) await play(events, crowded);
  const left = entriesIn(crowded).map(({ event }) => event);
  expect(left.filter((event) => event?.startsWith("tool."))).toEqual([]);
  expect(left.filter((event) => event === "permission.asked")).toHaveLength(1);
});

test("an own home in the environment goes before the one it was installed for", async () => {
  const home = scratchFolder();
  const other = join(scratchFolder(), "inbox");
  await play(told(join("opencode", "a-simple.jsonl")), other, { AGENT_SESSIONS_HOME: home, SSH_CONNECTION: "1.2.3.4" });
  const [entry] = entriesIn(join(home, "inbox"));
  expect(entry?.env).toMatchObject({ SSH_CONNECTION: "1", OPENCODE_PID: String(process.pid) });
  expect(() => readdirSync(other)).toThrow();
});
