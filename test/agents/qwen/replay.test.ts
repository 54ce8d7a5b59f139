import { recording, recordingsIn } from "../../recording";
import { courseOf, type Course } from "../course";

/** The reminder at the prompt comes with every end of a turn. */
const ANSWER: Course = ["Stop: done*", "Notification: done*"];

/** A call: its request comes before it starts, and the model's next step looks like a prompt. */
const ALLOWED: Course = [
  "PermissionRequest: waiting",
  "Notification: waiting",
  "PreToolUse: working",
  "PostToolUse: working",
  "UserPromptSubmit: working",
];

/** The course, reasoned from what the user did. */
const COURSE: Course = [
  "SessionStart: idle",
  "Notification: idle",
  ...["UserPromptSubmit: working", ...ANSWER],
  // Two calls ask one after the other; both run when both are allowed.
  "UserPromptSubmit: working",
  ...["PermissionRequest: waiting", "Notification: waiting", "PermissionRequest: waiting", "Notification: waiting"],
  ...["PreToolUse: working", "PostToolUse: working", "PreToolUse: working", "PostToolUse: working"],
  ...["UserPromptSubmit: working", ...ANSWER],
  // Denied by Esc: the reminder tells.
  ...["UserPromptSubmit: working", "PermissionRequest: waiting", "Notification: waiting", "Notification: idle"],
  // A question, answered.
  ...["UserPromptSubmit: working", "PermissionRequest: decision", "Notification: decision"],
  ...["PreToolUse: working", "PostToolUse: working", "UserPromptSubmit: working", ...ANSWER],
  // Esc in a slow answer.
  ...["UserPromptSubmit: working", "Notification: idle"],
  // An API error; the reminder's hook was the faster one.
  ...["UserPromptSubmit: working", "Notification: idle", "StopFailure: failed"],
  // A background shell: its end wakes the agent up, which tells of its answer only.
  ...["UserPromptSubmit: working", ...ALLOWED, ...ANSWER, ...ANSWER],
  // A subagent in the background, still listed as running at the first answer.
  ...["UserPromptSubmit: working", "PermissionRequest: waiting", "Notification: waiting", "PreToolUse: working"],
  ...["SubagentStart: working~1", "PostToolUse: waitingForSubagents~1", "UserPromptSubmit: waitingForSubagents~1"],
  ...["PermissionRequest: waiting~1", "SubagentStop: working"],
  ...["Stop: waitingForSubagents*~1", "Notification: waitingForSubagents*~1", ...ANSWER],
  // "/compress" and "/clear" are typed, so the answer before is read.
  ...["PreCompact: compacting", "PostCompact: idle", "SessionStart: idle", "Notification: idle"],
  ...["SessionEnd: dormant", "SessionStart: dormant, idle", "Notification: dormant, idle"],
  ...["UserPromptSubmit: dormant, working", "Stop: dormant, done*", "Notification: dormant, done*"],
  "SessionEnd: dormant, dormant*",
];

test("what the list shows while a real Qwen Code session runs", () => {
  expect(recordingsIn("qwen")).toEqual(["qwen/tools-subagent-and-esc"]);
  expect(courseOf("qwen", recording("qwen/tools-subagent-and-esc"))).toEqual(COURSE);
});
