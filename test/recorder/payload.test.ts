import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { encodeInboxEntry, ENTRY_LIMIT, ENVIRONMENT_FACTS, factsOf } from "../../src/files/inbox-entry";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";
import {
  ended,
  entries,
  hasPseudoTerminal,
  MISSING_SHELLS,
  onlyEntry,
  payloadBytes,
  run,
  SCRIPT,
  SHELLS,
  SILENT,
  start,
  testWhere,
} from "./recorder";

test("the shells that must be: dash, and bash as it stands for sh", () => {
  const all = SHELLS.map(({ name }) => name);
  expect(all).toContain("dash");
  expect(all).toContain("bash --posix");
});

for (const name of MISSING_SHELLS) test.skip(`under ${name} (needs ${name})`, () => undefined);

/** Bytes that are no text, the same in every run. */
function noise(length: number): Buffer {
  const parts: Buffer[] = [];
  for (let n = 0; parts.length * 32 < length; n++) parts.push(createHash("sha256").update(String(n)).digest());
  return Buffer.concat(parts).subarray(0, length);
}

describe.each(SHELLS.map((shell) => [shell.name, shell] as const))("under %s", (_, shell) => {
  test.each<[string, Buffer]>([
    ["a plain object", Buffer.from('{"session_id":"s","hook_event_name":"Stop"}')],
    ["nothing", Buffer.alloc(0)],
    ["a line break at the end", Buffer.from("{}\n")],
    ["line breaks of both kinds", Buffer.from('\n\r\n{"a":\r\n1}\r\n\n\n')],
    ["what looks like the head of an entry", Buffer.from("agent-sessions 1\nagent=other\n\n{}")],
    ["NUL bytes", Buffer.from("a\0\0b\0")],
    ["bytes that are no text", noise(5000)],
    ["backslashes, percent signs and options", Buffer.from("-n \\n\\c %s %d \\0101")],
    ["characters of all sizes", Buffer.from("ä€😀")],
    ["as much as a tool gives", noise(100_000)],
  ])("the payload arrives as it came: %s", (_name, payload) => {
    const home = scratchFolder();
    expect(run({ shell, input: payload, env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    const found = onlyEntry(home);
    expect(payloadBytes(found).equals(payload)).toBe(true);
    expect(found.mode).toBe(0o600);
    expect(found.entry.agent).toBe("claude");
  });

  test("of ten megabytes the first 256 KiB are kept, all are taken, and the entry says so", () => {
    const home = scratchFolder();
    const payload = Buffer.alloc(10 * 1024 * 1024, '{"a":"0123456789"}');
    expect(run({ shell, input: payload, env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    const found = onlyEntry(home);
    // Bash counts in blocks of 1 KiB where it does not stand for sh.
    expect(found.bytes.length).toBe(shell.name === "bash" ? 2 * ENTRY_LIMIT : ENTRY_LIMIT);
    expect(payload.subarray(0, payloadBytes(found).length).equals(payloadBytes(found))).toBe(true);
    expect(found.entry.truncated).toBe(true);
  });

  test("an argument is the payload, and then the input is not read", async () => {
    const home = scratchFolder();
    const json = '{"type":"agent-turn-complete","thread-id":"t","x":"$(touch /tmp/x) `id` %s \\n\'\\"\n\nä"}';
    const child = start({ shell, args: ["codex", "notify", json], env: { AGENT_SESSIONS_HOME: home } });
    // The input stays open: whoever reads it waits for ever.
    await expect(ended(child)).resolves.toEqual({ code: 0, signal: null });
    child.stdin?.destroy();
    expect(onlyEntry(home).entry).toMatchObject({ agent: "codex", event: "notify", payload: json, truncated: false });
  });

  test("a long argument is cut too", () => {
    const home = scratchFolder();
    const args = ["codex", "notify", `{"a":"${"x".repeat(120_000)}"}`];
    expect(run({ shell, args, env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    expect(onlyEntry(home).entry.payload).toBe(args[2]);
  });

  test("the last of several arguments is the payload, an empty one too", () => {
    const home = scratchFolder();
    const env = { AGENT_SESSIONS_HOME: home };
    run({ shell, args: ["codex", "notify", "first", "last"], env });
    run({ shell, args: ["aider", "done", ""], env, input: "not read" });
    expect(entries(home).map(({ entry }) => entry.payload)).toEqual(["last", ""]);
  });

  test("a payload may come in pieces, and slowly", async () => {
    const home = scratchFolder();
    const child = start({ shell, env: { AGENT_SESSIONS_HOME: home } });
    const end = ended(child);
    for (const piece of ["{", '"a"', ":", "1}"]) {
      await new Promise<void>((done) => child.stdin?.write(piece, () => setImmediate(done)));
    }
    child.stdin?.end();
    await expect(end).resolves.toEqual({ code: 0, signal: null });
    expect(onlyEntry(home).entry.payload).toBe('{"a":1}');
  });

  test.each([
    ["input", '"$@" <&-'],
    ["output", '"$@" >&-'],
    ["errors", '"$@" 2>&-'],
    ["everything", '"$@" <&- >&- 2>&-'],
  ])("closed: %s", (what, around) => {
    const home = scratchFolder();
    expect(run({ shell, around, input: "{}", env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    const isInputClosed = around.includes("<&-");
    expect(onlyEntry(home).entry.payload).toBe(isInputClosed ? "" : "{}");
    expect(what).not.toBe("");
  });
});

testWhere(hasPseudoTerminal, "script(1)")("a terminal is not a payload, and nobody waits for the user", async () => {
  const home = scratchFolder();
  // script(1) gives it a terminal as input, on which nobody ever types, nor ends it.
  const child = spawn("script", ["-qec", `'${SCRIPT}' aider done`, "/dev/null"], {
    env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: home },
    stdio: ["pipe", "ignore", "ignore"],
  });
  await expect(ended(child)).resolves.toEqual({ code: 0, signal: null });
  child.stdin.destroy();
  expect(onlyEntry(home).entry).toMatchObject({ agent: "aider", event: "done", payload: "" });
});

test("an entry is dated when its payload ended", () => {
  const home = scratchFolder();
  const before = Date.now();
  run({ input: "{}", env: { AGENT_SESSIONS_HOME: home } });
  const { mtimeMs } = statSync(join(home, "inbox", onlyEntry(home).name));
  expect(mtimeMs).toBeGreaterThan(before - 1000);
  expect(mtimeMs).toBeLessThan(Date.now() + 1000);
});

test("any payload and any environment: the script writes, byte for byte, what the encoder says", () => {
  const value = fc.string({ unit: "binary", maxLength: 40 }).filter((text) => !text.includes("\0"));
  const long = fc.integer({ min: 1000, max: 1050 }).map((length) => "x".repeat(length));
  const environment = fc.dictionary(fc.constantFrom(...ENVIRONMENT_FACTS), fc.oneof(value, long), { maxKeys: 12 });
  const payload = fc.uint8Array({ maxLength: 3000 });
  const event = fc.option(value, { nil: undefined });
  let turn = 0;
  fc.assert(
    fc.property(payload, environment, event, (bytes, env, named) => {
      const home = scratchFolder();
      const shell = SHELLS[turn++ % SHELLS.length];
      const args = named === undefined ? ["claude"] : ["claude", named];
      expect(run({ shell, args, input: bytes, cwd: home, env: { ...env, AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
      const found = onlyEntry(home);
      const facts = factsOf(env, home);
      const { parent } = found.entry;
      expect(found.bytes).toEqual(
        encodeInboxEntry({ agent: "claude", event: named, parent, env: facts, payload: bytes }),
      );
      expect(found.entry).toMatchObject({ env: facts, parent: process.pid });
    }),
    propertyRuns(70),
  );
});
