import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deliver } from "../inbox-file";
import type { World } from "./world";

/** When the first event came, in seconds. Nobody's clock is asked: the same events give the same records. */
export const BEGAN = 1_780_000_000;

export const FOREIGN = { session_id: "foreign", state: "working", ts: BEGAN, agent: "other" };

/** Has events wait in a home: of three sessions, of none, and two that nobody can read. */
export function fillWithEvents(world: World): World {
  const { home, statusDirectory, signalStateFile } = world.places;
  mkdirSync(statusDirectory, { recursive: true });
  writeFileSync(join(statusDirectory, "foreign.json"), JSON.stringify(FOREIGN));
  mkdirSync(dirname(signalStateFile), { recursive: true, mode: 0o700 });
  const record = { signal: "working", agent: "script", updated_at: new Date().toISOString() };
  writeFileSync(signalStateFile, JSON.stringify({ version: 1, sessions: { build: record }, aggregate: "working" }));
  let at = BEGAN;
  const tell = (agent: string, session_id: string, hook_event_name: string, more: Record<string, unknown> = {}) =>
    deliver(home, { agent, at: (at += 1), event: hook_event_name, payload: { session_id, hook_event_name, ...more } });
  // A call of a subagent without an id stays until the subagent ends: one that is folded twice is there twice.
  const call = (agent: string, id: string, tool_name: string) =>
    tell(agent, id, "PreToolUse", { agent_id: "sub", tool_name, tool_input: { file_path: `/${tool_name}` } });
  tell("claude", "a", "UserPromptSubmit", { prompt: "Fix it" });
  tell("codex", "b", "UserPromptSubmit", { prompt: "Look" });
  for (const tool of ["T1", "T2", "T3"]) call("claude", "a", tool);
  tell("claude", "a", "NobodyKnowsThis");
  tell("codex", "b", "Stop", { last_assistant_message: "Done" });
  for (const tool of ["T4", "T5"]) call("claude", "a", tool);
  tell("claude", "c", "UserPromptSubmit", { prompt: "Count" });
  tell("claude", "c", "Stop");
  writeFileSync(join(home, "inbox", "broken"), "agent-sessions 1\nagent=claude\n\n{");
  writeFileSync(join(home, "inbox", "nonsense"), "nothing that is an entry");
  for (const name of ["broken", "nonsense"]) utimesSync(join(home, "inbox", name), at + 1, at + 1);
  return world;
}

/** The tools that session `a` of agent `claude` calls, in their order. */
export const TOOLS = ["T1", "T2", "T3", "T4", "T5"];

/** The environment of the world, in which what was told long ago stays in the signal document. */
export function lastingEnvironment({ environment }: World): Readonly<Record<string, string>> {
  return { ...environment, SIGNAL_LIGHT_SESSION_TTL_SECONDS: "inf", AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS: "inf" };
}

/** What cannot be read of a world, but for the two entries that nobody can read from the beginning. */
export function damagedIn(world: World): string[] {
  return world.undecodable().filter((text) => !/inbox\/(broken|nonsense) /.test(text));
}

/** What must hold of the sessions, whatever happened: no call is there twice, and what is there is in order. */
export function disorderIn(world: World): string[] {
  return Array.from(world.records(), ([id, { calls }]) => {
    const tools = calls.map(({ tool }) => tool).join();
    return TOOLS.join().startsWith(tools) ? "" : `${id} has the calls ${tools}`;
  }).filter((text) => text !== "");
}
