import * as z from "zod";
import { given } from "../session/given";
import { AGENT_NAME_LIMIT, agentNamed } from "../session/identity";
import type { BackgroundCommand, Monitor, SessionReport } from "../session/report";
import { STATES, WAIT_KINDS } from "../session/state";
import { cutText, textLength } from "../session/text";
import type { Finding } from "./problem";
import { isMoment } from "./timestamp";

/**
 * AItention's status file, version 1 (seed "Statusdatei, Fassung 1"): one JSON file a session, named after the
 * session's id. Required: `session_id`, `state`, `ts`. Texts have limits in characters, times are seconds.
 */
export const STATUS_FILE_ENDING = ".json";

/** The longest id, and what it may hold: no `/`, not a leading `.`. */
export const SESSION_ID_LIMIT = 128;

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");

const sessionId = z
  .string()
  .min(1, "is empty")
  .refine((id) => textLength(id) <= SESSION_ID_LIMIT, `is longer than ${SESSION_ID_LIMIT} characters`)
  .refine((id) => !id.includes("/"), 'contains "/"')
  .refine((id) => !id.startsWith("."), 'begins with "."')
  .refine((id) => id.isWellFormed(), "is not well-formed text");

const required = z.looseObject({
  session_id: sessionId,
  state: z.enum(STATES),
  ts: moment,
});

// Built once: a schema costs far more to build than to use.
const text = z.string();
// What is taken over whole: half a character in it would end a launcher's view.
const wholeText = text.refine((each) => each.isWellFormed(), "is not well-formed text");
const wholeNumber = z.int();
const processId = z.int().positive();
const count = z.int().nonnegative();
const waitKind = z.enum(WAIT_KINDS);
const agentName = z.string().regex(/^[a-z0-9._-]+$/, "holds other characters than a-z, 0-9, '.', '_' and '-'");
const facts = z.record(wholeText, wholeText);
const anyObject = z.record(z.string(), z.unknown());
const monitor = z
  .array(z.union([z.string(), z.number()]))
  .min(1)
  .max(2);

/** What a file gave: a report and what was repaired, or why it is refused. Other fields are kept as they are. */
export type StatusFile =
  | { outcome: "report"; report: SessionReport; extra: Record<string, unknown>; findings: Finding[] }
  | { outcome: "refused"; findings: Finding[]; /** It may be half written: worth another try. */ incomplete: boolean };

/**
 * Reads a status file's text. A broken required field, or a file name that is not the session's id, refuses the
 * file; a broken optional field costs that field, an over-long text is cut; both are named.
 *
 * @param fileName the file's own name, without folders
 */
export function decodeStatusFile(source: string, fileName: string): StatusFile {
  let value: unknown;
  try {
    value = JSON.parse(source.startsWith("\ufeff") ? source.slice(1) : source);
  } catch (error) {
    const reason =
      source.trim() === "" ? "is empty" : `is not JSON (${error instanceof Error ? error.message : error})`;
    return refused([{ reason: cutText(reason, 200), outcome: "refused" }], true);
  }
  const head = required.safeParse(value);
  if (!head.success) return refused(head.error.issues.map((issue) => findingOf(issue, value)));
  const { session_id, state, ts, ...rest } = head.data;
  if (fileName !== session_id + STATUS_FILE_ENDING) {
    const reason = `"${cutText(session_id, 60)}" does not match the file name`;
    return refused([{ field: "session_id", reason, outcome: "refused" }]);
  }
  const fields = new OptionalFields(rest);
  const { agent, surface } = agentNamed(fields.name("agent", AGENT_NAME_LIMIT) ?? "claude");
  const pid = fields.take("pid", processId);
  const report: SessionReport = {
    agent,
    sessionId: session_id,
    ...given("surface", fields.text("surface", AGENT_NAME_LIMIT) ?? surface),
    state,
    since: ts,
    ...given("eventAt", fields.moment("event_ts")),
    ...given("event", fields.text("event", 64)),
    ...given("tool", fields.text("tool", 64)),
    ...given("activity", fields.text("activity", 200)),
    ...given("message", fields.text("message", 500)),
    ...given("cwd", fields.take("cwd", wholeText)),
    ...given("permissionMode", fields.text("permission_mode", 32)),
    ...given("turnStartedAt", fields.moment("turn_started_at")),
    ...given("doneAt", fields.moment("done_at")),
    ...given("wakeupAt", fields.moment("wakeup_at")),
    ...given("subagents", fields.take("subagents", count)),
    ...given("background", fields.background()),
    ...given("monitors", fields.monitors()),
    ...given("waitingFor", fields.take("waiting_for", waitKind)),
    ...given("title", fields.text("title", 200)),
    ...given("userPromptAt", fields.moment("user_prompt_at")),
    ...given("terminal", fields.take("terminal", facts)),
    ...given("writer", fields.text("writer", 64)),
  };
  if (pid !== undefined) {
    const knownAt = fields.moment("pid_known_at");
    report.process = { pid, knownAt: knownAt ?? report.eventAt ?? report.since };
  }
  return { outcome: "report", report, extra: fields.extra(), findings: fields.findings };
}

function refused(findings: Finding[], incomplete = false): StatusFile {
  return { outcome: "refused", findings, incomplete };
}

function findingOf(issue: z.core.$ZodIssue, value: unknown): Finding {
  const field = issue.path.join(".");
  const reason =
    field !== "" && !hasOwn(value, field)
      ? "is missing"
      : issue.code === "invalid_value"
        ? `is not one of ${STATES.join(", ")}`
        : issue.code === "invalid_type"
          ? `is not a ${issue.expected}`
          : issue.message;
  return field === "" ? { reason: "is not a JSON object", outcome: "refused" } : { field, reason, outcome: "refused" };
}

function hasOwn(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

/** Takes the optional fields one by one, noting what each has wrong; what nobody took is extra. */
class OptionalFields {
  readonly findings: Finding[] = [];
  private readonly left: Map<string, unknown>;

  constructor(fields: Record<string, unknown>) {
    this.left = new Map(Object.entries(fields));
  }

  take<T>(field: string, schema: z.ZodType<T>): T | undefined {
    const value = this.left.get(field);
    this.left.delete(field);
    if (value === undefined) return undefined;
    return this.checked(field, value, schema);
  }

  moment(field: string): number | undefined {
    return this.take(field, moment);
  }

  text(field: string, limit: number): string | undefined {
    const value = this.take(field, text);
    return value === undefined ? undefined : this.cut(field, value, limit);
  }

  name(field: string, limit: number): string | undefined {
    const value = this.take(field, agentName);
    if (value === undefined || value.length <= limit) return value;
    this.findings.push({ field, reason: `is longer than ${limit} characters; cut`, outcome: "repaired" });
    return value.slice(0, limit);
  }

  background(): Record<string, BackgroundCommand> | undefined {
    return this.entries("background", (field, value) => {
      const entry = this.checked(field, value, anyObject);
      if (entry === undefined) return undefined;
      const part = <T>(key: string, schema: z.ZodType<T>) =>
        entry[key] === undefined ? undefined : this.checked(`${field}.${key}`, entry[key], schema);
      const command = part("command", text);
      return {
        ...given("at", part("at", moment)),
        ...given("command", command === undefined ? undefined : this.cut(`${field}.command`, command, 500)),
        ...given("status", part("status", wholeText)),
        ...given("exitCode", part("exit_code", wholeNumber)),
        ...given("failedAt", part("failed_at", moment)),
      };
    });
  }

  monitors(): Record<string, Monitor> | undefined {
    return this.entries("monitors", (field, value) => {
      const pair = this.checked(field, value, monitor);
      if (pair === undefined) return undefined;
      const at = pair.find((item) => typeof item === "number");
      const said = pair.find((item) => typeof item === "string");
      const checkedAt = at === undefined ? undefined : this.checked(field, at, moment);
      return { text: cutText(said ?? "", 200), ...given("at", checkedAt) };
    });
  }

  extra(): Record<string, unknown> {
    return Object.fromEntries(this.left);
  }

  private entries<T>(field: string, decode: (field: string, value: unknown) => T | undefined) {
    const map = this.take(field, anyObject);
    if (map === undefined) return undefined;
    const decoded = new Map<string, T>();
    for (const [key, value] of Object.entries(map)) {
      const path = `${field}.${cutText(key, 64)}`;
      const entry = this.checked(path, key, wholeText) === undefined ? undefined : decode(path, value);
      if (entry !== undefined) decoded.set(key, entry);
    }
    return Object.fromEntries(decoded);
  }

  private checked<T>(field: string, value: unknown, schema: z.ZodType<T>): T | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    const reason = issue?.code === "invalid_type" ? `is not a ${issue.expected}` : (issue?.message ?? "is not valid");
    this.findings.push({ field, reason: `${reason}; left out`, outcome: "repaired" });
    return undefined;
  }

  private cut(field: string, value: string, limit: number): string {
    if (textLength(value) > limit) {
      this.findings.push({ field, reason: `is longer than ${limit} characters; cut`, outcome: "repaired" });
    }
    return cutText(value, limit);
  }
}

/**
 * A report as a status file: the seed's fields within their limits, and ours beside them (`title`, `surface`, `terminal`,
 * `waiting_for`, `user_prompt_at`, `pid`, `pid_known_at`, `writer`; `status`, `exit_code`, `failed_at` in `background`).
 */
export function encodeStatusFile(report: SessionReport): string {
  return `${JSON.stringify({
    session_id: report.sessionId,
    agent: report.agent,
    surface: report.surface,
    state: report.state,
    ts: report.since,
    event_ts: report.eventAt,
    event: cut(report.event, 64),
    tool: cut(report.tool, 64),
    activity: cut(report.activity, 200),
    message: cut(report.message, 500),
    cwd: report.cwd,
    permission_mode: cut(report.permissionMode, 32),
    turn_started_at: report.turnStartedAt,
    done_at: report.doneAt,
    wakeup_at: report.wakeupAt,
    subagents: report.subagents,
    background: mapValues(report.background, ({ at, command, status, exitCode, failedAt }) => ({
      at,
      command: cut(command, 500),
      status,
      exit_code: exitCode,
      failed_at: failedAt,
    })),
    monitors: mapValues(report.monitors, ({ text, at }) => (at === undefined ? [text] : [text, at])),
    waiting_for: report.waitingFor,
    title: cut(report.title, 200),
    user_prompt_at: report.userPromptAt,
    terminal: report.terminal,
    pid: report.process?.pid,
    pid_known_at: report.process?.knownAt,
    writer: report.writer,
  })}\n`;
}

function cut(value: string | undefined, limit: number): string | undefined {
  return value === undefined ? undefined : cutText(value, limit);
}

function mapValues<T, R>(map: Record<string, T> | undefined, change: (value: T) => R): Record<string, R> | undefined {
  if (map === undefined) return undefined;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
