import { mapClaude } from "../../../src/agents/claude/events";
import { decodeSessionFile, encodeSessionFile } from "../../../src/files/session-file";
import { reduce } from "../../../src/session/reduce";

const AT = 1_800_000_000;

/** What becomes of a payload: its session, read again from its own file. */
function kept(payload: Record<string, unknown>) {
  const mapped = mapClaude({ session_id: "s", ...payload }, { at: AT, env: {} });
  if (mapped.outcome !== "event") throw new Error(mapped.outcome);
  const record = reduce(undefined, mapped.identity, mapped.event);
  const decoded = decodeSessionFile(encodeSessionFile({ record, folded: [] }));
  if (decoded.outcome === "refused") throw new Error(JSON.stringify(decoded.findings));
  return decoded.file.record;
}

const wakeup = (scheduledFor: unknown) =>
  kept({ hook_event_name: "PostToolUse", tool_name: "ScheduleWakeup", tool_response: { scheduledFor } }).wakeupAt;

test("a wake-up at no moment is none; the session stays readable", () => {
  expect(wakeup((AT + 60) * 1000)).toBe(AT + 60);
  for (const time of [1e300, -1e300, AT * 1e9, "soon"]) expect(wakeup(time)).toBeUndefined();
  const cron = (nextFireAt: unknown) =>
    kept({ hook_event_name: "PostToolUse", tool_name: "CronCreate", tool_response: { nextFireAt } }).wakeupAt;
  expect(cron("2027-01-15T08:01:00.000Z")).toBe(AT + 60);
  expect(cron(1e300)).toBeUndefined();
});

test("an answer longer ago than there is time was at no moment", () => {
  const start = (seconds_since_last_response: number) =>
    kept({ hook_event_name: "SessionStart", source: "resume", context_tokens: 5, seconds_since_last_response }).context;
  expect(start(60)).toMatchObject({ lastAnswerAt: AT - 60 });
  expect(start(1e300)).toMatchObject({ tokens: 5 });
  expect(start(1e300)?.lastAnswerAt).toBeUndefined();
});

test("an exit code that is no number of a program's is left out", () => {
  const ended = (code: string) => {
    const id = "<task-id>b1</task-id>";
    const prompt = `<task-notification>${id}<status>failed</status><summary>make (exit code ${code})</summary></task-notification>`;
    const begun = mapClaude(
      {
        session_id: "s",
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: "make" },
        tool_response: { backgroundTaskId: "b1" },
      },
      { at: AT, env: {} },
    );
    const told = mapClaude({ session_id: "s", hook_event_name: "UserPromptSubmit", prompt }, { at: AT + 1, env: {} });
    if (begun.outcome !== "event" || told.outcome !== "event") throw new Error("no event");
    const record = reduce(reduce(undefined, begun.identity, begun.event), told.identity, told.event);
    const decoded = decodeSessionFile(encodeSessionFile({ record, folded: [] }));
    return decoded.outcome === "session" ? decoded.file.record.background : decoded.findings;
  };
  expect(ended("2")).toMatchObject({ b1: { exitCode: 2, status: "failed" } });
  expect(ended("9".repeat(30))).toMatchObject({ b1: { status: "failed" } });
});

test("an id that a tool gives has whole characters only", () => {
  const payload = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "make" } };
  const { background } = kept({ ...payload, tool_response: { backgroundTaskId: "b\ud800" } });
  expect(Object.keys(background)).toEqual(["b\ufffd"]);
});
