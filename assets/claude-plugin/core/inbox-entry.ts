/** What is known once of the session's process, for the head of every entry. */
export interface Process {
  pid: number | undefined;
  /** Facts of the environment, in the format's order. */
  facts: readonly (readonly [name: string, value: string | undefined])[];
}

/** An entry is at most so long, in bytes; less while the inbox is crowded (docs/recorder.md). */
const ENTRY_BYTES = 256 * 1024;
const CROWDED_BYTES = 32 * 1024;

/** A fact is at most so long, in bytes. */
const FACT_BYTES = 1024;

/** Whether a file of 100 kB was read or written is nothing a session's row shows: so much of a string is kept. */
const STRING_LIMIT = 4096;

/** Events that are progress only: they are dropped first. */
const PROGRESS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** Tools that ask the user. */
const QUESTIONS: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** From so many entries on the inbox is as full as that. */
const LEVELS: readonly (readonly [entries: number, level: number])[] = [
  [24_000, 4],
  [16_000, 3],
  [12_000, 2],
  [1_000, 1],
];

/** How full an inbox with so many entries is, 0 to 4. */
export function levelOf(entries: number): number {
  return LEVELS.find(([count]) => entries >= count)?.[1] ?? 0;
}

/** How full the file beside the entries says the inbox is: no such file is 0, a strange one 1, as for the recorder. */
export function levelIn(flag: string | undefined): number {
  if (flag === undefined) return 0;
  const digit = flag.trim();
  return /^[1-4]$/.test(digit) ? Number(digit) : 1;
}

/** Whether an event is still written when the inbox is so full: from 2 on no progress, from 4 on nothing. */
export function isKept(event: string, tool: string | undefined, level: number): boolean {
  if (level >= 4) return false;
  return level < 2 || !PROGRESS.has(event) || (tool !== undefined && QUESTIONS.has(tool));
}

/**
 * The name of an entry: a plugin cannot create a file exclusively, so chance makes it unique. Names sort in the order in
 * which one process wrote them.
 */
export function entryName(pid: number | undefined, count: number, random: string): string {
  return `claude-${String(pid ?? 0).padStart(7, "0")}-p${String(count).padStart(7, "0")}-${random}`;
}

/** The text of an entry (docs/recorder.md, "The format"). */
export function entryText(event: string, payload: object, { pid, facts }: Process, level: number): string {
  const head = ["agent-sessions 1", "agent=claude", `event=${event}`];
  if (pid !== undefined) head.push(`ppid=${pid}`);
  for (const [name, value] of facts) if (isFact(value)) head.push(`${name}=${value}`);
  head.push("AGENT_SESSIONS_PLUGIN=1");
  const body = JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === "string" && value.length > STRING_LIMIT ? `${value.slice(0, STRING_LIMIT)}…` : value,
  );
  return cutToBytes(`${head.join("\n")}\n\n${body}`, level === 0 ? ENTRY_BYTES : CROWDED_BYTES);
}

function isFact(value: string | undefined): value is string {
  // eslint-disable-next-line no-control-regex
  return value !== undefined && value !== "" && !/[\u0000\r\n]/.test(value) && bytesOf(value) <= FACT_BYTES;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The beginning of a text that fits, never half a character. */
function cutToBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  return new TextDecoder().decode(bytes.subarray(0, limit - 3)).replace(/\uFFFD$/, "");
}
