import { Player } from "../../player";
import { recording, recordingsIn, type Entry } from "../../recording";
import { scratchPlaces } from "../../scratch";
import { courseOf as courseOfAgent, type Course } from "../course";

/** The courses, reasoned from what the user did in each scenario; hooks are silent on Esc and on a denial. */
const COURSES: Record<string, Course> = {
  "claude/a-simple": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "Notification: done*",
    "SessionEnd: dormant*",
  ],
  "claude/b-bash-approved": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "Notification: waiting",
    "PostToolUse: working",
    "PostToolBatch: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/c-bash-denied-esc": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "SessionEnd: dormant",
  ],
  "claude/c-bash-denied-no": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "SessionEnd: dormant",
  ],
  "claude/d-esc-slow": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "SessionEnd: dormant",
  ],
  "claude/e-ask": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: decision",
    "PermissionRequest: decision",
    "Notification: decision",
    "PostToolUse: working",
    "PostToolBatch: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  ...Object.fromEntries(
    [400, 401, 429, 529].map((code): [string, Course] => [
      `claude/f-error-${code}`,
      [
        "SessionStart: idle",
        "InstructionsLoaded: idle",
        "UserPromptSubmit: working",
        "StopFailure: failed",
        "SessionEnd: dormant",
      ],
    ]),
  ),
  // "/clear" is typed in the session, so its answer was seen; the process goes on under a new id.
  "claude/g-clear": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant",
    "SessionStart: dormant, idle",
    "UserPromptSubmit: dormant, working",
    "InstructionsLoaded: dormant, working",
    "Stop: dormant, done*",
    "SessionEnd: dormant, dormant*",
  ],
  // "/compact" is typed too: afterwards the answer is read, so the session is idle.
  "claude/h-compact": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "PreCompact: compacting",
    "SubagentStop: compacting",
    "SessionStart: compacting",
    "PostCompact: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "InstructionsLoaded: done*",
    "SessionEnd: dormant*",
  ],
  // The main answer comes while the subagent runs; the notification's turn is not the user's, so it stays unread.
  "claude/i-subagent": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "SubagentStart: working~1",
    "PostToolUse: waitingForSubagents~1",
    "PostToolBatch: waitingForSubagents~1",
    "PreToolUse: waitingForSubagents~1",
    "Stop: waitingForSubagents*~1",
    "PostToolUse: waitingForSubagents*~1",
    "PostToolBatch: waitingForSubagents*~1",
    "SubagentStop: done*",
    "UserPromptSubmit: working*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/j-background-bash": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working+1",
    "PostToolBatch: working+1",
    "Stop: done*+1",
    "UserPromptSubmit: working*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/k-ctrld": ["SessionStart: idle", "InstructionsLoaded: idle", "SessionEnd: dormant"],
  "claude/k-exit-ctrlc": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  // No event tells of kill -9: the process table does, and the answer stays unread.
  "claude/k-kill9": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "killed: dormant*",
  ],
  "claude/k-sigterm": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/l-continue": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/l-resume-first": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude/l-resume-id": [
    "SessionStart: idle",
    "InstructionsLoaded: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
};

/**
 * What others do to a session: hooks that answer for the user or wake it, a run beside it, another session's message.
 * Reasoned from what was done; a wake-up and a message are no prompts of the user's, so the answer stays unread.
 */
const CONTROLLED: Record<string, Course> = {
  "claude-control/async-plain": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/async-rewake": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "UserPromptSubmit: working*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/async-rewake-exit": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/async-rewake-long": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "Notification: done*",
    "UserPromptSubmit: working*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  // Esc in the tool: the hooks tell nothing until the exit.
  "claude-control/esc-tool": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "SessionEnd: dormant",
  ],
  "claude-control/p-resume-open": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/p-resume-side": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/perm-hook-allow": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "PostToolUse: working",
    "PostToolBatch: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/perm-hook-ask": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: decision",
    "PermissionRequest: decision",
    "PostToolUse: working",
    "PostToolBatch: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  // Denied by a hook: no event of its own, and the batch's end is not listened to; the answer ends the wait.
  "claude-control/perm-hook-deny": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "PostToolBatch: waiting",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-control/stop-block": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-peers/recv": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "UserPromptSubmit: working*",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
  "claude-peers/send": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "PostToolBatch: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "PostToolBatch: working",
    "Stop: done*",
    "SessionEnd: dormant*",
  ],
};

/** The list after every event, also after those that say nothing. */
function courseOf(entries: readonly Entry[], { killed = false } = {}): Course {
  return courseOfAgent("claude", entries, { killed, everyEvent: true });
}

describe("what the list shows while a real Claude Code session runs", () => {
  test("every recording has a course", () => {
    expect(Object.keys(COURSES).sort()).toEqual(recordingsIn("claude").sort());
  });

  test.each(Object.entries(COURSES))("%s", (name, course) => {
    expect(courseOf(recording(name), { killed: name.endsWith("kill9") })).toEqual(course);
  });

  test("every recording of what others do has a course", () => {
    expect(Object.keys(CONTROLLED).sort()).toEqual(
      [...recordingsIn("claude-control"), ...recordingsIn("claude-peers")].sort(),
    );
  });

  test.each(Object.entries(CONTROLLED))("%s", (name, course) => {
    expect(courseOf(recording(name)).filter((step) => !step.startsWith("InstructionsLoaded"))).toEqual(course);
  });

  test("a session that is resumed is the same row, and opening it is reading it", () => {
    const course = courseOf([...recording("claude/l-resume-first"), ...recording("claude/l-resume-id")]);
    expect(course.slice(4, 8)).toEqual([
      "SessionEnd: dormant*",
      "SessionStart: idle",
      "InstructionsLoaded: idle",
      "UserPromptSubmit: working",
    ]);
  });

  test("a headless side run of an open session neither moves nor ends it", () => {
    const open = recording("claude-control/p-resume-open");
    const side = recording("claude-control/p-resume-side");
    const merged = [...open, ...side].sort((one, other) => one.at - other.at);
    const course = courseOf(merged);
    const sideEvents = merged.map((entry, index) => (side.includes(entry) ? course[index] : undefined)).filter(Boolean);
    // The open session had answered before; the side run's hooks leave it as it was.
    const seen = sideEvents.filter((step) => step?.startsWith("InstructionsLoaded") === false);
    expect(seen).toEqual(["SessionStart: done*", "UserPromptSubmit: done*", "Stop: done*", "SessionEnd: done*"]);
  });

  test("a message of another session starts a turn, but nobody has read the answer", () => {
    const course = courseOf(recording("claude-peers/recv"));
    expect(course.filter((step) => !step.startsWith("InstructionsLoaded"))).toEqual([
      "SessionStart: idle",
      "UserPromptSubmit: working",
      "Stop: done*",
      "UserPromptSubmit: working*",
      "Stop: done*",
      "SessionEnd: dormant*",
    ]);
  });

  test("a Stop that a hook blocked goes on to the next", () => {
    const course = courseOf(recording("claude-control/stop-block"));
    expect(course.filter((step) => step.startsWith("Stop"))).toEqual(["Stop: done*", "Stop: done*"]);
  });

  test("since moves only with the state: the reminder a minute later leaves the age of the answer", () => {
    const entries = recording("claude/a-simple");
    const places = scratchPlaces();
    const player = new Player(places.statusDirectory);
    for (const entry of entries.slice(0, -1)) player.play(entry);
    const stop = entries.find(({ event }) => event === "Stop");
    const reminder = entries.find(({ event }) => event === "Notification");
    const [record] = player.records.values();
    expect(record?.since).toBe((stop?.at ?? 0) / 1000);
    expect(record?.eventAt).toBe((reminder?.at ?? 0) / 1000);
  });
});
