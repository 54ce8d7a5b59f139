import fc from "fast-check";
import { mapperOf } from "../../src/agents/registry";
import { decodeEventLine, encodeEventLine } from "../../src/files/event-log";
import { decodeSessionFile, encodeSessionFile } from "../../src/files/session-file";
import { decodeStatusFile, encodeStatusFile } from "../../src/files/status-file";
import { channelOf, eventLine } from "../../src/session/event-line";
import { reportOf, type SessionRecord } from "../../src/session/record";
import { reduce } from "../../src/session/reduce";
import { sessionFileName } from "../../src/files/session-name";
import { fuzz } from "./fuzz";
import { brokenTextsIn, jsonIn, memberOf } from "./literal";
import { mutatedTokens } from "./mutation";
import { AGENTS, eventsOf, NOW, spread } from "./samples";
import { payloadOf } from "../player";

/** What a hook was started with beside its payload: real, or anything. */
const settings = fc.record({
  event: fc.option(fc.string({ unit: "binary", maxLength: 12 }), { nil: undefined, freq: 4 }),
  env: fc.dictionary(
    fc.constantFrom("CLAUDE_PID", "OPENCODE_PID", "PWD", "CLAUDE_CODE_ENTRYPOINT", "SESSION_ID", "CLAUDE_CONFIG_DIR"),
    fc.oneof(fc.constantFrom("1", "0", "-1", "4711", "1e3", "9007199254740993", "NaN"), fc.string({ maxLength: 9 })),
    { maxKeys: 2 },
  ),
});

/** What was not recorded, as the agents' references have it: times, codes and ids that they tell. */
const REFERENCE: Readonly<Record<string, readonly object[]>> = {
  claude: [
    {
      hook_event_name: "PostToolUse",
      tool_name: "ScheduleWakeup",
      tool_use_id: "t1",
      tool_input: { delaySeconds: 60 },
      tool_response: { scheduledFor: 1_796_100_600_000 },
    },
    {
      hook_event_name: "PostToolUse",
      tool_name: "CronCreate",
      tool_use_id: "t2",
      tool_input: { schedule: "0 9 * * *" },
      tool_response: { nextFireAt: "2026-12-01T09:00:00.000Z" },
    },
    {
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_use_id: "t3",
      tool_input: { command: "npm run dev", run_in_background: true },
      tool_response: { backgroundTaskId: "b1" },
    },
    {
      hook_event_name: "UserPromptSubmit",
      prompt:
        "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>x (exit code 2)</summary>\n</task-notification>",
    },
    {
      hook_event_name: "SessionStart",
      source: "resume",
      model: "claude-opus",
      context_tokens: 120_000,
      seconds_since_last_response: 7200,
      prompt_cache_likely_expired: true,
    },
    {
      hook_event_name: "PostModelSwitch",
      context_tokens: 10,
      cache_ttl: "5m",
      to_model: "opus",
      prompt_cache_warm: false,
    },
    {
      hook_event_name: "Stop",
      background_tasks: [{ id: "b1", type: "shell", status: "running", command: "npm run dev" }],
      session_crons: [{ id: "c1", schedule: "0 9 * * *", recurring: true }],
    },
  ],
  qwen: [
    {
      hook_event_name: "Stop",
      background_tasks: [{ id: "b1", type: "shell", status: "running" }],
      crons: [
        { id: "c1", next_run: 1_796_200_000_000, enabled: true },
        { id: "c2", next_run: "2026-12-02T09:00:00Z" },
      ],
    },
  ],
};

function referenceOf(agent: string): { payload: string; event: string }[] {
  const { [agent]: payloads = [] } = REFERENCE;
  return payloads.map((payload) => ({
    payload: JSON.stringify({ session_id: "5e551011", cwd: "/w/shop", ...payload }),
    event: String(memberOf(payload, "hook_event_name")),
  }));
}

/** What was folded is read again as it is: a session that could not be would be gone at the next look. */
function expectKept(before: SessionRecord | undefined, record: SessionRecord): void {
  const decoded = decodeSessionFile(encodeSessionFile({ record, folded: ["x@1"] }));
  if (decoded.outcome === "refused") throw new Error(`cannot be read again: ${JSON.stringify(decoded.findings)}`);
  expect(decoded.file.record).toEqual(JSON.parse(JSON.stringify(record)));
  expect(brokenTextsIn(record)).toEqual([]);
  if (before !== undefined) expect([record.agent, record.sessionId]).toEqual([before.agent, before.sessionId]);
}

/** And so is what others are told of it, in the status directory. */
function expectProjected(record: SessionRecord): void {
  if (sessionFileName(record.sessionId) !== `${record.sessionId}.json` || record.sessionId.length > 128) return;
  const told = decodeStatusFile(encodeStatusFile(reportOf(record)), `${record.sessionId}.json`);
  expect(told).toMatchObject({ outcome: "report", findings: [] });
}

for (const agent of AGENTS) {
  const recorded = spread(eventsOf(agent), 60).map((entry) => ({
    payload: JSON.stringify(payloadOf(entry)),
    event: entry.event,
  }));
  const reference = referenceOf(agent);
  // As often as the others together.
  const events = [
    ...recorded,
    ...reference.flatMap((each) => Array.from({ length: Math.ceil(60 / reference.length) }, () => each)),
  ];
  const inputs = fc
    .constantFrom(...events)
    .chain(({ payload, event }) =>
      fc.tuple(fc.constant(event), mutatedTokens([payload]), fc.constantFrom(...events), settings),
    );

  fuzz(`hook payloads (${agent})`, 40, inputs, ([event, text, first, setting], tally) => {
    const map = mapperOf(agent);
    const begun = map(jsonIn(first.payload), { at: NOW - 9, env: {}, event: first.event });
    const before = begun.outcome === "event" ? reduce(undefined, begun.identity, begun.event) : undefined;
    const mapped = map(jsonIn(text), { at: NOW, ...setting, event: setting.event ?? event });
    if (mapped.outcome === "refused") expect(mapped.reason.trim()).not.toBe("");
    if (mapped.outcome !== "event") return tally.refused();
    // The session's own course, and as the next event of another that had begun.
    for (const known of [undefined, before]) {
      const identity = known === undefined ? mapped.identity : { agent: known.agent, sessionId: known.sessionId };
      const record = reduce(known, identity, mapped.event);
      expectKept(known, record);
      expectProjected(record);
      const line = eventLine(known, record, mapped.event, channelOf(agent, event));
      expect(decodeEventLine(jsonIn(encodeEventLine(line)))).toBeDefined();
    }
  });
}
