import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ControlFolder } from "../../src/control/control-folder";
import { writeOutcome } from "../../src/control/request-files";
import { placeStopAnswer } from "../../src/control/stop-answer";
import { installRecorder, recorderPath, recorderState } from "../../src/store/installed-recorder";
import { takeStopAnswer } from "../../src/store/stop-answer";
import {
  FOLDER_OF_OURS,
  PLAIN_FILE,
  REASONS,
  REPLACED_FILE,
  silently,
  told,
  WRITTEN_FOLDER_OF_OURS,
} from "./expectations";
import { inHome, NO_HARD_LINK, seenInList, type Place, type Seen } from "./place";
import { put, THEN, type World } from "./world";

const ADDRESSEE = { agent: "claude", sessionId: "trapped-store" } as const;

const ASSETS = resolve("assets");

const seesRequest = (world: World) =>
  seenInList(world, "status", (sessions) => sessions.some(({ request }) => request?.id === "asked-1"));

const seesPlugin = (world: World) =>
  seenInList(world, "status", (sessions) => sessions.some(({ plugin }) => plugin?.pickup === "blue"));

/** Notes an outcome as who asks does: the way to it is made the user's alone first. */
function noteOutcome({ places }: World): boolean {
  const control = new ControlFolder(places.home);
  const folder = control.requests(ADDRESSEE);
  control.make(folder);
  writeOutcome(folder, {
    id: "asked-1",
    kind: "save",
    by: "plugin",
    steps: [{ outcome: "failed", at: THEN, reason: "written" }],
  });
  return readFileSync(join(folder, "asked-1.done.json"), "utf8").includes("written");
}

function placeAnswer({ places }: World): boolean {
  const control = new ControlFolder(places.home);
  placeStopAnswer(control, ADDRESSEE, { expiresAt: THEN + 100_000, reason: "written" });
  return readFileSync(control.stopAnswer(ADDRESSEE), "utf8").includes("written");
}

function putAnswer({ places }: World): void {
  const path = new ControlFolder(places.home).stopAnswer(ADDRESSEE);
  put(path, `${THEN + 100_000}\nGo on\n`);
  chmodSync(dirname(path), 0o700);
}

const PAYLOAD = JSON.stringify({ session_id: ADDRESSEE.sessionId, hook_event_name: "Stop" });

const quiet = (isUsed: boolean): Seen => ({ isUsed, said: [], showsOthers: true });

function takeInNode({ places }: World): Seen {
  const entry = { agent: "claude", event: "Stop", payload: Buffer.from(PAYLOAD) };
  return quiet(takeStopAnswer(places, entry, THEN)?.toString().includes("Go on") === true);
}

function takeInShell({ places }: World): Seen {
  const options = { env: { AGENT_SESSIONS_HOME: places.home }, input: PAYLOAD, timeout: 15_000 };
  const { status, stdout } = spawnSync("/bin/sh", [join(ASSETS, "bin", "record"), "claude", "Stop"], options);
  if (status !== 0) throw new Error("the recorder hangs");
  return quiet(stdout.toString().includes("Go on"));
}

const refused = (reason: string) => ({ outcome: "refused", reason }) as const;
const OUT = { outcome: "left out" } as const;

/** A folder of `control/` is the user's alone, and none of them is a link. Nobody is told of what does nothing. */
const PRIVATE = {
  ...silently(FOLDER_OF_OURS),
  "own link": OUT,
  "world-writable": OUT,
  "group-writable": OUT,
} as const;

/** Where the folder above is open to others, that one is named. */
const WRITTEN_PRIVATE = {
  ...WRITTEN_FOLDER_OF_OURS,
  "link, world-writable": refused(REASONS.open),
  "link, group-writable": refused(REASONS.open),
  "own link, world-writable": refused(REASONS.open),
  "own link": refused(REASONS.link),
  "world-writable": refused(REASONS.open),
  "group-writable": refused(REASONS.open),
  // Whoever asks makes it the user's own again, which it is.
  unreadable: { outcome: "written" },
} as const;

/** A file in such a folder. */
const IN_PRIVATE = { ...silently(PLAIN_FILE), "world-writable": OUT, "group-writable": OUT } as const;

const WRITTEN_IN_PRIVATE = {
  ...REPLACED_FILE,
  "link, world-writable": refused(REASONS.open),
  "link, group-writable": refused(REASONS.open),
  "own link, world-writable": refused(REASONS.open),
  "world-writable": refused(REASONS.open),
  "group-writable": refused(REASONS.open),
} as const;

const NO_FILE = "is no plain file of yours";

/** What is asked of sessions, and what runs in agents. */
export const PLACES_OF_CONTROL: readonly Place[] = [
  {
    name: "`control`",
    shape: "folder",
    trap: inHome("control"),
    reads: { look: seesRequest, expected: { ...PRIVATE, "foreign folder": refused(REASONS.foreign) } },
    writes: { write: noteOutcome, expected: WRITTEN_PRIVATE },
    none: NO_HARD_LINK,
  },
  {
    name: "`control/<agent>/<id>`",
    shape: "folder",
    trap: inHome("control", "claude", "trapped-store"),
    reads: { look: seesRequest, expected: PRIVATE },
    writes: { write: noteOutcome, expected: WRITTEN_PRIVATE },
    none: NO_HARD_LINK,
  },
  {
    name: "A request's outcome",
    shape: "file",
    trap: inHome("control", "claude", "trapped-store", "asked-1.done.json"),
    reads: {
      look: seesRequest,
      expected: IN_PRIVATE,
    },
    writes: { write: noteOutcome, expected: WRITTEN_IN_PRIVATE },
    note: "A request that may not be trusted does nothing (docs/control.md).",
  },
  {
    name: "`control/stop/<agent>` (the recorder, in sh)",
    shape: "folder",
    furnish: putAnswer,
    trap: inHome("control", "stop", "claude"),
    reads: { look: takeInShell, expected: PRIVATE },
    writes: { write: placeAnswer, expected: WRITTEN_PRIVATE },
    none: NO_HARD_LINK,
  },
  {
    name: "`control/stop/<agent>` (the recorder, in Node)",
    shape: "folder",
    furnish: putAnswer,
    trap: inHome("control", "stop", "claude"),
    reads: { look: takeInNode, expected: PRIVATE },
    none: NO_HARD_LINK,
  },
  {
    name: "A stop answer (the recorder, in sh)",
    shape: "file",
    furnish: putAnswer,
    trap: inHome("control", "stop", "claude", "trapped-store"),
    reads: {
      look: takeInShell,
      expected: IN_PRIVATE,
    },
    writes: { write: placeAnswer, expected: WRITTEN_IN_PRIVATE },
  },
  {
    name: "A stop answer (the recorder, in Node)",
    shape: "file",
    furnish: putAnswer,
    trap: inHome("control", "stop", "claude", "trapped-store"),
    reads: {
      look: takeInNode,
      expected: IN_PRIVATE,
    },
  },
  {
    name: "`plugin`",
    shape: "folder",
    trap: inHome("plugin"),
    reads: {
      look: seesPlugin,
      expected: { ...silently(FOLDER_OF_OURS), "foreign folder": refused(REASONS.foreign) },
    },
    none: NO_HARD_LINK,
  },
  {
    name: "A plugin's mark",
    shape: "file",
    trap: inHome("plugin", "trapped-store.json"),
    reads: { look: seesPlugin, expected: silently(PLAIN_FILE) },
  },
  {
    name: "`bin`",
    shape: "folder",
    furnish: ({ places }) => installRecorder(places, ASSETS),
    trap: inHome("bin"),
    reads: { look: seesRecorder, expected: told(FOLDER_OF_OURS) },
    writes: { write: install, expected: WRITTEN_FOLDER_OF_OURS },
    none: NO_HARD_LINK,
    note: "That the recorder is refused is a state of its own, which `doctor` tells with what to do.",
  },
  {
    name: "The installed recorder",
    shape: "file",
    furnish: ({ places }) => installRecorder(places, ASSETS),
    trap: inHome("bin", "record"),
    reads: { look: seesRecorder, expected: told(PLAIN_FILE) },
    writes: {
      write: install,
      expected: {
        ...REPLACED_FILE,
        foreign: refused(NO_FILE),
        "link, world-writable": refused(NO_FILE),
        "link, group-writable": refused(NO_FILE),
        "own link, world-writable": refused(NO_FILE),
        "own link": refused(NO_FILE),
        "hard link": refused(NO_FILE),
        fifo: refused(NO_FILE),
        device: refused(NO_FILE),
        socket: refused(NO_FILE),
        "wrong shape": refused(NO_FILE),
      },
    },
  },
];

function seesRecorder({ places }: World): Seen {
  const state = recorderState(places, ASSETS);
  return {
    isUsed: state === "current",
    said: state === "refused" ? [`${recorderPath(places)} refused`] : [],
    showsOthers: true,
  };
}

function install({ places }: World): boolean {
  installRecorder(places, ASSETS);
  return recorderState(places, ASSETS) === "current";
}
