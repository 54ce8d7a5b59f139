import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { mapClaude } from "../../src/agents/claude/events";
import { fold } from "../../src/store/fold";
import { SessionStore } from "../../src/store/session-store";
import { deliver } from "../inbox-file";
import { scratchFolder } from "../scratch";

const AT = 1_800_000_000;

const send = (home: string, id: string, event: string, at: number) =>
  deliver(home, { agent: "claude", event, at, payload: { session_id: id, hook_event_name: event, prompt: "Go" } });

const foldAll = (home: string) =>
  fold(home, { clock: () => (AT + 100) * 1000, mapperOf: () => mapClaude, project: () => undefined });

const stateOf = (home: string, id: string) =>
  new SessionStore(home).load({ agent: "claude", sessionId: id })?.record.state;

const waiting = (home: string) => readdirSync(join(home, "inbox")).filter((name) => name !== "rejected");

test("a session that cannot be written is named, waits, and holds up no other", () => {
  const home = join(scratchFolder(), "home");
  const first = new SessionStore(home).fileOf({ agent: "claude", sessionId: "first" });
  const elsewhere = join(scratchFolder(), "elsewhere");
  send(home, "first", "UserPromptSubmit", AT);
  foldAll(home);
  renameSync(first, elsewhere);
  symlinkSync(elsewhere, first);
  const before = readFileSync(elsewhere, "utf8");
  const kept = send(home, "first", "Stop", AT + 1);
  send(home, "second", "UserPromptSubmit", AT + 2);
  expect(() => foldAll(home)).toThrow(`${first} is a symbolic link`);
  expect(stateOf(home, "second")).toBe("working");
  expect(waiting(home).map((name) => join(home, "inbox", name))).toEqual([kept]);
  expect(readFileSync(elsewhere, "utf8")).toBe(before);
  // Once it is as it was, what waited is folded.
  renameSync(elsewhere, first);
  foldAll(home);
  expect(stateOf(home, "first")).toBe("done");
  expect(waiting(home)).toEqual([]);
});

test("an entry that cannot be kept among the rejected is named, waits, and holds up no other", () => {
  const home = join(scratchFolder(), "home");
  const junk = deliver(home, { agent: "claude", at: AT, payload: "no JSON" });
  const rejected = join(home, "inbox", "rejected");
  mkdirSync(dirname(rejected), { recursive: true });
  symlinkSync(join(home, "nowhere", "at", "all"), rejected);
  send(home, "second", "UserPromptSubmit", AT + 2);
  expect(() => foldAll(home)).toThrow(rejected);
  expect(stateOf(home, "second")).toBe("working");
  expect(waiting(home).map((name) => join(home, "inbox", name))).toEqual([junk]);
});
