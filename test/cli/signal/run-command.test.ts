import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { scratchFolder } from "../../scratch";
import { built, builtAgentSignal, run, start } from "./built-command";

let script: string;
let folder: string;
let environment: Record<string, string>;

beforeAll(() => {
  script = builtAgentSignal();
});

beforeEach(() => {
  folder = scratchFolder();
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: join(folder, "state"), LANG: "C" };
});

function document(): {
  aggregate: string;
  sessions: Record<string, { agent: string; signal: string; last_event: string }>;
  events: { signal: string; event: string }[];
} {
  return JSON.parse(readFileSync(join(folder, "state", "status.json"), "utf8"));
}

const loggedEvents = () => document().events.map(({ signal, event }) => `${signal} ${event}`);

test("vector 37: a command that fails blocks its session with its code, and gives its code", () => {
  const { code } = run(script, ["run", "--session", "x", "--blocked-event", "Broken", "--", "sh", "-c", "exit 6"], {
    environment,
  });
  expect(code).toBe(6);
  expect(document().aggregate).toBe("blocked");
  expect(document().sessions.x).toMatchObject({ signal: "blocked", last_event: "Broken:6" });
});

test("a command that succeeds is working, then done; its input and output are its own", () => {
  const ended = run(script, ["run", "-s", "x", "cat", "-"], { environment, stdin: "through" });
  expect(ended).toEqual({ code: 0, out: "through", err: "" });
  expect(document().sessions).toMatchObject({ x: { agent: "script", signal: "done", last_event: "CommandFinished" } });
  expect(loggedEvents()).toEqual(["working CommandStarted", "done CommandFinished"]);
});

test("the session is named after command and process unless one is given", () => {
  run(script, ["run", "/bin/true"], { environment });
  expect(Object.keys(document().sessions)).toEqual([expect.stringMatching(/^script-true-\d+$/)]);
});

test("every option, its other names, and values in one word", () => {
  const argv = ["run", "--source=ci", "--start-event", "Go", "--done-event=Fine", "--failed-event", "Bad", "-s", "x"];
  run(script, [...argv, "--", "true"], { environment });
  expect(document().sessions.x).toMatchObject({ agent: "ci", last_event: "Fine" });
  run(script, [...argv, "--", "false"], { environment });
  expect(loggedEvents()).toEqual(["done Fine", "working Go", "blocked Bad:1"]);
});

test.each<[string[], string]>([
  [["--bogus", "true"], "Unknown option: --bogus"],
  [["--session"], "Missing value for --session."],
  [["--session", "--", "true"], "Missing value for --session."],
  [["--agent", "", "true"], "Missing value for --agent."],
  [["--agent=", "true"], "Missing value for --agent."],
])("run %j is wrong usage: 2", (argv, text) => {
  expect(run(script, ["run", ...argv], { environment })).toEqual({ code: 2, out: "", err: `agent-signal: ${text}\n` });
  expect(existsSync(join(folder, "state"))).toBe(false);
});

test.each([[[]], [["--"]]])("run %j without a command prints its usage on stderr: 2", (argv: string[]) => {
  const { code, out, err } = run(script, ["run", ...argv], { environment });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^Usage: agent-signal run \[options\] \[--\] <command> \[arguments\]\n/);
});

test("options after the command are the command's", () => {
  expect(run(script, ["run", "echo", "--session", "x"], { environment }).out).toBe("--session x\n");
  expect(run(script, ["run", "--", "echo", "--", "x"], { environment }).out).toBe("-- x\n");
});

test("a command that is not there: 127, blocked", () => {
  const { code, err } = run(script, ["run", "-s", "x", "no-such-command-anywhere"], { environment });
  expect([code, err]).toEqual([127, "agent-signal: no-such-command-anywhere: command not found\n"]);
  expect(document().sessions.x).toMatchObject({ signal: "blocked", last_event: "CommandFailed:127" });
  expect(run(script, ["run", "-s", "x", ""], { environment }).code).toBe(127);
});

test("a command that cannot be run: 126, blocked", () => {
  const plain = join(folder, "plain");
  writeFileSync(plain, "not for running");
  const { code, err } = run(script, ["run", "-s", "x", plain], { environment });
  expect(code).toBe(126);
  expect(err).toContain(plain);
  expect(document().sessions.x).toMatchObject({ signal: "blocked", last_event: "CommandFailed:126" });
  expect(run(script, ["run", join(plain, "below")], { environment }).code).toBe(126);
});

test("a script without a first line for it runs in a shell, as everywhere", () => {
  const plain = join(folder, "plain");
  writeFileSync(plain, "exit 5\n");
  chmodSync(plain, 0o755);
  expect(run(script, ["run", plain], { environment }).code).toBe(5);
});

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("a command that %s ended: 128 and its number", (signal) => {
  const { code } = run(script, ["run", "-s", "x", "sh", "-c", `kill -${signal.slice(3)} $$`], { environment });
  expect(code).toBe(128 + constants.signals[signal]);
  expect(document().sessions.x).toMatchObject({ last_event: `CommandFailed:${code}` });
});

test.each(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const)(
  "%s is passed on, and the command decides",
  async (signal) => {
    const name = signal.slice(3);
    // It ends by itself in time, should nothing reach it.
    const wrapped = `trap 'echo caught; exit 9' ${name}; echo ready; for i in $(seq 80); do sleep 0.05; done`;
    const child = start(script, ["run", "-s", "x", "--", "sh", "-c", wrapped], environment, "pipe");
    let out = "";
    child.stdout?.setEncoding("utf8");
    await new Promise<void>((resolve) => {
      child.stdout?.on("data", (text: string) => {
        out += text;
        if (out.includes("ready")) resolve();
      });
    });
    child.kill(signal);
    const [code] = await once(child, "close");
    expect([code, out]).toEqual([9, "ready\ncaught\n"]);
    expect(document().sessions.x).toMatchObject({ signal: "blocked", last_event: "CommandFailed:9" });
  },
);

test("a signal that cannot be written is named, and changes nothing for the command", () => {
  mkdirSync(join(folder, "state", "status.json"), { recursive: true });
  const { code, out, err } = run(script, ["run", "echo", "hello"], { environment });
  expect([code, out]).toEqual([0, "hello\n"]);
  expect(err.match(/^agent-signal: .*is a folder, not a file/gm)).toHaveLength(2);
});

test("at a terminal, which sends Ctrl-C to the command as well, it is not passed on a second time", async () => {
  const wrapper = built("wrapper", {
    text: `
      import { runChild } from "./cli/signal/child";
      const command = "trap 'echo caught' INT; echo ready; sleep 0.3; exit 4";
      void runChild("sh", ["-c", command], { environment: process.env, isTerminal: true }).then(({ code }) => {
        process.exitCode = code;
      });`,
  });
  const child = start(wrapper, [], environment, "pipe");
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    if (text.includes("ready")) child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  expect([code, out]).toEqual([4, "ready\n"]);
});
