import {
  chmodSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codexTranscripts } from "../../src/agents/codex/transcript";
import { foldEvents } from "../../src/observe/folding";
import type { AgentDirectory, Places } from "../../src/store/places";
import { deliver } from "../inbox-file";

/** Who looks, whose everything is but what belongs to somebody else. Without root both are whoever runs the tests. */
export const USER = 65534;
export const OTHER = 12_345;

/** Whether files of several users can be made. */
export const isRoot = process.geteuid?.() === 0;

/** All that is looked at in one cell of the table, as absolute paths: what is sent to whoever looks. */
export interface World {
  folder: string;
  /** The user's own home folder. */
  user: string;
  places: Places & { agentDirectories: AgentDirectory[] };
  /** Further things of the user, to which links lead. */
  elsewhere: string;
  /** Things of another user. */
  theirs: string;
  /** A process that runs. */
  pid: number;
  /** A thread of Codex. */
  thread: string;
}

/** The sessions that others tell of, one a source; whatever is wrong with one source, the other's is still shown. */
export const WITNESSES = { status: "claude:witness-status", store: "codex:witness-store" } as const;

export const CWD = "/w/shop";

/** The environment of whoever looks. */
export const environmentOf = ({ user }: Pick<World, "user">) => ({ HOME: user });

/** A moment some minutes ago: nothing in a world is young. In seconds. */
export const THEN = Math.floor(Date.now() / 1000) - 600;

const hex = (THEN * 1000).toString(16).padStart(12, "0");

/** A thread that began then: a UUIDv7 has its time. */
const CODEX_THREAD = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;

function worldIn(folder: string, pid: number): World {
  const user = join(folder, "user");
  return {
    folder,
    user,
    places: {
      home: join(user, ".agent-sessions"),
      statusDirectory: join(user, ".claude", "aitention", "status"),
      signalStateFile: join(folder, "run", "agent-signal", "status.json"),
      agentDirectories: [
        { agent: "claude", path: join(user, ".claude") },
        { agent: "codex", path: join(user, ".codex") },
      ],
    },
    elsewhere: join(folder, "elsewhere"),
    theirs: join(folder, "theirs"),
    pid,
    thread: CODEX_THREAD,
  };
}

/** Makes worlds in which everything is as it should be, and every place holds something that can be seen. */
export class Worlds {
  private readonly first: string;

  /** @param folder an empty one, for the world of which the others are copies */
  constructor(folder: string) {
    this.first = folder;
    fill(worldIn(folder, 1));
  }

  /**
   * @param folder an empty one
   * @param pid of a process that runs
   * @param furnish makes what it takes besides
   */
  make(folder: string, pid: number, furnish?: (world: World) => void): World {
    const world = worldIn(folder, pid);
    cpSync(this.first, folder, { recursive: true, preserveTimestamps: true });
    chmodSync(folder, 0o755);
    register(world);
    furnish?.(world);
    give(folder, USER);
    give(world.theirs, OTHER);
    return world;
  }
}

function fill(world: World): void {
  const { home, statusDirectory, signalStateFile } = world.places;
  for (const each of [world.user, world.elsewhere, world.theirs, dirname(signalStateFile)]) mkdir(each);
  for (const each of [dirname(dirname(signalStateFile)), world.theirs]) chmodSync(each, 0o755);
  putStatus(world, "witness-status");
  const session = { signal: "working", agent: "claude", updated_at: iso(THEN + 590) };
  const document = { schema_version: 1, updated_at: iso(THEN), sessions: { "trapped-signal": session }, events: [] };
  put(signalStateFile, JSON.stringify(document));
  fillStore(world);
  // What the fold told the status directory would show its sessions even when the store cannot be read.
  const told = readdirSync(statusDirectory).filter((name) => name !== "witness-status.json");
  for (const name of told) rmSync(join(statusDirectory, name));
  fillHome(home);
  fillAgents(world);
}

function register({ user, pid }: World): void {
  const registered = { pid, sessionId: "trapped-registry", status: "busy", cwd: CWD, statusUpdatedAt: THEN * 1000 };
  put(join(user, ".claude", "sessions", `${pid}.json`), JSON.stringify(registered));
}

const iso = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");

function mkdir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Writes a file, dated long ago, readable by its user alone. */
export function put(path: string, text: string): string {
  mkdir(dirname(path));
  writeFileSync(path, text, { mode: 0o600 });
  utimesSync(path, THEN, THEN);
  return path;
}

export function putStatus({ places }: World, id: string): string {
  const text = JSON.stringify({ session_id: id, state: "working", ts: THEN, event_ts: THEN, cwd: CWD });
  return put(join(places.statusDirectory, `${id}.json`), text);
}

/** An event in the inbox that becomes a session that waits for a permission. */
export function deliverEvent(home: string, agent: "claude" | "codex", id: string): string {
  const payload = { session_id: id, hook_event_name: "UserPromptSubmit", prompt: "Go", cwd: CWD };
  return deliver(home, { agent, event: "UserPromptSubmit", at: THEN, payload });
}

function fillStore({ user, places }: World): void {
  deliverEvent(places.home, "claude", "trapped-store");
  deliverEvent(places.home, "codex", "witness-store");
  foldEvents({ ...places, signalStateFile: join(user, "none") }, {}, Date.now);
}

function fillHome(home: string): void {
  for (const folder of ["control", "plugin", "cache", "bin", "inbox", "inbox/rejected"]) mkdir(join(home, folder));
  put(
    join(home, "read-marks.json"),
    JSON.stringify({ version: 1, baseline: THEN - 1000, sessions: { "claude:marked": { readUntil: THEN } } }),
  );
  put(join(home, "plugin", "trapped-store.json"), JSON.stringify({ version: 1, at: THEN, pickup: "blue", file: "" }));
  const request = {
    version: 1,
    id: "asked-1",
    kind: "save",
    by: "plugin",
    steps: [{ outcome: "saved", at: THEN + 500 }],
  };
  put(join(home, "control", "claude", "trapped-store", "asked-1.done.json"), JSON.stringify(request));
  put(
    join(home, "set-up.json"),
    JSON.stringify({ version: 1, files: { "/x": { created: [], folders: [], digest: "d" } } }),
  );
}

function fillAgents(world: World): void {
  const { user, thread } = world;
  const prompt = { type: "user", message: { content: "Go" }, timestamp: iso(THEN) };
  put(claudeTranscript(user), linesOf(prompt, { type: "ai-title", aiTitle: TITLE }));
  put(join(user, ".codex", "thread-writer-locks", `${thread}.lock`), "");
  const event = (payload: object) => ({ timestamp: iso(THEN + 1), type: "event_msg", payload });
  const meta = { cwd: CWD, thread_source: "user", source: "cli" };
  put(
    codexRollout(world),
    linesOf(
      { timestamp: iso(THEN), type: "session_meta", payload: meta },
      event({ type: "task_started", turn_attribution: { turn_trigger: "user" } }),
      event({ type: "user_message", message: TITLE }),
    ),
  );
  put(join(user, ".gemini", "settings.json"), '{"model":"x"}\n');
}

/** What transcripts call their sessions. */
export const TITLE = "Titled by its transcript";

export function claudeTranscript(user: string): string {
  return join(user, ".claude", "projects", "-w-shop", "trapped-store.jsonl");
}

/** Where Codex keeps the rollout of the thread. */
export function codexRollout({ user, thread }: World): string {
  const kind = codexTranscripts({ environment: {}, user, platform: process.platform });
  const [path = ""] = kind.likely({ sessionId: thread });
  return path;
}

const linesOf = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Gives a folder with all that is in it to a user. */
function give(path: string, owner: number): void {
  if (!isRoot) return;
  lchownSync(path, owner, owner);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) give(join(path, name), owner);
}

/** Everything below a folder, as text: names, kinds, owners, modes and contents. */
export function recordOf(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [`${path} is not there`];
  const head = `${path} ${stats.mode.toString(8)} ${stats.uid} ${stats.ino}`;
  if (stats.isSymbolicLink()) return [`${head} -> ${readlinkSync(path)}`];
  if (stats.isFile()) return [`${head} ${stats.mtimeMs} ${readFileSync(path, "latin1")}`];
  if (!stats.isDirectory()) return [head];
  return [
    head,
    ...readdirSync(path)
      .sort()
      .flatMap((name) => recordOf(join(path, name))),
  ];
}
