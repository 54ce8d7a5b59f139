import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { focus } from "../../src/cli/verbs/focus";
import { resume } from "../../src/cli/verbs/resume";
import { takeSnapshot } from "../../src/cli/take-snapshot";
import type { SessionRecord } from "../../src/session/record";
import { ReadMarksFile } from "../../src/store/read-marks";
import type { Places } from "../../src/store/places";
import { SessionStore } from "../../src/store/session-store";
import { cliIo } from "../cli-io";
import { scratchPlaces } from "../scratch";
import { FakeMachine, line } from "./fake-machine";

const NOW = 1_800_000_000;
const clock = () => NOW * 1000;
const TTY = "/dev/ttys003";

/** Sessions of a status directory, of which nothing tells the terminal. */
function places(): Places {
  const scratch = scratchPlaces();
  new ReadMarksFile(scratch.home).load(NOW - 100_000);
  const write = (id: string, fields: Record<string, unknown>) =>
    writeFileSync(
      join(scratch.statusDirectory, `${id}.json`),
      JSON.stringify({ session_id: id, ts: NOW - 60, cwd: "/Users/ada/shop", ...fields }),
    );
  write("aaaa-1", { state: "done", done_at: NOW - 60, agent: "claude" });
  write("bbbb-1", { state: "dormant", agent: "claude" });
  write("cccc-1", { state: "idle", agent: "aider" });
  write("dddd-\u202e1", { state: "idle", agent: "claude", cwd: "/Users/ada/\u202eshop" });
  return scratch;
}

async function run(verb: "focus" | "resume", given: Record<string, unknown>, at: Places, machine: FakeMachine) {
  const io = cliIo(at, { clock });
  const request = { wanted: "", json: false, print: false, ...given };
  const code = await (verb === "focus" ? focus(request, io, machine) : resume(request, io, machine));
  return { code, out: io.out(), unread: (await takeSnapshot(io)).sessions.filter(({ unread }) => unread).length };
}

test("focus: where it is not certain, the reason and the command that resumes it, and it stays unread", async () => {
  const machine = new FakeMachine();
  expect(await run("focus", { wanted: "aaaa" }, places(), machine)).toEqual({
    code: 1,
    out:
      "Nothing was brought forward. Nothing tells which terminal it runs in.\n" +
      "Copy Resume Command: cd /Users/ada/shop && claude --resume aaaa-1\n",
    unread: 1,
  });
  expect(machine.ran).toEqual([]);
});

test("focus: an ended session is not looked for", async () => {
  const { code, out } = await run("focus", { wanted: "bbbb", json: true }, places(), new FakeMachine());
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    id: "claude:bbbb-1",
    outcome: "uncertain",
    what: "Nothing was brought forward.",
    reason: "The session has ended.",
    offers: [{ kind: "resume", title: "Copy Resume Command", text: "cd /Users/ada/shop && claude --resume bbbb-1" }],
  });
});

test("focus: an agent that cannot resume is offered nothing; what cannot be shown is replaced", async () => {
  const aider = await run("focus", { wanted: "cccc" }, places(), new FakeMachine());
  expect(aider.out).toBe("Nothing was brought forward. Nothing tells which terminal it runs in.\n");
  const turned = await run("focus", { wanted: "dddd" }, places(), new FakeMachine());
  expect(turned.out).not.toContain("\u202e");
});

test("focus: a session that is in front is read", async () => {
  const at = places();
  const record: SessionRecord = {
    agent: "claude",
    sessionId: "eeee-1",
    phase: "done",
    waits: [],
    state: "done",
    since: NOW - 30,
    eventAt: NOW - 30,
    event: "Stop",
    calls: [],
    subagents: [],
    background: {},
    monitors: {},
    doneAt: NOW - 30,
    pid: 10,
    pidKnownAt: NOW - 100,
  };
  new SessionStore(at.home).save({ record, folded: [] });
  const io = cliIo(at, { clock, processes: { look: () => "running" } });
  const machine = new FakeMachine({
    table: line(TTY, [10, "claude"], [9, "-zsh"], [8, "/Applications/iTerm.app/Contents/MacOS/iTerm2"]).map((each) => ({
      ...each,
      startedAt: NOW - 200,
    })),
  }).answer("osascript", "done\n");
  expect(await focus({ wanted: "eeee", json: false }, io, machine)).toBe(0);
  expect(io.out()).toBe("Focused the session in iTerm2.\n");
  const unread = (await takeSnapshot(io)).sessions.filter((each) => each.unread).map(({ id }) => id);
  expect(unread).toEqual(["claude:aaaa-1"]);
});

test("resume --print: the command as it is, for a shell", async () => {
  const machine = new FakeMachine();
  expect(await run("resume", { wanted: "bbbb", print: true }, places(), machine)).toMatchObject({
    code: 0,
    out: "cd /Users/ada/shop && claude --resume bbbb-1\n",
  });
  expect(machine.ran).toEqual([]);
  const { out } = await run("resume", { wanted: "bbbb", print: true, json: true }, places(), machine);
  expect(JSON.parse(out)).toEqual({ id: "claude:bbbb-1", text: "cd /Users/ada/shop && claude --resume bbbb-1" });
});

test("resume: in the terminal that is named, and then it is read", async () => {
  const machine = new FakeMachine().answer("osascript", "done\n");
  expect(await run("resume", { wanted: "aaaa", terminal: "iterm2" }, places(), machine)).toEqual({
    code: 0,
    out: "Resumed in iTerm2.\n",
    unread: 0,
  });
});

test("resume: what did not start is told with the command, and stays unread", async () => {
  const machine = new FakeMachine().answer("kitty", "absent");
  expect(await run("resume", { wanted: "aaaa", terminal: "kitty" }, places(), machine)).toEqual({
    code: 1,
    out:
      "The session was not resumed. kitty is not installed, or its command is not on the PATH.\n" +
      "cd /Users/ada/shop && claude --resume aaaa-1\n",
    unread: 1,
  });
});

test.each([
  [{ wanted: "aaaa", terminal: "-x" }, '"-x" is no terminal that is known.'],
  [{ wanted: "zzzz" }, 'No session matches "zzzz".'],
  [{ wanted: "cccc" }, "Sessions of aider cannot be resumed by their id."],
  [{ wanted: "cccc", print: true }, "Sessions of aider cannot be resumed by their id."],
])("resume %j is refused", async (given, reason) => {
  await expect(run("resume", given, places(), new FakeMachine())).rejects.toThrow(reason);
});
