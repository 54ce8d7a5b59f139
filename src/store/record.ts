import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  CROWDED_ENTRY_LIMIT,
  encodeInboxEntry,
  ENTRY_LIMIT,
  FULL_FLAG,
  isFact,
  type NewEntry,
} from "../files/inbox-entry";
import { SessionsError, systemCodeOf } from "../session/failure";
import { folderRefusal } from "./guarded-read";
import type { Places } from "./places";

/**
 * How full the inbox is, and from how many entries on (docs/recorder.md): from 1 on less of a payload is kept, from 2 on
 * no progress, from 3 on only the last event of its kind in a session, and at 4 sessions share these places.
 */
type Level = 0 | 1 | 2 | 3 | 4;

const LEVELS: readonly (readonly [Level, number])[] = [
  [4, 24_000],
  [3, 16_000],
  [2, 12_000],
  [1, 1000],
];

const END_OF_HEAD = "\n\n";

/**
 * Leaves an entry in the inbox, as `assets/bin/record` does: under a name that was never there, visible only when it
 * is whole. A missing inbox is made.
 *
 * @throws when it cannot; nothing visible is left then
 */
export function leaveEntry({ home }: Pick<Places, "home">, entry: NewEntry, pid = process.pid): void {
  if (!isFact(entry.agent)) return;
  // Whatever the agent's own: it could hide the file from us, or open it to others.
  const umask = process.umask(0o077);
  try {
    const inbox = join(home, "inbox");
    const refusal = folderRefusal(inbox);
    if (refusal !== undefined) throw new SessionsError("refused", `${inbox} ${refusal}.`);
    mkdirSync(inbox, { recursive: true, mode: 0o700 });
    const level = levelOf(inbox);
    const bytes = encodeInboxEntry(entry, level === 0 ? ENTRY_LIMIT : CROWDED_ENTRY_LIMIT);
    const prefix = /^[a-z0-9_][a-z0-9._-]{0,31}$/.test(entry.agent) ? entry.agent : "agent";
    const about = level < 2 ? undefined : lookInto(entry);
    if (about === undefined || !about.isProgress) {
      const name = writeHidden(inbox, `${prefix}-${String(pid).padStart(7, "0").slice(-7)}`, bytes);
      if (about === undefined || level === 2) renameSync(join(inbox, `.${name}`), join(inbox, name));
      else deliverLast(inbox, name, prefix, placeOf(about, level));
    }
    watchLevel(inbox, level, pid);
  } finally {
    process.umask(umask);
  }
}

/**
 * Writes the hidden file and gives its name without the dot, which is ours then: who made the hidden file, which one
 * can do, owns the visible name, and it is looked at again once it is owned.
 */
function writeHidden(inbox: string, stem: string, bytes: Buffer): string {
  for (let n = 0; n < 1000; n++) {
    const name = `${stem}-${n}`;
    const hidden = join(inbox, `.${name}`);
    if (existsSync(join(inbox, name))) continue;
    const descriptor = openNew(hidden);
    if (descriptor === undefined) continue;
    let isOurs = false;
    try {
      isOurs = !existsSync(join(inbox, name));
      if (isOurs) writeFileSync(descriptor, bytes);
    } catch (error) {
      // A full disk: what got there counts, as a cut entry, when its head is whole.
      isOurs = fstatSync(descriptor).size >= bytes.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
      if (!isOurs) throw error;
    } finally {
      closeSync(descriptor);
      if (!isOurs) rmSync(hidden, { force: true });
    }
    if (isOurs) return name;
  }
  throw new SessionsError("unwritable", `${inbox} has no free name for ${stem}.`);
}

/** A new file, or undefined when there is one of this name. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

function levelOf(inbox: string): Level {
  const flag = join(inbox, FULL_FLAG);
  // What is no file may never end, and the agent waits for this.
  if (!isFile(flag)) return 0;
  let text = "";
  try {
    text = readFileSync(flag, "utf8").trim();
  } catch {
    // That it is there says enough.
  }
  return LEVELS.find(([level]) => String(level) === text)?.[0] ?? 1;
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

const SESSION_KEYS = ["session_id", "sessionId", "conversation_id", "thread-id"];
const EVENT_KEYS = ["hook_event_name", "hookEventName", "type"];
const ASKING_TOOLS = ["AskUserQuestion", "ExitPlanMode", "request_user_input", "ask_user"];
const PROGRESS =
  /^(.*ToolUse|.*ToolUseFailure|.*ToolBatch|BeforeTool|AfterTool|tool\..*|message\..*|(before|after).*Execution|afterFileEdit|beforeReadFile)$/s;

/** What an entry is about, as far as its place in an overflowing inbox goes. */
interface About {
  session: string;
  event: string;
  /** Some agents ask by a tool: that is a decision. */
  asks: boolean;
  /** It tells of progress only: what it says the next one says again. */
  isProgress: boolean;
}

function lookInto({ event: stated, parent = 0, payload }: NewEntry): About {
  const json = Buffer.from(payload).subarray(0, CROWDED_ENTRY_LIMIT).toString("utf8");
  const event = stated !== undefined && stated !== "" ? stated : valueOf(json, EVENT_KEYS);
  const session = valueOf(json, SESSION_KEYS);
  const asks = ASKING_TOOLS.some((tool) => json.includes(`"${tool}"`));
  return {
    // Nothing tells the session: two digits of the parent, so that there are few places however many parents there are.
    session: isNamePart(session) ? session : String(parent).slice(-2),
    event: isNamePart(event) ? event : "any",
    asks,
    isProgress: !asks && PROGRESS.test(event),
  };
}

function placeOf({ session, event, asks }: About, level: Level): string {
  return `last-${level < 4 ? session : session.slice(-2)}-${event}${asks ? "-asks" : ""}`;
}

/**
 * Shows the entry as the last of its place, and removes the ones before it. Not by taking their name: who folds them
 * at this moment would remove the new one.
 */
function deliverLast(inbox: string, name: string, prefix: string, place: string): void {
  const before = readdirSync(inbox).filter((each) => each.startsWith(`${prefix}-`) && each.endsWith(`-${place}`));
  let shown = `${name}-${place}`;
  while (existsSync(join(inbox, shown))) shown = `x${shown}`;
  renameSync(join(inbox, `.${name}`), join(inbox, shown));
  for (const each of before) rmSync(join(inbox, each), { force: true });
}

/** The string after the first of the keys that a JSON text has, without parsing it: it may be cut. */
function valueOf(json: string, keys: readonly string[]): string {
  for (const key of keys) {
    const value = new RegExp(`"${key}"[^"]*"([^"]*)`).exec(json)?.[1] ?? "";
    if (value !== "") return value;
  }
  return "";
}

function isNamePart(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** Looks how full the inbox is, in one of about twenty processes. */
function watchLevel(inbox: string, level: Level, pid: number): void {
  if (level === 4 || !/(04|20|41|62|83)$/.test(String(pid))) return;
  const count = readdirSync(inbox).filter((name) => !name.startsWith(".")).length;
  const found = LEVELS.find(([, entries]) => count >= entries)?.[0] ?? 0;
  if (found <= level) return;
  const flag = join(inbox, FULL_FLAG);
  // Made as a new one: nothing is written into what stands there.
  rmSync(flag, { force: true });
  writeFileSync(flag, `${found}\n`, { mode: 0o600, flag: "wx" });
}
