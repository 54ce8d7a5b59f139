import { existsSync, mkdirSync, statSync } from "node:fs";
import { SIGNALS } from "../../../src/session/signal";
import { SignalCommand, T } from "./command";

let signal: SignalCommand;

beforeEach(() => {
  signal = new SignalCommand();
});

const ISO = "2026-05-28T20:26:40Z";

test("the moment to count from is the one that the tests write out", () => {
  expect(new Date(T * 1000).toISOString()).toBe("2026-05-28T20:26:40.000Z");
});

describe("command lines that are wrong", () => {
  test.each<[string[], string]>([
    [["bogus"], "Unknown command: bogus"],
    [[""], "Unknown command: "],
    [["--json"], "Unknown command: --json"],
    [["--"], "Unknown command: --"],
    [["resume"], "Unknown command: resume"],
    [["Status"], "Unknown command: Status"],
    [["status", "--bogus"], "Unknown option: --bogus"],
    [["status", "-x"], "Unknown option: -x"],
    [["status", "-"], "Unknown option: -"],
    [["status", "--json=yes"], "Unknown option: --json=yes"],
    [["status", "-s=x"], "Unknown option: -s=x"],
    [["working", "--bogus=1"], "Unknown option: --bogus=1"],
    [["working", "--session"], "Missing value for --session."],
    [["working", "-s"], "Missing value for -s."],
    [["working", "--agent", "--json"], "Missing value for --agent."],
    [["working", "--source", "-j"], "Missing value for --source."],
    [["working", "--event", "-x"], "Missing value for --event."],
    [["working", "--label"], "Missing value for --label."],
    [["status", "x"], "Unexpected argument: x"],
    [["status", "x", "y"], "Unexpected argument: x"],
    [["reset", "x"], "Unexpected argument: x"],
    [["clear-all", "x"], "Unexpected argument: x"],
    [["working", "x"], "Unexpected argument: x"],
    [["set", "working", "x", "y"], "Unexpected argument: x"],
    [["play", "working", "x"], "Unexpected argument: x"],
    [["session", "working", "x"], "Unexpected argument: x"],
    [["codex-hook", "Stop", "x"], "Unexpected argument: x"],
    [["claude-hook", "Stop", "x"], "Unexpected argument: x"],
    [["agent-hook", "Stop", "x"], "Unexpected argument: x"],
    [["set"], "Missing or unknown signal."],
    [["set", "bogus"], "Missing or unknown signal."],
    [["set", "bogus", "x"], "Missing or unknown signal."],
    [["play", ""], "Missing or unknown signal."],
    [["session"], "Missing or unknown session signal."],
    [["session", "bogus"], "Missing or unknown session signal."],
    [["set", "--bogus"], "Unknown option: --bogus"],
  ])("%j: %s", async (argv, text) => {
    expect(await signal.run(argv)).toEqual({ code: 1, out: "", err: `agent-signal: ${text}\n` });
    expect(existsSync(signal.folder)).toBe(false);
  });

  test("a message begins with the name the command was called by", async () => {
    const { err } = await signal.run(["bogus"], "", { program: "agent-signal-light" });
    expect(err).toBe("agent-signal-light: Unknown command: bogus\n");
  });

  test("what was given cannot steer the terminal", async () => {
    const { err } = await signal.run(["\u001b[31mbogus"]);
    expect(err).toBe("agent-signal: Unknown command: \ufffd[31mbogus\n");
  });
});

describe("hooks and their standard input", () => {
  test("vector 2: half a JSON and an array are errors, nothing at all is none", async () => {
    const half = await signal.run(["agent-hook"], '{"event":"PreToolUse"');
    expect(half).toMatchObject({ code: 1, out: "" });
    expect(half.err).toMatch(/^agent-signal: Hook JSON payload cannot be read: .+\n$/);
    expect(await signal.run(["codex-hook"], '["x"]')).toEqual({
      code: 1,
      out: "",
      err: "agent-signal: Hook JSON payload must be an object.\n",
    });
    expect(existsSync(signal.stateFile)).toBe(false);
    expect(await signal.run(["claude-hook"], "")).toEqual({ code: 0, out: "", err: "" });
    expect((await signal.status()).sessions).toMatchObject([{ session_id: "claude-global", signal: "done" }]);
  });

  test.each(["null", "7", '"x"', "true"])("%s is no object", async (json) => {
    const { code, err } = await signal.run(["hook"], json);
    expect([code, err]).toEqual([1, "agent-signal: Hook JSON payload must be an object.\n"]);
  });

  test("a byte order mark is no part of the JSON", async () => {
    await signal.ok(["agent-hook"], '\ufeff{"event":"Started","session_id":"x"}');
    expect((await signal.status()).aggregate).toBe("working");
  });

  test.each([
    ["codex-hook", "codex-cli:x"],
    ["claude-hook", "x"],
    ["agent-hook", "x"],
    ["generic-hook", "x"],
    ["hook", "x"],
  ])("%s prints nothing, with --json neither", async (command, id) => {
    expect(await signal.ok([command, "PreToolUse", "--json"], '{"session_id":"x"}')).toBe("");
    expect(signal.document().sessions[id]).toMatchObject({
      signal: "working",
      last_event: expect.stringMatching(/^PreToolUse/),
    });
  });

  test("the options outrank the payload", async () => {
    await signal.ok(
      ["codex-hook", "--session", "mine", "--agent", "me", "--event", "Mine"],
      '{"hook_event_name":"PreToolUse","session_id":"x"}',
    );
    expect(signal.document().sessions).toEqual({
      mine: { agent: "me", last_event: "Mine", signal: "working", updated_at: ISO },
    });
  });

  test("a hook at a terminal says what it waits for", async () => {
    const { err } = await signal.run(["claude-hook"], "{}", { isTerminal: true });
    expect(err).toBe("agent-signal: reading the event's JSON from the terminal; Ctrl-D ends it.\n");
  });

  test("standard input is not read before the command line is right", async () => {
    const readStdin = jest.fn(() => "");
    await signal.run(["claude-hook", "a", "b"], "", { readStdin });
    await signal.run(["claude-hook", "--help"], "", { readStdin });
    expect(readStdin).not.toHaveBeenCalled();
  });

  test("vector 34: a script's event through the command", async () => {
    await signal.ok(["agent-hook"], '{"event":"AgentStarted","agent":"local-script","session_id":"x"}');
    const { aggregate, sessions } = await signal.status();
    expect(aggregate).toBe("working");
    expect(sessions).toEqual([
      { session_id: "x", agent: "local-script", signal: "working", last_event: "AgentStarted", updated_at: ISO },
    ]);
  });

  test("vector 35: a script that asks for approval, through the command", async () => {
    await signal.ok(["agent-hook"], '{"event":"ApprovalRequired","source":"local-agent","task_id":"approve-1"}');
    const { aggregate, sessions } = await signal.status();
    expect(aggregate).toBe("permission");
    expect(sessions[0]?.signal).toBe("permission_request");
  });
});

describe("setting signals", () => {
  test.each(SIGNALS)("%s as the command sets it by hand", async (name) => {
    const out = await signal.ok([name, "--json", "--agent", "ignored", "--event", "ignored"]);
    const status = JSON.parse(out);
    expect(status.recent_events[0]).toMatchObject({ session_id: "manual", agent: "manual", event: "ManualSet" });
    expect(await signal.ok(["status", "--json"])).toBe(out);
  });

  test.each(["set", "play"])("%s takes the signal as its argument", async (command) => {
    expect(await signal.ok([command, "Tool-Done"])).toMatch(/^aggregate: tool_done \(Step Finished\)\n/);
    await signal.ok([command, "attention", "-s", "x", "--source", "a", "--label", "l"]);
    expect(signal.document().sessions.x).toEqual({ agent: "a", last_event: "l", signal: "attention", updated_at: ISO });
  });

  test("a signal's alias is a command as well", async () => {
    expect(JSON.parse(await signal.ok(["PermissionRequest", "--json"])).aggregate).toBe("permission");
  });

  test("session is of the session global unless one is named", async () => {
    await signal.ok(["session", "working"]);
    await signal.ok(["session", "done", "--session", "x"]);
    expect(Object.keys(signal.document().sessions)).toEqual(["global", "x"]);
  });

  test("a session's id is taken verbatim", async () => {
    for (const id of [" x ", "", "__proto__", "codex-cli:x"]) await signal.ok(["working", "--session", id]);
    expect((await signal.status()).sessions.map(({ session_id }) => session_id).sort()).toEqual(
      ["", " x ", "__proto__", "codex-cli:x"].sort(),
    );
  });

  test.each(["reset", "clear-all"])("%s is idle by hand, and takes no notice of a session", async (command) => {
    await signal.ok(["working", "--session", "x"]);
    const status = JSON.parse(await signal.ok([command, "--session", "x", "--json"]));
    expect(status).toMatchObject({ aggregate: "idle", sessions: [], recent_events: [{ event: "ManualSet" }, {}] });
  });

  test("vector 36: attention, then done within the same second", async () => {
    await signal.ok(["attention", "--session", "x"]);
    signal.now += 0.4;
    expect(JSON.parse(await signal.ok(["done", "--session", "x", "--json"])).aggregate).toBe("done");
  });

  test("the last of an option counts", async () => {
    await signal.ok(["working", "--session", "a", "-s", "b"]);
    expect(Object.keys(signal.document().sessions)).toEqual(["b"]);
  });

  test("ids of events are in upper case", async () => {
    await signal.ok(["working"]);
    expect(signal.document().events[0]?.id).toBe("0000ABCD-1");
  });
});

describe("beyond the original", () => {
  test("an option with its value in one word may be empty or begin with a hyphen", async () => {
    await signal.ok(["working", "--session=-x", "--agent=", "--event=a=b"]);
    expect(signal.document().sessions).toEqual({
      "-x": { agent: "", last_event: "a=b", signal: "working", updated_at: ISO },
    });
  });

  test("after -- nothing is an option", async () => {
    expect((await signal.run(["set", "--", "--json"])).err).toBe("agent-signal: Missing or unknown signal.\n");
    expect((await signal.run(["status", "--", "--json"])).err).toBe("agent-signal: Unexpected argument: --json\n");
    await signal.ok(["set", "--", "working"]);
    expect((await signal.status()).aggregate).toBe("working");
  });

  test("--version", async () => {
    expect(await signal.ok(["--version"])).toBe("agent-signal 1.2.3\n");
  });

  test.each([
    ["list", "list"],
    ["status", "status [--json]"],
    ["set", "set <signal>"],
    ["play", "set <signal>"],
    ["session", "session <signal>"],
    ["reset", "reset [--json]"],
    ["clear-all", "reset [--json]"],
    ["working", "<signal>"],
    ["codex-hook", "claude-hook [event]"],
    ["claude-hook", "claude-hook [event]"],
    ["agent-hook", "claude-hook [event]"],
    ["run", "run [options]"],
  ])("%s --help prints its own usage and does nothing", async (command, form) => {
    const help = await signal.ok([command, "--help"]);
    expect(help.startsWith(`Usage: agent-signal ${form}`)).toBe(true);
    expect(await signal.ok([command, "-h"])).toBe(help);
    expect(existsSync(signal.folder)).toBe(false);
  });
});

describe("help and list", () => {
  test.each([[[]], [["help"]], [["--help"]], [["-h"]], [["help", "x", "--bogus"]], [["-h", "x"]]])(
    "%j prints the usage, whatever follows",
    async (argv) => {
      const out = await signal.ok(argv);
      expect(out).toMatch(/^Usage: agent-signal <command> \[options\]\n/);
      for (const name of SIGNALS) expect(out).toContain(name);
      expect(out.split("\n").every((line) => line.length <= 100)).toBe(true);
    },
  );

  test("list prints the 23 signals in order, in the locale's language, whatever follows", async () => {
    const english = (await signal.ok(["list", "x", "--bogus"])).split("\n");
    expect(english.slice(0, 23).map((line) => line.split("\t")[0])).toEqual(SIGNALS);
    expect(english.slice(23)).toEqual([""]);
    expect(english[9]).toBe("permission\tpermission\tAsks Permission\tAct now");
    signal.environment.LANG = "zh_CN.UTF-8";
    expect((await signal.ok(["list"])).split("\n")[9]).toBe("permission\tpermission\t请求授权\t马上处理");
  });
});

describe("files", () => {
  test("status makes no file and no folder", async () => {
    expect(await signal.ok(["status"])).toBe(
      `aggregate: idle (Idle)\naction: Nothing to do\nstate_file: ${signal.stateFile}\nsessions: none\n`,
    );
    expect(existsSync(signal.folder)).toBe(false);
  });

  test("the file is for its user alone, in a folder that is", async () => {
    await signal.ok(["working"]);
    expect(statSync(signal.stateFile).mode & 0o777).toBe(0o600);
    expect(statSync(signal.folder).mode & 0o777).toBe(0o700);
  });

  test("a relative state file starts in the folder the command runs in", async () => {
    mkdirSync(signal.folder, { recursive: true });
    signal.environment = { AGENT_SIGNAL_LIGHT_STATE_FILE: "status.json" };
    await signal.ok(["working"]);
    expect(signal.document().aggregate).toBe("working");
  });
});
