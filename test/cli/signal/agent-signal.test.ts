import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../../scratch";
import { builtAgentSignal, run } from "./built-command";

let script: string;
let environment: Record<string, string>;

beforeAll(() => {
  script = builtAgentSignal();
});

beforeEach(() => {
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: join(scratchFolder(), "state"), LANG: "C", TZ: "America/New_York" };
});

test("the installed command: a hook, then the status", () => {
  const stdin = '{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash"}';
  expect(run(script, ["claude-hook"], { environment, stdin })).toEqual({ code: 0, out: "", err: "" });
  const { code, out } = run(script, ["status", "--json"], { environment });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    aggregate: "working",
    sessions: [{ session_id: "s", agent: "claude-code", last_event: "PreToolUse:Bash" }],
    recent_events: [{ id: expect.stringMatching(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/) }],
  });
});

test("errors end with 1 and the name it was called by", () => {
  expect(run(script, ["bogus"])).toEqual({ code: 1, out: "", err: "agent-signal: Unknown command: bogus\n" });
  const link = join(scratchFolder(), "agent-signal-light");
  symlinkSync(script, link);
  expect(run(link, ["bogus"]).err).toBe("agent-signal-light: Unknown command: bogus\n");
});

test("the version is the build's", () => {
  expect(run(script, ["--version"]).out).toBe("agent-signal 9.8.7\n");
});

test("the time is the user's", () => {
  run(script, ["working"], { environment });
  const text = (zone: string) => run(script, ["status"], { environment: { ...environment, TZ: zone } }).out;
  const hour = (out: string) => Number(/updated_at: \d+\/\d+\/\d{4}, (\d+):\d\d:\d\d [AP]M/.exec(out)?.[1]);
  expect((hour(text("Etc/GMT-3")) - hour(text("UTC")) + 12) % 12).toBe(3);
});

test("a reader that leaves early is no error", () => {
  const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$1" list | head -n 1`, process.execPath, script], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("large JSON on standard input is read to its end", () => {
  const stdin = JSON.stringify({
    hook_event_name: "PostToolUse",
    tool_response: "x".repeat(3_000_000),
    session_id: "s",
  });
  expect(run(script, ["claude-hook"], { environment, stdin }).code).toBe(0);
  expect(existsSync(join(environment.AGENT_SIGNAL_LIGHT_STATE_DIR ?? "", "status.json"))).toBe(true);
});

test("a hook works in a folder that was removed", () => {
  const command = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" claude-hook Stop </dev/null`;
  const { status, stderr } = spawnSync("sh", ["-c", command, process.execPath, script], {
    cwd: scratchFolder(),
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...environment },
  });
  expect([status, stderr]).toEqual([0, ""]);
});
