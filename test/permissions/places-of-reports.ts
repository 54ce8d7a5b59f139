import { dirname, join } from "node:path";
import { sendSessionSignal } from "../../src/store/send-signal";
import { signalRulesOf } from "../../src/store/signal-settings";
import { readSignals, type SignalPlace } from "../../src/store/signal-store";
import { writeStatusFile } from "../../src/store/status-writer";
import { FOLDER, LINKED_FILE, LOCK, PLAIN_FILE, REASONS, REPLACED_FILE, WRITTEN_FOLDER } from "./expectations";
import { NO_HARD_LINK, seenInList, shows, type Place } from "./place";
import { put, putStatus, THEN, type World } from "./world";

const statusFile = ({ places }: World) => join(places.statusDirectory, "trapped-status.json");

function writeStatus({ places }: World): boolean {
  const report = { agent: "claude", sessionId: "trapped-status", state: "idle", since: THEN } as const;
  return writeStatusFile(places.statusDirectory, report);
}

const signalPlace = ({ places }: World): SignalPlace => ({
  stateFile: places.signalStateFile,
  rules: signalRulesOf({}),
  now: () => Date.now() / 1000,
  patienceMs: 1000,
});

function sendSignal(world: World): boolean {
  sendSessionSignal(signalPlace(world), { sessionId: "sent", signal: "working", eventId: "E-1" });
  return readSignals(signalPlace(world)).document.sessions.has("sent");
}

const signalLock = ({ places }: World) => join(dirname(places.signalStateFile), "state.lock.agent-sessions");

/** What others report in files that are theirs and ours. */
export const PLACES_OF_REPORTS: readonly Place[] = [
  {
    name: "Status directory",
    shape: "folder",
    trap: ({ places }) => places.statusDirectory,
    reads: {
      look: (world) => seenInList(world, "store", shows("claude:witness-status")),
      expected: FOLDER,
    },
    writes: { write: writeStatus, expected: WRITTEN_FOLDER },
    none: NO_HARD_LINK,
  },
  {
    name: "A status file",
    shape: "file",
    furnish: (world) => void putStatus(world, "trapped-status"),
    trap: statusFile,
    reads: {
      look: (world) => seenInList(world, "store", shows("claude:trapped-status")),
      expected: PLAIN_FILE,
    },
    writes: { write: writeStatus, expected: REPLACED_FILE },
  },
  {
    name: "The signal document's folder",
    shape: "folder",
    trap: ({ places }) => dirname(places.signalStateFile),
    reads: {
      look: (world) => seenInList(world, "store", shows("claude:trapped-signal")),
      expected: { ...FOLDER, unreadable: { outcome: "refused", reason: REASONS.unreadable } },
    },
    writes: {
      write: sendSignal,
      expected: { ...WRITTEN_FOLDER, unreadable: { outcome: "refused", reason: REASONS.denied } },
    },
    none: NO_HARD_LINK,
  },
  {
    name: "The signal document",
    shape: "file",
    trap: ({ places }) => places.signalStateFile,
    reads: {
      look: (world) => seenInList(world, "store", shows("claude:trapped-signal")),
      expected: LINKED_FILE,
    },
    writes: {
      write: sendSignal,
      // Replaced without having been understood, a thing might be lost that is none of ours.
      expected: {
        ...REPLACED_FILE,
        "link, world-writable": { outcome: "refused", reason: REASONS.linkAmongOthers },
        "link, group-writable": { outcome: "refused", reason: REASONS.foreignLink },
        "own link, world-writable": { outcome: "refused", reason: REASONS.linkAmongOthers },
        "own link": { outcome: "followed" },
        fifo: { outcome: "refused", reason: REASONS.notPlain },
        device: { outcome: "refused", reason: REASONS.notPlain },
        socket: { outcome: "refused", reason: REASONS.notPlain },
        "wrong shape": { outcome: "refused", reason: REASONS.folder },
      },
    },
  },
  {
    name: "The signal document's lock",
    shape: "file",
    // What is no lock, and was there for minutes, is nobody's.
    furnish: (world) => void put(signalLock(world), "no lock"),
    trap: signalLock,
    writes: {
      write: sendSignal,
      expected: LOCK,
    },
    note: "A lock that names no process is taken for a leftover once it is five seconds old; it is never opened for writing.",
  },
];
