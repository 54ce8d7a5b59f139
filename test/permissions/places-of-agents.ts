import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSettingsFile, writeSettingsFile } from "../../src/store/set-up-files";
import { reasonOf } from "../../src/session/failure";
import { FOLDER, LINKED_FILE, PLAIN_FILE, REASONS, REPLACED_FILE, UNTOUCHED, WRITTEN_FOLDER } from "./expectations";
import { NO_HARD_LINK, seenInList, shows, type Place, type Seen } from "./place";
import { claudeTranscript, codexRollout, put, TITLE, type World } from "./world";

const seesRegistered = (world: World) => seenInList(world, "store", shows("claude:trapped-registry"));
const seesThread = (world: World) => seenInList(world, "store", shows(`codex:${world.thread}`));

const titled = (id: string) => (world: World) =>
  seenInList(world, "store", (sessions) => sessions.some((session) => session.id === id && session.title === TITLE));

const settings = ({ user }: World) => join(user, ".gemini", "settings.json");

const CHANGED = '{"model":"y"}\n';

function seesSettings(world: World): Seen {
  const path = settings(world);
  try {
    const { text } = readSettingsFile(path);
    return { isUsed: text !== undefined, said: [], showsOthers: true };
  } catch (error) {
    return { isUsed: false, said: [reasonOf(error)], showsOthers: true };
  }
}

/** A moment whose backup has a name that is known. */
const NOW = new Date(2027, 0, 2, 3, 4, 5);
const backup = (world: World) => `${settings(world)}.bak-20270102030405`;

function writeSettings(world: World): boolean {
  const path = settings(world);
  writeSettingsFile({ file: readSettingsFile(path), text: CHANGED, now: NOW });
  return readFileSync(path, "utf8") === CHANGED;
}

const refused = (reason: string) => ({ outcome: "refused", reason }) as const;

/** A link of another user is refused wherever it lies. */
const SETTINGS = { ...LINKED_FILE, "link, world-writable": refused(REASONS.foreignLink) };

/** What may be read may be written, in the place where it is; nothing else may be. */
const WRITTEN_SETTINGS = {
  ...REPLACED_FILE,
  "link, world-writable": refused(REASONS.foreignLink),
  "link, group-writable": refused(REASONS.foreignLink),
  "own link, world-writable": refused(REASONS.linkAmongOthers),
  "own link": { outcome: "followed" },
  fifo: refused(REASONS.notPlain),
  device: refused(REASONS.notPlain),
  socket: refused(REASONS.notPlain),
  "wrong shape": refused(REASONS.folder),
  unreadable: refused(REASONS.unreadable),
} as const;

/** A transcript is looked for by its name: where its folder is none, there is none. */
const OUT = { outcome: "left out" } as const;
const TRANSCRIPTS = {
  ...FOLDER,
  fifo: OUT,
  device: OUT,
  socket: OUT,
  "wrong shape": OUT,
  unreadable: refused(REASONS.unreadable),
} as const;

/** What agents keep themselves. */
export const PLACES_OF_AGENTS: readonly Place[] = [
  {
    name: "Claude's registry",
    shape: "folder",
    trap: ({ user }) => join(user, ".claude", "sessions"),
    reads: { look: seesRegistered, expected: FOLDER },
    none: NO_HARD_LINK,
  },
  {
    name: "An entry of Claude's registry",
    shape: "file",
    trap: ({ user, pid }) => join(user, ".claude", "sessions", `${pid}.json`),
    reads: { look: seesRegistered, expected: PLAIN_FILE },
  },
  {
    name: "The folder of Claude's transcripts",
    shape: "folder",
    trap: ({ user }) => dirname(claudeTranscript(user)),
    reads: { look: titled("claude:trapped-store"), expected: TRANSCRIPTS },
    none: NO_HARD_LINK,
  },
  {
    name: "A transcript of Claude",
    shape: "file",
    trap: ({ user }) => claudeTranscript(user),
    reads: { look: titled("claude:trapped-store"), expected: PLAIN_FILE },
  },
  {
    name: "Codex's locks",
    shape: "folder",
    trap: ({ user }) => join(user, ".codex", "thread-writer-locks"),
    reads: { look: seesThread, expected: FOLDER },
    none: NO_HARD_LINK,
  },
  {
    name: "A lock of Codex",
    shape: "file",
    trap: ({ user, thread }) => join(user, ".codex", "thread-writer-locks", `${thread}.lock`),
    reads: { look: seesThread, expected: PLAIN_FILE },
  },
  {
    name: "A transcript of Codex",
    shape: "file",
    trap: codexRollout,
    reads: { look: (world) => titled(`codex:${world.thread}`)(world), expected: PLAIN_FILE },
  },
  {
    name: "The folder of an agent's settings",
    shape: "folder",
    trap: (world) => dirname(settings(world)),
    reads: { look: seesSettings, expected: { ...FOLDER, unreadable: refused(REASONS.unreadable) } },
    writes: { write: writeSettings, expected: WRITTEN_FOLDER },
    none: NO_HARD_LINK,
  },
  {
    name: "An agent's settings",
    shape: "file",
    trap: settings,
    reads: { look: seesSettings, expected: SETTINGS },
    writes: { write: writeSettings, expected: WRITTEN_SETTINGS },
  },
  {
    name: "The name of a settings file's backup",
    shape: "file",
    furnish: (world) => void put(backup(world), "taken"),
    trap: backup,
    writes: {
      write: writeSettings,
      expected: UNTOUCHED,
      isBeside: true,
    },
    note: "Whatever has the name stays as it is; the backup takes the next name.",
  },
];
