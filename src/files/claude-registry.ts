import * as z from "zod";
import { given } from "../session/given";
import type { LiveEntry, LiveStatus } from "../session/live-entry";
import { cutText, textLength } from "../session/text";
import type { Finding } from "./problem";
import type { DecodedEntry } from "./registry-place";
import { SESSION_ID_LIMIT } from "./status-file";
import { isMoment } from "./timestamp";

/**
 * Claude Code's own registry: `<config>/sessions/<pid>.json`, one JSON file a running process. It is not documented;
 * the fields are those seen with version 2.1.332, and any of them but the session's id may be missing or new.
 */

/** The session's id; it becomes part of paths. */
export const claudeSessionId = z
  .string()
  .min(1, "is empty")
  .refine((id) => textLength(id) <= SESSION_ID_LIMIT, `is longer than ${SESSION_ID_LIMIT} characters`)
  .refine((id) => !/[/\\\0]/.test(id), 'contains "/", "\\" or a zero byte')
  .refine((id) => !id.startsWith("."), 'begins with "."')
  .refine((id) => id.isWellFormed(), "is not well-formed text");

const head = z.looseObject({ sessionId: claudeSessionId });

// Built once: a schema costs far more to build than to use.
const text = z.string();
const processId = z.int().min(1).max(0x7fff_ffff);
const milliseconds = z.number().refine((ms) => isMoment(ms / 1000), "is not a time in milliseconds since 1970");

const STATUSES: ReadonlySet<string> = new Set<LiveStatus>(["idle", "busy", "waiting", "shell"]);

/** The longest path that counts; Linux ends there. */
const PATH_LIMIT = 4096;

/**
 * Reads a registry file's text. Only the session's id is needed; a field of the wrong type costs that field and is
 * named, an unknown status or kind counts as not said, and fields we do not know are left alone.
 *
 * @param fileName the file's own name, `<pid>.json`: a `pid` that contradicts it is no proof of either
 * @param configDirectory the configuration folder it lies in
 */
export function decodeClaudeRegistry(source: string, fileName: string, configDirectory: string): DecodedEntry {
  let value: unknown;
  try {
    value = JSON.parse(source.startsWith("\ufeff") ? source.slice(1) : source);
  } catch (error) {
    const reason =
      source.trim() === "" ? "is empty" : `is not JSON (${error instanceof Error ? error.message : error})`;
    return { outcome: "refused", findings: [{ reason: cutText(reason, 200), outcome: "refused" }] };
  }
  const parsed = head.safeParse(value);
  if (!parsed.success) return { outcome: "refused", findings: [refusalOf(parsed.error.issues[0])] };
  const { sessionId, ...rest } = parsed.data;
  const fields = new RegistryFields(rest);
  const named = /^(\d+)\.json$/.exec(fileName)?.[1];
  const pid = fields.pid(named === undefined ? undefined : Number(named));
  const entry: LiveEntry = {
    agent: "claude",
    sessionId,
    ...pid,
    ...given("processStart", fields.text("procStart", 64) ?? fields.text("procStartFt", 64)),
    ...given("processDomain", fields.text("pidDomain", 512)),
    ...fields.state(),
    ...given("statusAt", fields.moment("statusUpdatedAt")),
    ...given("updatedAt", fields.moment("updatedAt")),
    ...given("startedAt", fields.moment("startedAt")),
    ...given("cwd", fields.path("cwd")),
    ...fields.name(),
    ...fields.kind(),
    ...given("jobId", fields.text("jobId", 128)),
    ...given("version", fields.text("version", 64)),
    ...fields.entrypoint(),
    ...given("tmux", fields.text("tmux", 256)),
    configDirectory,
  };
  return { outcome: "entry", entry, findings: fields.findings };
}

/** Why an entry is refused: the first thing that is wrong with what must be right. */
export function refusalOf(issue: z.core.$ZodIssue | undefined): Finding {
  const field = issue?.path.join(".") ?? "";
  if (field === "") return { reason: "is not a JSON object", outcome: "refused" };
  const isMissing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  const reason = isMissing ? "is missing" : issue?.code === "invalid_type" ? "is not a text" : issue?.message;
  return { field, reason: reason ?? "is not valid", outcome: "refused" };
}

/** Takes the fields one by one, noting what each has wrong. */
export class RegistryFields {
  readonly findings: Finding[] = [];

  /** @param prefix what findings put before a field's name */
  constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    private readonly prefix = "",
  ) {}

  /** A text, cut to its limit in characters; an empty one says nothing. */
  text(field: string, limit: number): string | undefined {
    const value = this.take(field, text);
    return value === undefined || value === "" ? undefined : cutText(value, limit);
  }

  /** A path: it is whole or not at all. */
  path(field: string): string | undefined {
    const value = this.take(field, text);
    if (value === undefined || value === "") return undefined;
    if (value.length <= PATH_LIMIT && value.isWellFormed() && !value.includes("\0")) return value;
    return this.drop(field, "is not a path");
  }

  /** A time in milliseconds, in seconds. */
  moment(field: string): number | undefined {
    const value = this.take(field, milliseconds);
    return value === undefined ? undefined : value / 1000;
  }

  /** The process, as the file's name and its field agree on it. */
  pid(named: number | undefined): Pick<LiveEntry, "pid"> {
    const pid = this.take("pid", processId);
    if (pid === undefined) return named !== undefined && processId.safeParse(named).success ? { pid: named } : {};
    if (named === undefined || named === pid) return { pid };
    this.drop("pid", "does not match the file name");
    return {};
  }

  /** What the session does, and what it waits for. */
  state(): Pick<LiveEntry, "status" | "waitingFor"> {
    const status = this.text("status", 64);
    return {
      ...given("status", status !== undefined && isStatus(status) ? status : undefined),
      ...given("waitingFor", this.text("waitingFor", 200)),
    };
  }

  name(): Pick<LiveEntry, "name" | "isNamedByUser"> {
    const name = this.text("name", 200);
    const source = this.text("nameSource", 64);
    if (name === undefined) return {};
    return { name, ...given("isNamedByUser", source === undefined ? undefined : source === "user") };
  }

  /** The registry says `bg`, the command `background`. */
  kind(): Pick<LiveEntry, "kind"> {
    const kind = this.text("kind", 64);
    if (kind === "interactive") return { kind };
    return kind === "bg" || kind === "background" ? { kind: "background" } : {};
  }

  /** `cli` is the terminal's, `claude-desktop` and the like have a window; what begins with `sdk-` has neither. */
  entrypoint(): Pick<LiveEntry, "entrypoint" | "headless"> {
    const entrypoint = this.text("entrypoint", 64);
    if (entrypoint === undefined) return {};
    return { entrypoint, ...(entrypoint.startsWith("sdk-") ? { headless: true } : {}) };
  }

  private take<T>(field: string, schema: z.ZodType<T>): T | undefined {
    const value = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
    if (value === undefined || value === null) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const isType = issue?.code === "invalid_type";
    return this.drop(field, isType ? `is not a ${issue.expected}` : (issue?.message ?? "is not valid"));
  }

  private drop(field: string, reason: string): undefined {
    this.findings.push({ field: this.prefix + field, reason: `${reason}; left out`, outcome: "repaired" });
    return undefined;
  }
}

function isStatus(text: string): text is LiveStatus {
  return STATUSES.has(text);
}
