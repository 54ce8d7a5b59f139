import type { Kind } from "./traps";

/** What comes of reading a place. */
export type Reading =
  /** It counts, through a link too. */
  | { outcome: "used" }
  /** It does not count, and a message names it with this reason. */
  | { outcome: "refused"; reason: string }
  /** It does not count, and nothing is said. */
  | { outcome: "left out" };

/** What comes of writing to a place. */
export type Writing =
  /** What stood there was plain and the user's: the new text is there now. */
  | { outcome: "written" }
  /** The user's own link stays, and the new text is in what it leads to. */
  | { outcome: "followed" }
  /** What stood there is gone, unopened, and something plain of the user's is in its place. */
  | { outcome: "replaced" }
  /** Nothing was changed, and a message names it with this reason. */
  | { outcome: "refused"; reason: string }
  /** Nothing was changed, and nothing is said. */
  | { outcome: "left out" };

export type Readings = Readonly<Record<Kind, Reading>>;
export type Writings = Readonly<Record<Kind, Writing>>;

const USED: Reading = { outcome: "used" };
const LEFT_OUT = { outcome: "left out" } as const;
const WRITTEN: Writing = { outcome: "written" };
const FOLLOWED: Writing = { outcome: "followed" };
const REPLACED: Writing = { outcome: "replaced" };

const refused = (reason: string): { outcome: "refused"; reason: string } => ({ outcome: "refused", reason });

/** In these words a refusal is told. */
export const REASONS = {
  foreign: "belongs to another user",
  link: "is a symbolic link",
  linkAmongOthers: "is a symbolic link in a folder that others can write to",
  foreignLink: "is a symbolic link of another user",
  notPlain: "is not a plain file",
  folder: "is a folder, not a file",
  notFolder: "is not a folder",
  unreadable: "may not be read",
  denied: "permission denied",
  open: "can be written to by others",
} as const;

/** A file that only counts when it is plain and the user's. */
export const PLAIN_FILE: Readings = {
  foreign: refused(REASONS.foreign),
  "foreign folder": refused(REASONS.foreign),
  "link, world-writable": refused(REASONS.link),
  "link, group-writable": refused(REASONS.link),
  "own link, world-writable": refused(REASONS.link),
  "own link": refused(REASONS.link),
  "hard link": refused(REASONS.foreign),
  fifo: refused(REASONS.notPlain),
  device: refused(REASONS.notPlain),
  socket: refused(REASONS.notPlain),
  "wrong shape": refused(REASONS.folder),
  "world-writable": USED,
  "group-writable": USED,
  unreadable: refused(REASONS.unreadable),
};

/** A file to which the user's own link counts where nobody else can have put it. */
export const LINKED_FILE: Readings = {
  ...PLAIN_FILE,
  "link, world-writable": refused(REASONS.linkAmongOthers),
  "link, group-writable": refused(REASONS.foreignLink),
  "own link, world-writable": refused(REASONS.linkAmongOthers),
  "own link": USED,
};

/** A folder of files, to which the user's own link counts. Whose the folder above is, is not asked. */
export const FOLDER: Readings = {
  foreign: refused(REASONS.foreign),
  "foreign folder": USED,
  "link, world-writable": refused(REASONS.linkAmongOthers),
  "link, group-writable": refused(REASONS.foreignLink),
  "own link, world-writable": refused(REASONS.linkAmongOthers),
  "own link": USED,
  "hard link": USED,
  fifo: refused(REASONS.notFolder),
  device: refused(REASONS.notFolder),
  socket: refused(REASONS.notFolder),
  "wrong shape": refused(REASONS.notFolder),
  "world-writable": USED,
  "group-writable": USED,
  unreadable: refused(REASONS.denied),
};

/** A folder in a folder of ours: that one has to be the user's, too. */
export const FOLDER_OF_OURS: Readings = { ...FOLDER, "foreign folder": refused(REASONS.foreign) };

type Table<T> = Readonly<Record<Kind, T>>;

function alike<T>(table: Table<T>, change: (cell: T) => T): Table<T> {
  const each = (kind: Kind): T => change(table[kind]);
  return {
    foreign: each("foreign"),
    "foreign folder": each("foreign folder"),
    "link, world-writable": each("link, world-writable"),
    "link, group-writable": each("link, group-writable"),
    "own link, world-writable": each("own link, world-writable"),
    "own link": each("own link"),
    "hard link": each("hard link"),
    fifo: each("fifo"),
    device: each("device"),
    socket: each("socket"),
    "wrong shape": each("wrong shape"),
    "world-writable": each("world-writable"),
    "group-writable": each("group-writable"),
    unreadable: each("unreadable"),
  };
}

/** The same, where what is refused is left out without a word. */
export function silently<T extends Reading | Writing>(table: Table<T | typeof LEFT_OUT>): Table<T | typeof LEFT_OUT> {
  return alike(table, (cell) => (cell.outcome === "refused" ? LEFT_OUT : cell));
}

/** The same, where what is refused is named, and not why. */
export function told(readings: Readings): Readings {
  return alike(readings, (reading) => (reading.outcome === "refused" ? refused("refused") : reading));
}

/** A file that is replaced whole: what is the user's and no link gives way to it, whatever it is. */
export const REPLACED_FILE: Writings = {
  foreign: refused(REASONS.foreign),
  "foreign folder": refused(REASONS.foreign),
  "link, world-writable": refused(REASONS.link),
  "link, group-writable": refused(REASONS.link),
  "own link, world-writable": refused(REASONS.link),
  "own link": refused(REASONS.link),
  "hard link": refused(REASONS.foreign),
  fifo: REPLACED,
  device: REPLACED,
  socket: REPLACED,
  "wrong shape": refused("illegal operation on a directory"),
  "world-writable": WRITTEN,
  "group-writable": WRITTEN,
  unreadable: REPLACED,
};

/** A folder that files are put into. Whose the folder above is, is not asked. */
export const WRITTEN_FOLDER: Writings = {
  foreign: refused(REASONS.foreign),
  "foreign folder": WRITTEN,
  "link, world-writable": refused(REASONS.linkAmongOthers),
  "link, group-writable": refused(REASONS.foreignLink),
  "own link, world-writable": refused(REASONS.linkAmongOthers),
  "own link": FOLLOWED,
  "hard link": WRITTEN,
  fifo: refused(REASONS.notFolder),
  device: refused(REASONS.notFolder),
  socket: refused(REASONS.notFolder),
  "wrong shape": refused(REASONS.notFolder),
  "world-writable": WRITTEN,
  "group-writable": WRITTEN,
  unreadable: refused(REASONS.unreadable),
};

/** A folder in a folder of ours that files are put into. */
export const WRITTEN_FOLDER_OF_OURS: Writings = { ...WRITTEN_FOLDER, "foreign folder": refused(REASONS.foreign) };

/** A lock that stood there for minutes and names no process is nobody's, whatever it is: it is taken over unopened. */
export const LOCK: Writings = {
  ...REPLACED_FILE,
  foreign: REPLACED,
  "link, world-writable": REPLACED,
  "link, group-writable": REPLACED,
  "own link, world-writable": REPLACED,
  "own link": REPLACED,
  "hard link": REPLACED,
};

/** What is in the way is left as it is, whatever it is, and what is to be done is done beside it. */
export const UNTOUCHED: Writings = {
  foreign: WRITTEN,
  "foreign folder": refused(REASONS.foreign),
  "link, world-writable": WRITTEN,
  "link, group-writable": WRITTEN,
  "own link, world-writable": WRITTEN,
  "own link": WRITTEN,
  "hard link": WRITTEN,
  fifo: WRITTEN,
  device: WRITTEN,
  socket: WRITTEN,
  "wrong shape": WRITTEN,
  "world-writable": WRITTEN,
  "group-writable": WRITTEN,
  unreadable: WRITTEN,
};
