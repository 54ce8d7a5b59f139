import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { scratchFolder } from "../scratch";
import { extent, part } from "../thoroughness";
import {
  canDropUser,
  ended,
  entries,
  hasStrace,
  install,
  names,
  run,
  SCRIPT,
  SHELLS,
  SILENT,
  start,
  testWhere,
} from "./recorder";

// It starts hundreds of processes.
jest.setTimeout(60_000);

const ID = "0193f0c2-7f4e-7c1a-9d2b-1f2e3d4c5b6a";

/** What has an agent go on. */
const ANSWER = '{"decision":"block","reason":"Go on"}\n';

const payloadOf = (session: string, more: object = {}) =>
  JSON.stringify({ session_id: session, hook_event_name: "Stop", ...more });

let command = "";

beforeAll(() => {
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

/** What records: the script under a shell, or its twin in Node. */
interface Recorder {
  name: string;
  argv(): string[];
}

const EVERY: readonly Recorder[] = [
  ...SHELLS.map(({ name, argv }) => ({ name, argv: () => [...argv, SCRIPT] })),
  { name: "Node", argv: () => [process.execPath, command] },
];

/** Those that are nobody's variant: what one of these does, so does a shell that is like it. */
const RECORDERS = EVERY.filter(({ name }) => ["dash", "busybox sh", "bash", "mksh", "Node"].includes(name));

interface Told {
  agent?: string;
  event?: string | undefined;
  payload?: string;
  /** A command in front of the recorder. */
  prefix?: readonly string[];
  given?: boolean;
}

/** Runs a recorder and gives what it printed, in bytes. */
function printedBy(
  recorder: Recorder,
  home: string,
  { agent = "claude", event = "Stop", payload = payloadOf(ID), prefix = [], given = false }: Told = {},
): Buffer {
  const line = [...prefix, ...recorder.argv(), agent, ...(event === "" ? [] : [event]), ...(given ? [payload] : [])];
  const [program = "", ...rest] = line;
  const { status, signal, stdout, stderr, error } = spawnSync(program, rest, {
    input: given ? "" : payload,
    env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: home },
    cwd: "/",
    timeout: 20_000,
  });
  if (error !== undefined) throw error;
  expect([status, signal, stderr.toString()]).toEqual([0, null, ""]);
  return stdout;
}

/** Starts a recorder for a Stop, and gives what it has printed once it ends. */
async function printedSoonBy(argv: readonly string[], home: string): Promise<string> {
  const [program = "", ...rest] = [...argv, "claude", "Stop", payloadOf(ID)];
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await new Promise((done) => child.once("close", done));
  return printed;
}

const soon = () => Math.floor(Date.now() / 1000) + 300;

/** The folder of an agent's answers. */
function answersOf(home: string, agent = "claude"): string {
  const folder = join(home, "control", "stop", agent);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Has an answer wait, and gives its path. */
function place(
  home: string,
  { agent = "claude", id = ID, ends = String(soon()), text = ANSWER as string | Buffer } = {},
) {
  const path = join(answersOf(home, agent), id);
  writeFileSync(path, Buffer.concat([Buffer.from(`${ends}\n`), Buffer.from(text)]), { mode: 0o600 });
  return path;
}

test.each(EVERY.map((recorder) => [recorder.name, recorder] as const))("prints an answer: %s", (_name, recorder) => {
  const home = scratchFolder();
  const text = Buffer.from("\n'\"\\n%s\0\xff\r\nlast", "latin1");
  place(home, { text });
  expect(printedBy(recorder, home).equals(text)).toBe(true);
  expect(printedBy(recorder, home).length).toBe(0);
  place(home, { ends: "1" });
  expect(printedBy(recorder, home).length).toBe(0);
  expect(readdirSync(answersOf(home))).toEqual([]);
});

describe.each(RECORDERS.map((recorder, index) => [recorder.name, recorder, index] as const))(
  "%s",
  (_, recorder, index) => {
    // The first one is tried with every case, and each of the others with another part of them.
    const cases = <T>(all: readonly T[]) => (index === 0 ? all : part(all, Math.min(4, all.length), index));

    test.each(
      cases([
        ["claude", "Stop", payloadOf(ID)],
        ["codex", "Stop", payloadOf(ID, { stop_hook_active: false })],
        ["qwen", "Stop", payloadOf(ID)],
        ["gemini", "AfterAgent", payloadOf(ID)],
        ["copilot", "agentStop", JSON.stringify({ timestamp: 1, cwd: "/x", sessionId: ID })],
        ["cursor", "stop", JSON.stringify({ conversation_id: ID, status: "completed", session_id: ID })],
        ["droid", "Stop", `{\n  "session_id" : "${ID}"\n}\n`],
      ]),
    )("prints the answer once, after the entry is there: %s %s", (agent, event, payload) => {
      const home = scratchFolder();
      place(home, { agent });
      expect(printedBy(recorder, home, { agent, event, payload }).toString()).toBe(ANSWER);
      expect(entries(home).map(({ entry }) => entry.payload)).toEqual([payload]);
      expect(readdirSync(answersOf(home, agent))).toEqual([]);
      expect(printedBy(recorder, home, { agent, event, payload }).toString()).toBe("");
      expect(names(home).hidden).toEqual([]);
    });

    test("byte for byte: quotes, line breaks, NUL, no end of line, and 16 KiB", () => {
      const home = scratchFolder();
      const odd = Buffer.from("\n\"'`$(id)\\n%s\0\xff\r\n\n -n \\c é", "latin1");
      const large = Buffer.alloc(16 * 1024, '{"reason":"0123456789"}\n');
      for (const text of [odd, large, Buffer.from("x"), Buffer.alloc(0)]) {
        place(home, { text });
        expect(printedBy(recorder, home).equals(text)).toBe(true);
      }
      expect(readdirSync(answersOf(home))).toEqual([]);
    });

    test("a payload given as an argument has its answer too", () => {
      const home = scratchFolder();
      place(home);
      expect(printedBy(recorder, home, { given: true }).toString()).toBe(ANSWER);
    });

    test.each(
      cases([
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "Notification",
        "SubagentStop",
        "subagentStop",
        "StopFailure",
        "SessionEnd",
        "STOP",
        "Stop ",
        "notify",
        "",
      ]),
    )("no other event prints, nor takes: %j", (event) => {
      const home = scratchFolder();
      const path = place(home);
      expect(printedBy(recorder, home, { event }).toString()).toBe("");
      expect(existsSync(path)).toBe(true);
      expect(entries(home)).toHaveLength(1);
    });

    test.each<[string, string]>(
      cases([
        ["another session's", payloadOf("other")],
        ["no id", '{"hook_event_name":"Stop"}'],
        ["an id of another kind", `{"session_id":7,"x":"${ID}"}`],
        ["no payload", ""],
        ["two ids that differ", `{"session_id":"${ID}","sessionId":"other"}`],
        ["two ids that differ, ours the last", `{"session_id":"other","x":{"session_id":"${ID}"}}`],
        ["two ids that differ, the second empty", `{"session_id":"${ID}","sessionId":""}`],
        ["two ids that differ, the first empty", `{"session_id":"","sessionId":"${ID}"}`],
        ["an id within a text", JSON.stringify({ message: `"session_id":"${ID}"` })],
        ["a key as a value", `{"x":"session_id","y":"${ID}"}`],
        ["an id that is cut", `{"session_id":"${ID}`],
        ["a key of another name", `{"parent_conversation_id":"${ID}","session_id_x":"${ID}"}`],
        ["blanks around", payloadOf(` ${ID} `)],
      ]),
    )("whose Stop it is cannot be told, so nobody is answered: %s", (_name, payload) => {
      const home = scratchFolder();
      const path = place(home);
      expect(printedBy(recorder, home, { payload }).toString()).toBe("");
      expect(existsSync(path)).toBe(true);
      expect(entries(home)).toHaveLength(1);
    });

    test.each(
      cases([
        "../x",
        "..",
        ".",
        ".hidden",
        "a b",
        "%2E",
        "a/b",
        "*",
        // It runs in the root folder, where such a thing is.
        "et?",
        "[a-z]",
        "é",
        "a\\b",
        'a"b',
        "x".repeat(181),
      ]),
    )("an id that a file cannot be named after gets no answer: %j", (id) => {
      const home = scratchFolder();
      // All that such an id could lead to.
      for (const name of ["x", "etc", "a b", "a", ".hidden", "%2E", "é", "a\\b", "x".repeat(181)])
        place(home, { id: name });
      writeFileSync(join(home, "control", "stop", "x"), `${soon()}\n${ANSWER}`, { mode: 0o600 });
      const before = readdirSync(answersOf(home));
      expect(printedBy(recorder, home, { payload: payloadOf(id) }).toString()).toBe("");
      expect(readdirSync(answersOf(home))).toEqual(before);
    });

    test("the longest id that can be a name has its answer", () => {
      const home = scratchFolder();
      const id = "x".repeat(180);
      place(home, { id });
      expect(printedBy(recorder, home, { payload: payloadOf(id) }).toString()).toBe(ANSWER);
    });

    test.each(cases(["../claude", "claude/", "", ".", "-x", "Claude", "a b"]))(
      "an agent that is no folder's name: %j",
      (agent) => {
        const home = scratchFolder();
        const path = place(home);
        if (agent === "Claude" || agent === "-x" || agent === "a b") place(home, { agent });
        expect(printedBy(recorder, home, { agent }).toString()).toBe("");
        expect(existsSync(path)).toBe(true);
      },
    );

    test.each<[string, string]>(
      cases([
        ["a minute ago", String(soon() - 360)],
        ["long ago", "1"],
        ["no time", ""],
        ["a word", "soon"],
        ["a fraction", `${soon()}.5`],
        ["a sign", `+${soon()}`],
        ["blanks", ` ${soon()}`],
        ["too long", "9999999999999"],
        ["a sum", "$((1+1))"],
        ["a line end of two", `${soon()}\r`],
      ]),
    )("its end is over, or none: removed, not printed: %s", (_name, ends) => {
      const home = scratchFolder();
      place(home, { ends });
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(readdirSync(answersOf(home))).toEqual([]);
      expect(entries(home)).toHaveLength(1);
    });

    test("only an end, without its line's end", () => {
      const home = scratchFolder();
      writeFileSync(join(answersOf(home), ID), String(soon()), { mode: 0o600 });
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(readdirSync(answersOf(home))).toEqual([]);
    });

    test("more than 64 KiB is no answer; just as much is", () => {
      const home = scratchFolder();
      const room = 64 * 1024 - String(soon()).length - 1;
      place(home, { text: "x".repeat(room + 1) });
      expect(printedBy(recorder, home).length).toBe(0);
      place(home, { text: "x".repeat(room) });
      expect(printedBy(recorder, home).length).toBe(room);
    });

    test.each(cases([0o644, 0o640, 0o606, 0o700, 0o400, 0o4600]))("a file with other rights: 0%o", (mode) => {
      const home = scratchFolder();
      chmodSync(place(home), mode);
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(readdirSync(answersOf(home))).toEqual([]);
    });

    test.each<[string, number]>(
      cases([
        ["", 0o755],
        ["stop", 0o750],
        ["stop", 0o1777],
        ["stop/claude", 0o770],
        ["stop/claude", 0o755],
        ["stop/claude", 0o500],
      ]),
    )("a folder with other rights: control/%s, 0%o", (name, mode) => {
      const home = scratchFolder();
      const path = place(home);
      chmodSync(join(home, "control", name), mode);
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(existsSync(path)).toBe(true);
    });

    test("a link for an answer is not followed", () => {
      const home = scratchFolder();
      const elsewhere = join(home, "elsewhere");
      writeFileSync(elsewhere, `${soon()}\n${ANSWER}`, { mode: 0o600 });
      symlinkSync(elsewhere, join(answersOf(home), ID));
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(readFileSync(elsewhere, "utf8")).toContain(ANSWER);
    });

    test.each(cases(["control", "control/stop", "control/stop/claude"]))(
      "a link for a folder is not followed: %s",
      (name) => {
        const home = scratchFolder();
        place(home);
        renameSync(join(home, name), join(home, "elsewhere"));
        symlinkSync(join(home, "elsewhere"), join(home, name));
        expect(printedBy(recorder, home).toString()).toBe("");
        expect(existsSync(join(answersOf(home), ID))).toBe(true);
      },
    );

    test("what is no file is left alone, and nobody waits at it", () => {
      const home = scratchFolder();
      mkdirSync(join(answersOf(home), ID));
      expect(printedBy(recorder, home).toString()).toBe("");
      const fifo = join(answersOf(home, "codex"), ID);
      expect(spawnSync("mkfifo", ["-m", "600", fifo]).status).toBe(0);
      expect(printedBy(recorder, home, { agent: "codex" }).toString()).toBe("");
      expect([existsSync(join(answersOf(home), ID)), existsSync(fifo)]).toEqual([true, true]);
    });

    describe("another user's", () => {
      const prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
      const own = (...paths: string[]) => {
        for (const path of paths) chownSync(path, 65534, 65534);
      };

      testWhere(canDropUser, "setpriv and root")("folder, file, or both: nothing is printed", () => {
        for (const foreign of ["control", "stop", "claude", ID, "none"]) {
          const home = scratchFolder();
          const path = place(home);
          const parts = [join(home, "control"), join(home, "control", "stop"), answersOf(home), path];
          own(home, ...parts.filter((part) => !part.endsWith(`/${foreign}`)));
          const expected = foreign === "none" ? ANSWER : "";
          expect([foreign, printedBy(recorder, home, { prefix }).toString()]).toEqual([foreign, expected]);
          expect(entries(home)).toHaveLength(1);
        }
      });

      testWhere(canDropUser, "setpriv and root")("root, who may go anywhere, takes nobody else's", () => {
        for (const foreign of ["control", "stop", "claude", ID]) {
          const home = scratchFolder();
          const path = place(home);
          const parts = [join(home, "control"), join(home, "control", "stop"), answersOf(home), path];
          own(...parts.filter((part) => part.endsWith(`/${foreign}`)));
          expect([foreign, printedBy(recorder, home).toString()]).toEqual([foreign, ""]);
        }
      });
    });

    test("an inbox that overflows has its answers, after the entry is there", () => {
      for (const level of [1, 2, 3, 4]) {
        const home = scratchFolder();
        mkdirSync(join(home, "inbox"), { mode: 0o700 });
        writeFileSync(join(home, "inbox", ".full"), `${level}\n`);
        place(home);
        expect(printedBy(recorder, home).toString()).toBe(ANSWER);
        expect(entries(home)).toHaveLength(1);
        expect(names(home).hidden).toEqual([".full"]);
      }
    });

    test("a large payload, and an id at its end, hold nobody up", () => {
      const home = scratchFolder();
      place(home);
      const text = '"\\a'.repeat(120_000);
      const before = Date.now();
      expect(printedBy(recorder, home, { payload: JSON.stringify({ text, session_id: ID }) }).toString()).toBe("");
      place(home);
      expect(printedBy(recorder, home, { payload: JSON.stringify({ session_id: ID, text }) }).toString()).toBe(ANSWER);
      expect(Date.now() - before).toBeLessThan(20_000);
    });

    test("a hidden name that another one has is not taken: it may be of another container, with the same process id", () => {
      const home = scratchFolder();
      const path = place(home);
      // The process of the shell becomes the recorder's.
      const around =
        'p=0000000$$; for n in "${p#"${p%???????}"}-0" "node-$$"; do echo its >"$0/.claude-$n"; done; exec "$@"';
      expect(printedBy(recorder, home, { prefix: ["sh", "-c", around, answersOf(home)] }).toString()).toBe("");
      expect(existsSync(path)).toBe(true);
      const hidden = readdirSync(answersOf(home)).filter((name) => name.startsWith("."));
      expect(hidden.map((name) => readFileSync(join(answersOf(home), name), "utf8"))).toEqual(["its\n", "its\n"]);
    });

    test("nobody is told who cannot be left an entry", () => {
      const home = scratchFolder();
      const path = place(home);
      writeFileSync(join(home, "inbox"), "");
      expect(printedBy(recorder, home).toString()).toBe("");
      expect(existsSync(path)).toBe(true);
    });

    test.each(cases(['"$@" >&-', '"$@" >&- 2>&- <&-', '"$@" >/dev/full', '"$@" | :']))(
      "the output cannot be written to: %s",
      (around) => {
        const home = scratchFolder();
        place(home);
        expect(printedBy(recorder, home, { prefix: ["sh", "-c", around, "sh"], given: true }).toString()).toBe("");
        expect(entries(home)).toHaveLength(1);
      },
    );

    test("of twenty at once one prints", async () => {
      for (let round = 0; round < 2; round++) {
        const home = scratchFolder();
        install(home);
        place(home);
        const runs = Array.from({ length: 20 }, () => printedSoonBy(recorder.argv(), home));
        const printed = await Promise.all(runs);
        expect(printed.filter((text) => text !== "")).toEqual([ANSWER]);
        expect(entries(home)).toHaveLength(20);
        expect(readdirSync(answersOf(home))).toEqual([]);
      }
    });
  },
);

test("script and twin share the answers: of twenty at once one prints", async () => {
  const home = scratchFolder();
  install(home);
  place(home);
  const runs = Array.from({ length: 20 }, (_each, n) =>
    printedSoonBy(n % 2 === 0 ? [SCRIPT] : [process.execPath, command], home),
  );
  expect((await Promise.all(runs)).filter((text) => text !== "")).toEqual([ANSWER]);
});

test("an answer that was made for the next Stop is printed there, also when the last one made it go on", () => {
  const home = scratchFolder();
  const payload = payloadOf(ID, { stop_hook_active: true });
  const [recorder] = RECORDERS;
  if (recorder === undefined) throw new Error("There is no shell");
  place(home);
  expect(printedBy(recorder, home).toString()).toBe(ANSWER);
  // The same request has nothing left.
  expect(printedBy(recorder, home, { payload }).toString()).toBe("");
  place(home, { text: "next" });
  expect(printedBy(recorder, home, { payload }).toString()).toBe("next");
});

test("an installed copy finds the answers beside itself", () => {
  const home = join(scratchFolder(), "my home");
  const script = install(home);
  place(home);
  expect(run({ script: "./record", cwd: join(home, "bin"), args: ["claude", "Stop"], input: payloadOf(ID) })).toEqual({
    ...SILENT,
    printed: ANSWER,
  });
  place(home);
  expect(run({ script, cwd: "/", args: ["claude", "Stop"], input: payloadOf(ID) }).printed).toBe(ANSWER);
});

testWhere(hasStrace, "strace")(
  "killed at any of its system calls, the answer is printed at most once, and another run never repeats it",
  () => {
    const log = join(scratchFolder(), "calls");
    const first = scratchFolder();
    const told = { args: ["claude", "Stop"], input: payloadOf(ID) };
    const trace = { ...told, prefix: ["strace", "-qq", "-o", log], script: install(first) };
    place(first);
    expect(run(trace).printed).toBe(ANSWER);
    const counts = new Map<string, number>();
    const calls = Array.from(readFileSync(log, "utf8").matchAll(/^(\w+)\(/gm), ([, call = ""]) => {
      const count = (counts.get(call) ?? 0) + 1;
      counts.set(call, count);
      return { call, count };
    });
    const tried = part(calls, 8, 3);
    let kills = 0;
    let lost = 0;
    for (const { call, count } of tried) {
      const home = scratchFolder();
      const script = install(home);
      place(home);
      const prefix = ["strace", "-qq", "-o", "/dev/null", "-e", `inject=${call}:signal=SIGKILL:when=${count}`];
      const { signal, status, printed } = run({ ...told, prefix, script, isKilled: true });
      const again = run({ ...told, script });
      expect([signal, status, again.status]).toEqual([signal, status, 0]);
      expect(["", ANSWER]).toContain(printed + again.printed);
      kills += signal === null && status === 0 ? 0 : 1;
      lost += printed + again.printed === "" ? 1 : 0;
      // Nothing is left that a session's id could lead to.
      expect(readdirSync(answersOf(home)).filter((name) => !name.startsWith("."))).toEqual([]);
    }
    expect(calls.length).toBeGreaterThan(100);
    expect(kills).toBeGreaterThan(extent(tried.length * 0.8, 100));
    expect(lost).toBeGreaterThan(0);
  },
);

test("a recorder that is killed while it waits for its payload has taken nothing", async () => {
  const home = scratchFolder();
  const script = install(home);
  const path = place(home);
  const child = start({ script, args: ["claude", "Stop"] });
  const end = ended(child);
  child.stdin?.on("error", () => undefined);
  child.stdin?.write(payloadOf(ID));
  while (names(home).hidden.length === 0) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await end;
  child.stdin?.destroy();
  expect(existsSync(path)).toBe(true);
});
