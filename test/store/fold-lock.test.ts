import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mapClaude } from "../../src/agents/claude/events";
import { fold } from "../../src/store/fold";
import { deliver } from "../inbox-file";
import { scratchFolder } from "../scratch";

test("a fold holds the lock as this process while it works, and leaves none", () => {
  const home = join(scratchFolder(), "home");
  const lock = join(home, "fold.lock");
  const held: unknown[] = [];
  for (const id of ["one", "two"]) {
    const payload = { session_id: id, hook_event_name: "UserPromptSubmit", prompt: "Go" };
    deliver(home, { agent: "claude", event: "UserPromptSubmit", at: 1_800_000_000, payload });
  }
  fold(home, {
    clock: () => 1_800_000_100_000,
    mapperOf: () => mapClaude,
    project: () => void held.push(existsSync(lock) && JSON.parse(readFileSync(lock, "utf8")).pid),
  });
  expect(held).toEqual([process.pid]);
  expect(existsSync(lock)).toBe(false);
});
