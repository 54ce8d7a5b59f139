import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buildSync } from "esbuild";
import { record } from "../../src/cli/verbs/record";
import { ENTRY_LIMIT } from "../../src/files/inbox-entry";
import { leaveEntry } from "../../src/store/record";
import { scratchFolder } from "../scratch";
import {
  canDropUser,
  canMount,
  ended,
  entries,
  names,
  onlyEntry,
  payloadBytes,
  run,
  SILENT,
  testWhere,
} from "./recorder";

let command = "";

beforeAll(() => {
  // As the program calls it; bundled, since a process of its own has to run it.
  const folder = scratchFolder();
  chmodSync(folder, 0o755);
  command = join(folder, "record.js");
  buildSync({
    stdin: {
      contents: `import { record } from "./src/cli/verbs/record";
        void record(process.argv.slice(2), { environment: process.env }).then((code) => { process.exitCode = code; });`,
      resolveDir: join(__dirname, "..", ".."),
      loader: "ts",
    },
    outfile: command,
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
});

interface Options {
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
  prefix?: string[];
}

function runNode(args: string[], { input = "", env = {}, cwd, prefix = [] }: Options): SpawnSyncReturns<Buffer> {
  const [program = "", ...rest] = [...prefix, process.execPath, command, ...args];
  const ran = spawnSync(program, rest, { input, env: { PATH: process.env.PATH, ...env }, cwd, timeout: 30_000 });
  if (ran.error !== undefined) throw ran.error;
  return ran;
}

function expectSilent({ status, stdout, stderr }: SpawnSyncReturns<Buffer>): void {
  expect({ status, printed: `${stdout}${stderr}` }).toEqual({ status: 0, printed: "" });
}

test.each<[string, string[], string | Buffer]>([
  ["an event", ["claude", "Stop"], '{"session_id":"s"}'],
  ["no event", ["gemini"], "{}\r\n"],
  ["bytes that are no text", ["claude", "Stop"], Buffer.from([0, 255, 10, 128, 0])],
  ["nothing", ["gemini", "SessionEnd"], ""],
  ["too much", ["claude", "PostToolUse"], Buffer.alloc(1024 * 1024, "ä")],
  ["an argument", ["codex", "notify", '{"type":"x"}'], "not read"],
  ["an event of two lines", ["claude", "a\nb"], "{}"],
  ["an agent that no file may be called", ["../x", "$(id)"], "{}"],
])("the same entry as the script's: %s", (_name, args, input) => {
  const [ours, theirs] = [scratchFolder(), scratchFolder()];
  const env = { TMUX: "/tmp/t,1,2", WT_SESSION: "é", CLAUDE_PID: "1\n2", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" };
  expectSilent(runNode(args, { input, env: { ...env, AGENT_SESSIONS_HOME: ours }, cwd: ours }));
  expect(run({ args, input, env: { ...env, AGENT_SESSIONS_HOME: theirs }, cwd: ours })).toEqual(SILENT);
  const [mine, script] = [onlyEntry(ours), onlyEntry(theirs)];
  expect(mine.bytes.equals(script.bytes)).toBe(true);
  expect(mine.mode).toBe(0o600);
  expect(mine.name.replace(/\d{7}/, "PID")).toBe(script.name.replace(/\d{7}/, "PID"));
  expect(["", "inbox"].map((name) => statSync(join(ours, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("the argument of Codex is the payload while its input stays open", async () => {
  const home = scratchFolder();
  const child = spawn(process.execPath, [command, "codex", "notify", "{}"], {
    env: { AGENT_SESSIONS_HOME: home },
    stdio: ["pipe", "ignore", "ignore"],
  });
  await expect(ended(child)).resolves.toEqual({ code: 0, signal: null });
  child.stdin.destroy();
  expect(onlyEntry(home).entry).toMatchObject({ agent: "codex", event: "notify", payload: "{}" });
});

test.each(['"$@" <&-', '"$@" >&- 2>&-', 'umask 0777; "$@"'])("in odd surroundings: %s", (around) => {
  const home = join(scratchFolder(), "home");
  const prefix = ["sh", "-c", around, "sh"];
  expectSilent(runNode(["claude", "Stop"], { input: "{}", prefix, env: { AGENT_SESSIONS_HOME: home } }));
  const found = onlyEntry(home);
  expect(found.entry.payload).toBe(around.includes("<&-") ? "" : "{}");
  expect(found.mode).toBe(0o600);
});

test.each<[string, string[], (folder: string) => Record<string, string>]>([
  ["no agent", [], (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "home") })],
  ["an agent of two lines", ["a\nb"], (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "home") })],
  ["an inbox that is a file", ["claude"], (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "blocked") })],
  ["a home that is a file", ["claude"], (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "blocked", "inbox") })],
  ["a home in a device", ["claude"], () => ({ AGENT_SESSIONS_HOME: "/dev/null" })],
])("it cannot be left: %s", (_name, args, given) => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "blocked"));
  writeFileSync(join(folder, "blocked", "inbox"), "");
  expectSilent(runNode(args, { input: "x".repeat(300_000), env: given(folder), cwd: folder }));
  expect(names(join(folder, "home"))).toEqual({ visible: [], hidden: [] });
});

testWhere(canDropUser, "setpriv and root")("nothing goes into another user's inbox", () => {
  const home = scratchFolder();
  chmodSync(home, 0o755);
  mkdirSync(join(home, "inbox"));
  chmodSync(join(home, "inbox"), 0o777);
  const prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  expectSilent(runNode(["claude"], { input: "{}", prefix, cwd: "/", env: { AGENT_SESSIONS_HOME: home } }));
  expect(names(home)).toEqual({ visible: [], hidden: [] });
});

testWhere(canMount, "mounts")("a disk that fills up keeps what arrived, as a cut entry; a full one nothing", () => {
  const home = scratchFolder();
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "none", home]).status).toBe(0);
  try {
    const payload = `{"session_id":"s","x":"${"x".repeat(200_000)}"}`;
    expectSilent(runNode(["claude", "Stop"], { input: payload, env: { AGENT_SESSIONS_HOME: home } }));
    const { entry } = onlyEntry(home);
    expect(entry.truncated).toBe(true);
    expect(entry.payload.length).toBeGreaterThan(10_000);
    expect(payload.startsWith(entry.payload)).toBe(true);
    expectSilent(runNode(["claude", "Stop"], { input: payload, env: { AGENT_SESSIONS_HOME: home } }));
    expect(onlyEntry(home).entry).toEqual(entry);
  } finally {
    spawnSync("umount", [home]);
  }
});

describe("in this process", () => {
  const environmentOf = (home: string) => ({ environment: { AGENT_SESSIONS_HOME: home } });

  test("a payload comes in chunks, is kept up to the limit, and read to its end", async () => {
    const home = scratchFolder();
    let read = 0;
    const input = (async function* () {
      for (; read < 40; read++) yield Buffer.alloc(16 * 1024, "a");
    })();
    await expect(record(["claude", "Stop"], environmentOf(home), input)).resolves.toBe(0);
    expect(read).toBe(40);
    expect(onlyEntry(home).bytes.length).toBe(ENTRY_LIMIT);
  });

  test("a terminal is not read", async () => {
    const home = scratchFolder();
    const input = Object.assign(Readable.from(["typed"]), { isTTY: true });
    await expect(record(["aider", "done"], environmentOf(home), input)).resolves.toBe(0);
    expect(onlyEntry(home).entry.payload).toBe("");
  });

  test("what came before the input broke is the payload", async () => {
    const home = scratchFolder();
    const input = (async function* () {
      yield '{"a":1}';
      await Promise.reject(new Error("EIO"));
    })();
    await expect(record(["claude", "Stop"], environmentOf(home), input)).resolves.toBe(0);
    expect(onlyEntry(home).entry.payload).toBe('{"a":1}');
  });

  test("a name is never used for two: neither one that waits nor one that is being written", () => {
    const home = scratchFolder();
    const entry = { agent: "claude", env: {}, payload: Buffer.from("{}") };
    mkdirSync(join(home, "inbox"), { mode: 0o700 });
    writeFileSync(join(home, "inbox", ".claude-0000007-0"), "being written");
    writeFileSync(join(home, "inbox", "claude-0000007-1"), "waits");
    leaveEntry({ home }, entry, 7);
    leaveEntry({ home }, entry, 7);
    expect(names(home)).toEqual({
      visible: ["claude-0000007-1", "claude-0000007-2", "claude-0000007-3"],
      hidden: [".claude-0000007-0"],
    });
    expect(readFileSync(join(home, "inbox", "claude-0000007-1"), "utf8")).toBe("waits");
  });

  test("the umask of this process stays what it was, also after a failure", () => {
    const before = process.umask(0o027);
    try {
      const entry = { agent: "claude", env: {}, payload: Buffer.from("{}") };
      expect(() => leaveEntry({ home: "/dev/null" }, entry)).toThrow();
      leaveEntry({ home: scratchFolder() }, entry);
      expect(process.umask()).toBe(0o027);
    } finally {
      process.umask(before);
    }
  });

  test("a folder that is gone is no reason to lose an event", () => {
    const home = scratchFolder();
    const gone = join(scratchFolder(), "gone");
    const prefix = ["sh", "-c", 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', gone];
    expectSilent(runNode(["claude", "Stop"], { input: "{}", prefix, env: { AGENT_SESSIONS_HOME: home } }));
    // Some shells complain of it before the script begins.
    expect(run({ prefix, args: ["claude", "Stop"], input: "{}", env: { AGENT_SESSIONS_HOME: home } }).status).toBe(0);
    expect(existsSync(gone)).toBe(false);
    expect(entries(home)).toHaveLength(2);
  });
});

test("script and command deliver into one inbox at once, and every entry is there", async () => {
  const home = scratchFolder();
  const script = join(__dirname, "..", "..", "assets", "bin", "record");
  const options = { env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: home }, stdio: "ignore" as const };
  const all = Array.from({ length: 16 }, (_, n) =>
    ended(
      n % 2 === 0
        ? spawn(process.execPath, [command, "claude", "Stop", `payload ${n}`], options)
        : spawn(script, ["claude", "Stop", `payload ${n}`], options),
    ),
  );
  await Promise.all(all);
  expect(
    entries(home)
      .map(({ entry }) => entry.payload)
      .sort(),
  ).toEqual(all.map((_, n) => `payload ${n}`).sort());
  for (const found of entries(home)) expect(payloadBytes(found).toString()).toBe(found.entry.payload);
  rmSync(home, { recursive: true });
});
