import { codexRegistry, decodeCodexLock } from "../../../src/agents/codex/registry";

const HOME = "/home/dev/.codex";
const THREAD = "01a22c07-cf75-7bb0-9c46-faaa9e213dbd";

test("lies in Codex's home, a lock a thread", () => {
  const place = codexRegistry(HOME);
  expect(place).toMatchObject({ agent: "codex", path: "/home/dev/.codex/thread-writer-locks" });
  expect(place.isEntry(`${THREAD}.lock`)).toBe(true);
  for (const name of [
    ".coordination.lock",
    `${THREAD}.lock.tmp`,
    `x${THREAD}.lock`,
    THREAD,
    "session_index.jsonl.lock",
  ]) {
    expect([name, place.isEntry(name)]).toEqual([name, false]);
  }
});

test("a lock's name is its session; nothing else is made up", () => {
  expect(decodeCodexLock(`${THREAD}.lock`, HOME)).toEqual({
    outcome: "entry",
    entry: { agent: "codex", sessionId: THREAD, configDirectory: HOME },
    findings: [],
  });
  expect(decodeCodexLock("other.lock", HOME).outcome).toBe("refused");
});
