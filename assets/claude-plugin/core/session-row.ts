import { isWarm, warmthOf, type Answered } from "./cache";
import { isAbsolute } from "./file-path";
import { recordOf } from "./request";
import { shortLine } from "./text-lines";

/** A session that the registry of Claude Code lists. Times are milliseconds; what is not known is absent. */
export interface SessionRow extends Answered {
  pid: number;
  sessionId: string;
  /** Under which other sessions reach it. */
  name: string;
  /** `busy`, `idle`, `waiting`, `shell`, or empty while it has not said. */
  status: string;
  version: string;
  cwd: string;
  startedAt: number;
  /** What marks the process beside its id: when it started, in the system's own units. */
  procStart: string;
  /** Where its process id is valid: a container has its own. */
  pidDomain: string;
  /** Tokens the model read for the last answer. */
  contextTokens?: number;
  /** The pickup phrase, a title, or the first prompt. */
  topic?: string;
  /** Whether this plugin runs in it: only then can it start fresh by itself. */
  hasPlugin: boolean;
  /** Whether its process was seen alive; absent where that cannot be told. */
  isAlive?: boolean;
}

/** What `/sessions` shows. */
export interface Overview {
  /** When it was read; 0: never yet. */
  at: number;
  rows: readonly SessionRow[];
  /** Why nothing could be read. */
  error: string;
}

/** What this plugin's mark of a session tells (docs/control.md). */
export interface Mark {
  pickup: string;
  contextTokens?: number;
  answeredAt?: number;
  transcript?: string;
}

const NAME_LIMIT = 60;

/** Reads a file of the registry; undefined where it is none. */
export function registryRow(text: string): SessionRow | undefined {
  const values = valuesIn(text);
  if (values === undefined) return undefined;
  const { pid, sessionId } = values;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof sessionId !== "string" || sessionId === "") return undefined;
  const line = (value: unknown, limit = NAME_LIMIT): string =>
    typeof value === "string" ? shortLine(value, limit) : "";
  return {
    pid,
    sessionId,
    name: line(values.name) || sessionId.slice(0, 8),
    status: line(values.status, 20),
    version: line(values.version, 20),
    cwd: typeof values.cwd === "string" ? values.cwd : "",
    startedAt: typeof values.startedAt === "number" ? values.startedAt : 0,
    procStart: line(values.procStart, 40),
    pidDomain: line(values.pidDomain, 200),
    hasPlugin: false,
  };
}

/** Reads this plugin's mark of a session; undefined where it is none. */
export function markIn(text: string): Mark | undefined {
  const values = valuesIn(text);
  if (values?.version !== 1) return undefined;
  const { pickup, context, lastAnswerAt, transcript } = values;
  return {
    pickup: typeof pickup === "string" ? shortLine(pickup, NAME_LIMIT) : "",
    ...(typeof context === "number" && context > 0 ? { contextTokens: context } : {}),
    ...(typeof lastAnswerAt === "number" && lastAnswerAt > 0 ? { answeredAt: lastAnswerAt * 1000 } : {}),
    ...(typeof transcript === "string" && isAbsolute(transcript) ? { transcript } : {}),
  };
}

/**
 * One row a session, in the order in which they are worth a look: working ones, then the latest answered. Several files
 * may name one session (a process that was killed leaves its file): the one that started last counts.
 */
export function sorted(rows: readonly SessionRow[]): SessionRow[] {
  const latest = new Map<string, SessionRow>();
  for (const row of rows) {
    const known = latest.get(row.sessionId);
    if (known === undefined || known.startedAt <= row.startedAt) latest.set(row.sessionId, row);
  }
  const rank = (row: SessionRow): number => (row.status === "busy" ? Infinity : (row.answeredAt ?? 0));
  return [...latest.values()].sort((one, other) => compare(rank(other), rank(one)) || compare(one.pid, other.pid));
}

/** How many of them may be woken without paying for the whole context again. */
export function warmCount(rows: readonly SessionRow[], now: number): number {
  return rows.filter((row) => isWarm(warmthOf(row, now))).length;
}

/** How far a session is with the save that was asked of it: done once it rests again and has answered since. */
export function saveState(row: SessionRow, askedAt: number | undefined): "none" | "saving" | "saved" {
  if (askedAt === undefined) return "none";
  return row.status === "idle" && (row.answeredAt ?? 0) > askedAt ? "saved" : "saving";
}

/** The start of a process in its `/proc/<pid>/stat`, in clock ticks: the 22nd field; the second may hold blanks. */
export function startInStat(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function valuesIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
