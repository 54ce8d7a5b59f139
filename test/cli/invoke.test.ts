import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invokeMark, invokeMonitoring, type Invoker } from "../../src/cli/invoke";
import type { MarkOutcome, MarkRequest } from "../../src/cli/verbs/read-marks";
import { SessionsError } from "../../src/session/failure";
import { scratchFolder } from "../scratch";
import { AgentFiles } from "../views/agent-files";
import { installCommand } from "./installed";

const NOW = 1_760_000_000;

let installed: string;

beforeAll(() => {
  installed = installCommand();
});

/** Agents' files with answers of several kinds. */
function answers(): AgentFiles {
  const files = new AgentFiles();
  files.status("4f2e", "done", { ts: NOW - 100, done_at: NOW - 100 });
  files.status("4f3a", "dormant", { ts: NOW - 200, done_at: NOW - 200.123456 });
  files.status("c0de", "done", { ts: NOW - 300, agent: "codex", done_at: NOW - 300 });
  files.status("busy", "working", { ts: NOW - 400, tool: "Bash" });
  return files;
}

function invokerFor({ places }: AgentFiles, more: Partial<Invoker> = {}): Invoker {
  const { home, statusDirectory, signalStateFile } = places;
  return { preferences: { home, statusDirectory, signalStateFile }, ...more };
}

interface Result {
  outcome: MarkOutcome | { message: string };
  sessions: unknown;
}

/** What requests come to, one after the other on files of their own, by one way of carrying them out. */
async function carriedOut(requests: readonly MarkRequest[], commandPath?: string): Promise<Result[]> {
  const files = answers();
  const results: Result[] = [];
  for (const request of requests) {
    const outcome = await invokeMark(request, invokerFor(files, { commandPath })).catch((error: unknown) => ({
      message: error instanceof SessionsError ? error.message : `not ours: ${String(error)}`,
    }));
    results.push({ outcome, sessions: files.marks().sessions });
  }
  return results;
}

async function failureOf(work: Promise<unknown>): Promise<SessionsError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SessionsError);
  if (!(failure instanceof SessionsError)) throw new TypeError("unreachable");
  return failure;
}

describe("in this process and through the installed command", () => {
  test.each<[string, MarkRequest[]]>([
    ["one read", [{ verb: "read", ids: ["claude:4f2e"] }]],
    ["the beginning of an id", [{ verb: "read", ids: ["c0"] }]],
    ["several, and one of them twice", [{ verb: "read", ids: ["4f2e", "codex:c0de", "claude:4f2e"] }]],
    [
      "read again",
      [
        { verb: "read", ids: ["4f2e"] },
        { verb: "read", ids: ["4f2e", "4f3a"] },
      ],
    ],
    ["one without an answer", [{ verb: "read", ids: ["busy"] }]],
    ["an answer as it is shown, to the microsecond", [{ verb: "read", ids: ["4f3a"], until: NOW - 200.123456 }]],
    ["an answer that came later than what was shown", [{ verb: "read", ids: ["4f2e"], until: NOW - 100.5 }]],
    ["all", [{ verb: "read-all" }]],
    ["all until a moment", [{ verb: "read-all", until: NOW - 150 }, { verb: "read-all" }]],
    ["unread again", [{ verb: "read-all" }, { verb: "unread", ids: ["4f2e"] }, { verb: "unread", ids: ["4f2e"] }]],
    [
      "read, unread and read",
      [
        { verb: "read", ids: ["4f2e"] },
        { verb: "unread", ids: ["4f2e"] },
        { verb: "read", ids: ["4f2e"] },
      ],
    ],
    ["an id that is not there", [{ verb: "read", ids: ["gone"] }]],
    ["an id that two have", [{ verb: "read", ids: ["4f"] }]],
    ["an empty id", [{ verb: "read", ids: [""] }]],
    ["unread without an answer", [{ verb: "unread", ids: ["busy"] }]],
  ])("%s: the same outcome and the same marks", async (_name, requests) => {
    const here = await carriedOut(requests);
    expect(await carriedOut(requests, installed)).toEqual(here);
  });

  test("the outcome is what was asked for, on disk as well", async () => {
    expect(
      await carriedOut([
        { verb: "read", ids: ["4f2e", "busy"] },
        { verb: "read-all" },
        { verb: "unread", ids: ["4f2e"] },
      ]),
    ).toEqual([
      {
        outcome: { verb: "read", changed: ["claude:4f2e"], unchanged: ["claude:busy"] },
        sessions: { "claude:4f2e": { read_until: NOW - 100 } },
      },
      {
        outcome: {
          verb: "read",
          changed: ["codex:c0de", "claude:4f3a"],
          unchanged: ["claude:busy", "claude:4f2e"],
        },
        sessions: {
          "claude:4f2e": { read_until: NOW - 100 },
          "claude:4f3a": { read_until: NOW - 200.123456 },
          "codex:c0de": { read_until: NOW - 300 },
        },
      },
      {
        outcome: { verb: "unread", changed: ["claude:4f2e"], unchanged: [] },
        sessions: expect.objectContaining({
          "claude:4f2e": { read_until: NOW - 100, kept_unread: NOW - 100 },
        }),
      },
    ]);
  });

  const canary = join(tmpdir(), `agent-sessions-canary-${process.pid}`);

  test.each([
    "--all",
    "--help",
    "-V",
    "--",
    "--until=2030-01-01T00:00:00Z",
    `$(touch ${canary})`,
    `\`touch ${canary}\``,
    `; touch ${canary} #`,
    "a b",
    "quote\"'",
    "*",
    "%PATH%",
    "line\nbreak",
    "é 漢 🦊",
  ])("the id %j is an id and nothing else", async (id) => {
    for (const commandPath of [undefined, installed]) {
      const files = answers();
      files.signal({ [id]: { signal: "done", agent: "gemini", updated_at: NOW } });
      const key = `gemini:${id}`;
      const read = await invokeMark({ verb: "read", ids: [id], until: NOW }, invokerFor(files, { commandPath }));
      expect(read).toEqual({ verb: "read", changed: [key], unchanged: [] });
      expect(files.marks().sessions).toEqual({ [key]: { read_until: NOW } });
      const unread = await invokeMark({ verb: "unread", ids: [id] }, invokerFor(files, { commandPath }));
      expect(unread).toEqual({ verb: "unread", changed: [key], unchanged: [] });
    }
    expect(existsSync(canary)).toBe(false);
  });

  test("monitoring is paused and goes on again", async () => {
    for (const commandPath of [undefined, installed]) {
      const files = answers();
      const flag = join(files.places.home, "paused.json");
      const states: boolean[] = [];
      for (const what of ["pause", "pause", "resume", "resume"] as const) {
        await invokeMonitoring(what, invokerFor(files, { commandPath }));
        states.push(existsSync(flag));
      }
      expect(states).toEqual([true, true, false, false]);
    }
    const missing = invokerFor(answers(), { commandPath: "/nowhere/agent-sessions" });
    expect(await failureOf(invokeMonitoring("pause", missing))).toMatchObject({ code: "command-missing" });
  });

  test("marks that cannot be written fail with the same words", async () => {
    const failures = await Promise.all(
      [undefined, installed].map(async (commandPath) => {
        const files = answers();
        files.closeHome();
        const work = invokeMark({ verb: "read", ids: ["4f2e"] }, invokerFor(files, { commandPath }));
        const outcome = await work.then(
          (done) => JSON.stringify(done),
          (error: unknown) => (error instanceof SessionsError ? error.message : `not ours: ${String(error)}`),
        );
        // Each run has its own draft of a lock; and errors of the system are foreign to the test runner's own world.
        return outcome
          .replaceAll(files.places.home, "HOME")
          .replace(/[\da-f-]{36}\.\d+/, "DRAFT")
          .replace(" Error:", "");
      }),
    );
    expect(failures[1]).toBe(failures[0]);
    expect(failures[0]).toMatch(/^HOME belongs to another user\. |^Cannot create the lock HOME/);
  });
});

describe("the installed command", () => {
  /** A command that is a shell script of these lines. */
  function script(...lines: string[]): string {
    const path = join(scratchFolder(), "agent-sessions");
    writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
    return path;
  }

  function failing(commandPath: string, more: Partial<Invoker> = {}): Promise<SessionsError> {
    return failureOf(invokeMark({ verb: "read", ids: ["4f2e"] }, invokerFor(answers(), { commandPath, ...more })));
  }

  const correct = "Correct Command Path in the extension's preferences, or leave it empty.";

  test("that is missing", async () => {
    const path = join(scratchFolder(), "gone");
    expect(await failing(path)).toMatchObject({
      code: "command-missing",
      message: `${path} does not exist. ${correct}`,
      next: correct,
    });
  });

  test("that lies under a file", async () => {
    const path = join(script(), "agent-sessions");
    expect(await failing(path)).toMatchObject({
      code: "command-missing",
      message: `${path} does not exist. ${correct}`,
    });
  });

  test("that is a folder", async () => {
    const path = scratchFolder();
    expect(await failing(path)).toMatchObject({
      code: "command-missing",
      message: `${path} is not a file. ${correct}`,
    });
  });

  test("that may not be run", async () => {
    const path = script("echo {}");
    chmodSync(path, 0o644);
    expect(await failing(path)).toMatchObject({
      code: "command-missing",
      message: `${path} cannot be run. ${correct}`,
    });
  });

  test("whose interpreter is missing, as a launcher without a shell's PATH has it", async () => {
    const path = join(scratchFolder(), "agent-sessions");
    writeFileSync(path, "#!/no/such/node\n", { mode: 0o755 });
    expect(await failing(path)).toMatchObject({
      code: "command-missing",
      message: `${path} cannot be run: its interpreter is missing. ${correct}`,
    });
    expect(await failing(installed, { environment: { PATH: "/nowhere" } })).toMatchObject({
      code: "command-missing",
      message: expect.stringMatching(/agent-sessions cannot be run: .*node.*Correct Command Path/),
    });
  });

  test.each([
    ["garbage", "echo 'hello there'"],
    ["nothing", "exit 0"],
    ["JSON of another kind", `echo '{"changed": "all"}'`],
    ["an older command's answer", `echo '{"verb":"read","changed":[]}'`],
  ])("that prints %s", async (_name, line) => {
    const path = script(line);
    expect(await failing(path)).toMatchObject({
      code: "command-failed",
      message: `${path} did not answer as agent-sessions does. Update it to the extension's version, or leave Command Path empty.`,
    });
  });

  test("that fails: its own words are said, without its name and without what could steer a terminal", async () => {
    expect(await failing(script("echo 'agent-sessions: It is \u001b[31mbroken.' >&2", "exit 1"))).toMatchObject({
      code: "command-failed",
      message: "It is �[31mbroken.",
    });
    expect(
      await failing(script("echo \"error: unknown option '--until'\" >&2", "echo 'See --help.' >&2", "exit 2")),
    ).toMatchObject({ code: "command-failed", message: "error: unknown option '--until'" });
    const silent = script("exit 9");
    expect((await failing(silent)).message).toMatch(/agent-sessions failed: .*Correct Command Path/s);
  });

  test("that finds no session", async () => {
    const work = invokeMark({ verb: "read", ids: ["gone"] }, invokerFor(answers(), { commandPath: installed }));
    expect(await failureOf(work)).toMatchObject({
      code: "not-found",
      message: 'No session matches "gone". Run agent-sessions list to see them.',
    });
  });

  test("that does not end", async () => {
    const path = script("exec sleep 60");
    expect(await failing(path, { patience: 100 })).toMatchObject({
      code: "command-failed",
      message: `${path} did not answer in time. Try again, or leave Command Path empty.`,
    });
  });

  test("an id that no command line can hold", async () => {
    const files = answers();
    files.signal({ "nul\u0000id": { signal: "done", agent: "gemini", updated_at: NOW } });
    const request: MarkRequest = { verb: "read", ids: ["gemini:nul\u0000id"] };
    expect((await invokeMark(request, invokerFor(files))).changed).toEqual(["gemini:nul\u0000id"]);
    const failure = await failureOf(invokeMark(request, invokerFor(files, { commandPath: installed })));
    expect(failure).toMatchObject({ code: "command-failed", message: expect.stringContaining("cannot be run: ") });
  });

  test("is found by ~, and finds the node beside it", async () => {
    const home = scratchFolder();
    mkdirSync(join(home, "bin"));
    symlinkSync(installed, join(home, "bin", "agent-sessions"));
    symlinkSync(process.execPath, join(home, "bin", "node"));
    for (const commandPath of ["~/bin/agent-sessions", "bin/agent-sessions", ` ${home}/bin/agent-sessions `]) {
      const invoker = invokerFor(answers(), { commandPath, environment: { HOME: home, PATH: "" } });
      expect((await invokeMark({ verb: "read", ids: ["4f2e"] }, invoker)).changed).toEqual(["claude:4f2e"]);
    }
  });

  test("a path of blanks is none", async () => {
    const invoker = invokerFor(answers(), { commandPath: "  " });
    expect((await invokeMark({ verb: "read", ids: ["4f2e"] }, invoker)).changed).toEqual(["claude:4f2e"]);
  });
});
