import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { foldEvents } from "../../src/observe/folding";
import { reduce } from "../../src/session/reduce";
import { EventLogs, EventLogWriter } from "../../src/store/event-log";
import { folderRefusal } from "../../src/store/guarded-read";
import { withLock } from "../../src/store/lock";
import { ParseCache } from "../../src/store/parse-cache";
import { clearPaused, readPaused, setPaused } from "../../src/store/paused-flag";
import { ReadMarksFile } from "../../src/store/read-marks";
import { leaveEntry } from "../../src/store/record";
import { SessionStore } from "../../src/store/session-store";
import { readSetUpMemory, writeSetUpMemory } from "../../src/store/set-up-memory";
import {
  FOLDER,
  FOLDER_OF_OURS,
  LINKED_FILE,
  LOCK,
  PLAIN_FILE,
  REASONS,
  REPLACED_FILE,
  silently,
  UNTOUCHED,
  WRITTEN_FOLDER,
  WRITTEN_FOLDER_OF_OURS,
} from "./expectations";
import { inHome, NO_HARD_LINK, seenInList, shows, snapshotOf, type Place, type Seen } from "./place";
import { deliverEvent, environmentOf, put, THEN, type World } from "./world";

const STORED = { agent: "claude", sessionId: "trapped-store" } as const;

/** Somewhere that the fold projects to and this table does not look. */
const projected = ({ folder, places }: World) => ({
  ...places,
  statusDirectory: join(folder, "none"),
  signalStateFile: join(folder, "none", "status.json"),
});

function saveSession({ places }: World): boolean {
  const event = { kind: "prompt-submitted", origin: "user", at: THEN + 1, name: "Again" } as const;
  const store = new SessionStore(places.home);
  store.save({ record: reduce(undefined, STORED, event), folded: [] });
  return store.load(STORED)?.record.event === "Again";
}

const seesStored = (world: World) => seenInList(world, "status", shows("claude:trapped-store"));
const seesDelivered = (world: World) => seenInList(world, "status", shows("claude:trapped-inbox"));
const deliverTrapped = ({ places }: World) => deliverEvent(places.home, "claude", "trapped-inbox");

/** Folds what waits, so that it is in the store; whether nothing waits any more. */
function foldWaiting(world: World): boolean {
  const places = projected(world);
  foldEvents(places, environmentOf(world), Date.now);
  return new SessionStore(places.home).load({ agent: "claude", sessionId: "trapped-inbox" }) !== undefined;
}

/** An event that is larger than what a crowded inbox keeps of one. */
const LARGE = JSON.stringify({ session_id: "s", filler: "x".repeat(100 * 1024) });
const CROWDED = 40 * 1024;

function sizesIn(inbox: string): number[] {
  const isListed = lstatSync(inbox, { throwIfNoEntry: false }) !== undefined && statSync(inbox).isDirectory();
  const names = isListed && (statSync(inbox).mode & 0o400) !== 0 ? readdirSync(inbox) : [];
  return names.filter((name) => name.startsWith("claude-")).map((name) => statSync(join(inbox, name)).size);
}

function putCache({ places }: World): void {
  new ParseCache(places.home, "table", "a table").save([["row", { stamp: [1, 2, 3, 4], value: {} }]]);
}

/** Keeps something; whether it is there. */
function keepCache({ places }: World): boolean {
  new ParseCache(places.home, "table", "a table").save([["written", { stamp: [1, 2, 3, 4], value: {} }]]);
  return new ParseCache(places.home, "table", "a table").load().has("written");
}

function seesCache(world: World): Seen {
  const isUsed = new ParseCache(world.places.home, "table", "a table").load().size > 0;
  return { ...seenInList(world, "status", () => isUsed), said: [] };
}

/** What the inbox keeps of entries that could not be folded: their names, and why. */
function rejectedIn({ places }: World): string[] {
  const folder = join(places.home, "inbox", "rejected");
  return readdirSync(folder).map((name) => {
    const entry = name.replace(/^\d+-|\.txt$/g, "");
    return `${join(places.home, "inbox", entry)} ${readFileSync(join(folder, name), "utf8").split("\n")[0] ?? ""}`;
  });
}

/** Folds an entry that is none, beside one that is; whether the first is kept among the rejected. */
function rejectJunk(world: World): boolean {
  const inbox = join(world.places.home, "inbox");
  deliverTrapped(world);
  try {
    foldWaiting(world);
  } catch (error) {
    // What cannot be kept holds up nothing else, but for a folder that is not the user's.
    const isHeldUp = sizesIn(inbox).length > 0 && folderRefusal(inbox) === undefined;
    throw isHeldUp ? new Error("what is whole waits on", { cause: error }) : error;
  }
  return readdirSync(join(inbox, "rejected")).some((name) => name.endsWith("junk.txt"));
}

/** Sees by the entry that a recorder leaves: the mark that the inbox is full counts when less is kept. */
function seenByRecording(world: World, record: () => void): Seen {
  record();
  const sizes = sizesIn(join(world.places.home, "inbox"));
  return { isUsed: sizes.length > 0 && sizes.every((size) => size < CROWDED), said: [], showsOthers: true };
}

/** As `agent-sessions record` does it: nobody who could be told of a failure is listening. */
function recordInNode({ places }: World): void {
  try {
    leaveEntry(places, { agent: "claude", event: "PreCompact", env: {}, payload: Buffer.from(LARGE) });
  } catch {
    return;
  }
}

function recordInShell({ places }: World): void {
  const script = resolve("assets", "bin", "record");
  const options = { env: { AGENT_SESSIONS_HOME: places.home }, input: LARGE, timeout: 15_000 };
  if (spawnSync("/bin/sh", [script, "claude", "PreCompact"], options).status !== 0)
    throw new Error("the recorder hangs");
}

/**
 * Runs the recorder with a number of which the trap has the first name, as whoever knows numbers can prepare it; then
 * the trap is put back.
 */
function recordBesideDraft({ places }: World): boolean {
  const inbox = join(places.home, "inbox");
  const shell =
    'cd "$1" && mv .claude-draft ".claude-$(printf %07d $$)-0" && exec /bin/sh "$2" claude PreCompact </dev/null';
  const args = ["-c", shell, "sh", inbox, resolve("assets", "bin", "record")];
  const { status } = spawnSync("/bin/sh", args, { env: { AGENT_SESSIONS_HOME: places.home }, timeout: 15_000 });
  const [draft = ""] = readdirSync(inbox).filter((name) => /^\.claude-\d{7}-0$/.test(name));
  renameSync(join(inbox, draft), join(inbox, ".claude-draft"));
  if (status !== 0) throw new Error("the recorder hangs");
  return sizesIn(inbox).length > 0;
}

function recordsInto({ places }: World, record: () => void): boolean {
  record();
  return sizesIn(join(places.home, "inbox")).length > 0;
}

function seenInLog(world: World, isUsed: (entry: { agent?: string; outcome: string }) => boolean): Seen {
  const { entries, problems } = new EventLogs(world.places.home).read({ limit: 100 });
  return {
    isUsed: entries.some(isUsed),
    said: problems.map(({ file, reason }) => `${file} ${reason}`),
    showsOthers: snapshotOf(world).snapshot.sessions.some(({ id }) => id === "claude:witness-status"),
  };
}

const seesLog = (world: World) => seenInLog(world, ({ agent, outcome }) => outcome === "event" && agent === "claude");

function appendToLog({ places }: World): boolean {
  const line = { at: THEN, event: "Appended", from: "hook", after: "done" } as const;
  new EventLogWriter(places.home).append(STORED, [line]);
  const { entries } = new EventLogs(places.home).read({ limit: 100, session: STORED });
  return entries.some((entry) => entry.event === "Appended");
}

const refused = (reason: string) => ({ outcome: "refused", reason }) as const;
const OUT = { outcome: "left out" } as const;
const USED = { outcome: "used" } as const;
const NO_FILE = "is no plain file of your own";
const CACHE_NOTE = "It holds nothing that is not in the files themselves: without it they are read.";
const FOLLOWED = { outcome: "followed" } as const;
const REPLACED = { outcome: "replaced" } as const;

/** A file that ends counts, whosever it is. */
const FULL = {
  ...silently(PLAIN_FILE),
  foreign: USED,
  "link, world-writable": USED,
  "link, group-writable": USED,
  "own link, world-writable": USED,
  "own link": USED,
  "hard link": USED,
  unreadable: USED,
} as const;

const LOG = {
  foreign: refused(NO_FILE),
  "foreign folder": refused(REASONS.foreign),
  "link, world-writable": refused(NO_FILE),
  "link, group-writable": refused(NO_FILE),
  "own link, world-writable": refused(NO_FILE),
  "own link": refused(NO_FILE),
  "hard link": refused(NO_FILE),
  fifo: refused(NO_FILE),
  device: refused(NO_FILE),
  socket: refused(NO_FILE),
  "wrong shape": refused(NO_FILE),
  "world-writable": USED,
  "group-writable": USED,
  unreadable: refused("may not be read"),
} as const;

const UNSAID_WRITES = silently(WRITTEN_FOLDER);

/** Our own home and what lies in it, but for what is asked of sessions. */
export const PLACES_OF_HOME: readonly Place[] = [
  {
    name: "Our home (`AGENT_SESSIONS_HOME`)",
    shape: "folder",
    trap: inHome(),
    reads: { look: seesStored, expected: FOLDER },
    writes: { write: saveSession, expected: WRITTEN_FOLDER },
    none: NO_HARD_LINK,
  },
  {
    name: "`sessions`",
    shape: "folder",
    trap: inHome("sessions"),
    reads: { look: seesStored, expected: FOLDER_OF_OURS },
    writes: { write: saveSession, expected: WRITTEN_FOLDER_OF_OURS },
    none: NO_HARD_LINK,
  },
  {
    name: "`sessions/<agent>`",
    shape: "folder",
    trap: inHome("sessions", "claude"),
    reads: { look: seesStored, expected: FOLDER_OF_OURS },
    writes: { write: saveSession, expected: WRITTEN_FOLDER_OF_OURS },
    none: NO_HARD_LINK,
  },
  {
    name: "A session's file",
    shape: "file",
    trap: inHome("sessions", "claude", "trapped-store.json"),
    reads: { look: seesStored, expected: PLAIN_FILE },
    writes: { write: saveSession, expected: REPLACED_FILE },
  },
  {
    name: "`inbox`",
    shape: "folder",
    furnish: (world) => void deliverTrapped(world),
    trap: inHome("inbox"),
    reads: { look: seesDelivered, expected: FOLDER_OF_OURS },
    none: NO_HARD_LINK,
  },
  {
    name: "`inbox` (the recorder, in sh)",
    shape: "folder",
    trap: inHome("inbox"),
    writes: {
      write: (world) => recordsInto(world, () => recordInShell(world)),
      // A shell sees whose a folder is, and not who may write to the one above, without starting a program.
      expected: {
        ...UNSAID_WRITES,
        "foreign folder": { outcome: "written" },
        "link, world-writable": FOLLOWED,
        "link, group-writable": FOLLOWED,
        "own link, world-writable": FOLLOWED,
      },
    },
    none: NO_HARD_LINK,
    note: "A hook prints nothing: it goes without a word. A link counts where what it leads to is the user's; what is left there is the user's alone to read.",
  },
  {
    name: "`inbox` (the recorder, in Node)",
    shape: "folder",
    trap: inHome("inbox"),
    writes: {
      write: (world) => recordsInto(world, () => recordInNode(world)),
      expected: UNSAID_WRITES,
    },
    none: NO_HARD_LINK,
  },
  {
    name: "An entry of the inbox",
    shape: "file",
    furnish: (world) => void deliverTrapped(world),
    trap: ({ places }) => {
      const inbox = join(places.home, "inbox");
      const [name = ""] = readdirSync(inbox).filter((each) => each.startsWith("claude-"));
      return join(inbox, name);
    },
    reads: {
      look: (world) => {
        const seen = seesDelivered(world);
        return { ...seen, said: [...seen.said, ...rejectedIn(world)] };
      },
      // A folder is no entry.
      expected: { ...PLAIN_FILE, "wrong shape": OUT },
    },
    note: "The reason is kept in `inbox/rejected`, which the timeline shows.",
  },
  {
    name: "`inbox/.full` (the recorder, in sh)",
    shape: "file",
    furnish: ({ places }) => void put(join(places.home, "inbox", ".full"), "1\n"),
    trap: inHome("inbox", ".full"),
    reads: { look: (world) => seenByRecording(world, () => recordInShell(world)), expected: FULL },
    note: "Whoever says that the inbox is full has less kept of an event: nothing else comes of it.",
  },
  {
    name: "`inbox/.full` (the recorder, in Node)",
    shape: "file",
    furnish: ({ places }) => void put(join(places.home, "inbox", ".full"), "1\n"),
    trap: inHome("inbox", ".full"),
    reads: {
      look: (world) => seenByRecording(world, () => recordInNode(world)),
      expected: { ...FULL, "foreign folder": OUT },
    },
  },
  {
    name: "A recorder's draft (in sh)",
    shape: "file",
    furnish: ({ places }) => void put(join(places.home, "inbox", ".claude-draft"), "taken"),
    trap: inHome("inbox", ".claude-draft"),
    writes: { write: recordBesideDraft, expected: { ...UNTOUCHED, "foreign folder": OUT }, isBeside: true },
  },
  {
    name: "`inbox/rejected`",
    shape: "folder",
    furnish: ({ places }) => {
      put(join(places.home, "inbox", "junk"), "no entry");
      put(join(places.home, "inbox", "rejected", `${THEN}000-old.txt`), "No reason.\n\n");
    },
    trap: inHome("inbox", "rejected"),
    reads: { look: (world) => seenInLog(world, ({ outcome }) => outcome === "rejected"), expected: FOLDER_OF_OURS },
    writes: { write: rejectJunk, expected: WRITTEN_FOLDER_OF_OURS },
    none: NO_HARD_LINK,
    note: "What cannot be kept there waits on in the inbox, and holds up nothing else.",
  },
  {
    name: "`events`",
    shape: "folder",
    trap: inHome("events"),
    reads: { look: seesLog, expected: FOLDER_OF_OURS },
    writes: { write: appendToLog, expected: { ...UNSAID_WRITES, "foreign folder": OUT } },
    none: NO_HARD_LINK,
    note: "A log may be lost, the fold never: what cannot be appended is left out without a word.",
  },
  {
    name: "`events/<agent>`",
    shape: "folder",
    trap: inHome("events", "claude"),
    reads: { look: seesLog, expected: FOLDER_OF_OURS },
    writes: { write: appendToLog, expected: { ...UNSAID_WRITES, "foreign folder": OUT } },
    none: NO_HARD_LINK,
  },
  {
    name: "A session's log",
    shape: "file",
    trap: inHome("events", "claude", "trapped-store.jsonl"),
    reads: { look: seesLog, expected: LOG },
    writes: {
      write: appendToLog,
      expected: { ...silently(REPLACED_FILE), fifo: OUT, device: OUT, socket: OUT, unreadable: OUT },
    },
    note: "Lines are appended in place: to a plain file of the user's that has no other name.",
  },
  {
    name: "`cache`",
    shape: "folder",
    furnish: putCache,
    trap: inHome("cache"),
    reads: { look: seesCache, expected: silently(FOLDER_OF_OURS) },
    writes: { write: keepCache, expected: { ...UNSAID_WRITES, "foreign folder": OUT } },
    none: NO_HARD_LINK,
    note: CACHE_NOTE,
  },
  {
    name: "A cache",
    shape: "file",
    furnish: putCache,
    trap: inHome("cache", "table.json"),
    reads: { look: seesCache, expected: silently(PLAIN_FILE) },
    writes: {
      write: keepCache,
      expected: silently(REPLACED_FILE),
    },
    note: CACHE_NOTE,
  },
  {
    name: "Read marks",
    shape: "file",
    trap: inHome("read-marks.json"),
    reads: {
      look: (world) => {
        const { marks, problem } = new ReadMarksFile(world.places.home).load(Date.now() / 1000);
        const seen = seenInList(world, "status", () => marks.sessions["claude:marked"] !== undefined);
        return problem === undefined ? seen : { ...seen, said: [...seen.said, `${problem.file} ${problem.reason}`] };
      },
      expected: LINKED_FILE,
    },
    writes: {
      write: ({ places }) => {
        const file = new ReadMarksFile(places.home);
        file.update(THEN, (sessions) => ({ ...sessions, written: { readUntil: THEN } }));
        return new ReadMarksFile(places.home).load(THEN).marks.sessions.written !== undefined;
      },
      // What does not count is moved aside as it is, `.damaged`.
      expected: {
        ...LOCK,
        "own link": refused(REASONS.link),
        "wrong shape": REPLACED,
      },
    },
    note: "What does not count is moved aside unopened (`.damaged`), and new marks are begun.",
  },
  {
    name: "The paused flag",
    shape: "file",
    furnish: ({ places }) => {
      put(join(places.home, "paused.json"), JSON.stringify({ version: 1, paused_at: THEN }));
    },
    trap: inHome("paused.json"),
    reads: {
      look: (world) => seenInList(world, "status", () => readPaused(world.places).paused),
      expected: PLAIN_FILE,
    },
    writes: {
      write: ({ places }) => {
        clearPaused(places);
        setPaused(places, THEN + 1);
        return readPaused(places).since === THEN + 1;
      },
      expected: {
        ...LOCK,
        "own link": REPLACED,
        "wrong shape": refused("is a directory"),
        "world-writable": { outcome: "written" },
        "group-writable": { outcome: "written" },
      },
    },
    note: "Resuming removes what stands there, unopened; pausing makes the flag anew.",
  },
  {
    name: "The set-up's memory",
    shape: "file",
    trap: inHome("set-up.json"),
    reads: {
      look: ({ places }) => ({ isUsed: "/x" in readSetUpMemory(places), said: [], showsOthers: true }),
      expected: silently(PLAIN_FILE),
    },
    writes: {
      write: ({ places }) => {
        writeSetUpMemory(places, { "/y": { created: [], folders: [], digest: "d" } });
        return "/y" in readSetUpMemory(places);
      },
      expected: REPLACED_FILE,
    },
    note: "Without it a removal still takes everything of ours away; only the set-up's own empty containers stay.",
  },
  {
    name: "The fold's lock",
    shape: "file",
    furnish: (world) => {
      deliverTrapped(world);
      put(join(world.places.home, "fold.lock"), "no lock");
    },
    trap: inHome("fold.lock"),
    writes: { write: foldWaiting, expected: LOCK },
    note: "A lock that names no process is taken for a leftover once it is five seconds old; it is never opened for writing.",
  },
  {
    name: "What is beside a lock",
    shape: "file",
    furnish: ({ places }) => void put(join(places.home, "read-marks.lock.x"), "no lock"),
    trap: inHome("read-marks.lock.x"),
    writes: {
      write: ({ places }) => withLock(join(places.home, "read-marks.lock"), () => true, 1000),
      // Plain files there are what killed processes left.
      expected: {
        ...UNTOUCHED,
        foreign: REPLACED,
        "hard link": REPLACED,
        "world-writable": REPLACED,
        "group-writable": REPLACED,
        unreadable: REPLACED,
      },
      isBeside: true,
    },
  },
];
