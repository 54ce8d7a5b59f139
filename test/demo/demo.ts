import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processIo } from "../../src/cli/process-io";
import { takeSnapshot } from "../../src/cli/take-snapshot";
import { watch } from "../../src/cli/verbs/watch";
import { cutText } from "../../src/session/text";
import { placesOf } from "../../src/store/places";
import { ReadMarksFile } from "../../src/store/read-marks";
import { Player, RecordedProcesses } from "../player";
import { recording, type Entry } from "../recording";

interface Role {
  name: string;
  project: string;
  /** What its first prompt asks for. */
  prompt: string;
  /** Seconds after the start of the demo. */
  startsAt: number;
  /** It plays up to this event and stays so; absent: to the end, but for the exit. */
  until?: string;
}

/** The recordings that play, each as a session of a project. */
const CAST: readonly Role[] = [
  { name: "claude/i-subagent", project: "shop", prompt: "Find why the checkout test is flaky", startsAt: 0 },
  { name: "claude/b-bash-approved", project: "api", prompt: "Add an index to the orders table", startsAt: 2 },
  {
    name: "claude/d-esc-slow",
    project: "search",
    prompt: "Speed up the nightly import",
    startsAt: 3,
    until: "UserPromptSubmit",
  },
  {
    name: "claude/e-ask",
    project: "website",
    prompt: "Pick a color for the new banner",
    startsAt: 5,
    until: "Notification",
  },
  {
    name: "claude/j-background-bash",
    project: "worker",
    prompt: "Run the load test in the background",
    startsAt: 7,
    until: "Stop",
  },
  { name: "claude/h-compact", project: "docs", prompt: "Rewrite the installation chapter", startsAt: 9 },
  { name: "claude/f-error-529", project: "mobile", prompt: "Upgrade the build tools", startsAt: 11 },
  {
    name: "claude/c-bash-denied-no",
    project: "api",
    prompt: "Clean up the build folder",
    startsAt: 13,
    until: "PermissionRequest",
  },
  { name: "claude/k-kill9", project: "infra", prompt: "Check the backups", startsAt: 15 },
];

/** Waits in the recordings are shortened to this, in seconds: nobody needs to watch somebody think. */
const LONGEST_PAUSE = 5;

interface Cue {
  /** Seconds after the start of the demo. */
  at: number;
  entry: Entry;
}

/** All events with the time they play at. What a recording was asked is named, since its own prompts are test words. */
function cues(): Cue[] {
  return CAST.flatMap(({ name, project, prompt, startsAt, until }) => {
    let at = startsAt;
    let before: number | undefined;
    return played(recording(name), until).map((entry): Cue => {
      at += Math.min(LONGEST_PAUSE, (entry.at - (before ?? entry.at)) / 1000);
      before = entry.at;
      return { at, entry: dressed(entry, project, prompt) };
    });
  }).sort((one, other) => one.at - other.at);
}

function played(entries: readonly Entry[], until: string | undefined): Entry[] {
  const end = until === undefined ? -1 : entries.findIndex(({ event }) => event === until);
  return end < 0 ? entries.filter(({ event }) => event !== "SessionEnd") : entries.slice(0, end + 1);
}

function dressed(entry: Entry, project: string, prompt: string): Entry {
  if (typeof entry.payload !== "object" || entry.payload === null) return entry;
  const isUsers = "prompt" in entry.payload && !String(entry.payload.prompt).startsWith("<");
  return { ...entry, payload: { ...entry.payload, cwd: `/home/dev/${project}`, ...(isUsers ? { prompt } : {}) } };
}

const HEADING =
  "Demo: recordings of real Claude Code sessions, since no agent reports on this machine yet. Ctrl-C ends it.";

/** Plays the recordings through the code that reads real sessions, in a folder of its own, until interrupted. */
async function playDemo(): Promise<void> {
  const io = processIo();
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-demo-"));
  const environment = {
    ...process.env,
    AGENT_SESSIONS_HOME: join(folder, "home"),
    AGENT_SESSIONS_STATUS_DIR: join(folder, "status"),
    AGENT_SIGNAL_LIGHT_STATE_FILE: join(folder, "signal", "status.json"),
  };
  const places = placesOf(environment);
  const processes = new RecordedProcesses();
  const stop = new AbortController();
  io.interrupt.addEventListener("abort", () => stop.abort());
  const begun = Date.now();
  // Answers of the demo are new to whoever watches it.
  new ReadMarksFile(places.home).load(begun / 1000 - 1);
  const player = new Player(places.statusDirectory);
  const timers: NodeJS.Timeout[] = [];
  const script = cues();
  const last = script.at(-1)?.at ?? 0;
  for (const { at, entry } of script) {
    timers.push(
      setTimeout(() => {
        player.play(entry, Date.now() / 1000);
        const isKilled = entry.event === "Stop" && JSON.stringify(entry.payload).includes("/home/dev/infra");
        if (isKilled) timers.push(setTimeout(() => processes.kill(Number(entry.env.CLAUDE_PID)), 4000));
      }, at * 1000),
    );
  }
  // Into a pipe it plays once; on a terminal its last picture stays until the user leaves.
  if (!io.stdout.isTerminal) timers.push(setTimeout(() => stop.abort(), (last + 6) * 1000));
  try {
    const width = io.stdout.columns ?? HEADING.length;
    const request = { json: false, states: [], agents: [], needsMe: false };
    await watch(request, { ...io, environment, processes, interrupt: stop.signal }, cutText(HEADING, width));
  } finally {
    for (const timer of timers) clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether any source of this machine has a session or a file that would be one. */
async function hasSessions(): Promise<boolean> {
  const { sessions, problems } = await takeSnapshot({ environment: process.env });
  return sessions.length > 0 || problems.length > 0;
}

/** Shows this machine's sessions and keeps them live; where there are none, the demo. */
async function start(): Promise<void> {
  if (await hasSessions()) {
    await watch({ json: false, states: [], agents: [], needsMe: false }, processIo());
  } else {
    await playDemo();
  }
}

void start();
