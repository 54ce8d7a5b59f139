import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import type { AgentProcess } from "../../src/session/report";
import type { Session } from "../../src/session/session";
import type { AgentDirectory, Places } from "../../src/store/places";
import type { Liveness, ProcessTable } from "../../src/store/process-table";
import { ReadMarksFile } from "../../src/store/read-marks";
import { deliver, type Delivery } from "../inbox-file";
import { scratchPlaces } from "../scratch";

/** The moment tests start from, in seconds. */
export const NOW = 1_800_000_000;

/** The session and the process of most tests. */
export const ID = "5e551011-0000-4000-8000-000000000001";
export const PID = 4711;

export type Fields = Readonly<Record<string, unknown>>;

/** A process table that knows what it was told; numbers and starts mean nothing on this machine. */
export class ToldProcesses implements ProcessTable {
  private readonly known = new Map<number, { liveness: Liveness; start?: string }>();

  constructor(private readonly otherwise: Liveness = "unknown") {}

  /** Says of a number whether its process runs, and when that one started. */
  tell(pid: number, liveness: Liveness, start?: string): this {
    this.known.set(pid, { liveness, ...(start === undefined ? {} : { start }) });
    return this;
  }

  look({ pid, start }: AgentProcess): Liveness {
    const { liveness, start: own } = this.known.get(pid) ?? { liveness: this.otherwise };
    // The number is another process's by now.
    return liveness === "running" && start !== undefined && own !== undefined && own !== start ? "gone" : liveness;
  }
}

export interface Given {
  environment?: Readonly<Record<string, string>>;
  /** The time of first use; long ago unless given. */
  baseline?: number;
  /** Further configuration folders, by their label. */
  labels?: readonly string[];
  /** What is known of processes nobody told of. */
  otherwise?: Liveness;
}

/**
 * All that the observer reads, in a scratch folder: Claude's registry and transcripts, Codex's locks, events through the
 * inbox, status files and the signal document. Files are dated by the test's own clock, so that no two versions of one
 * look alike.
 */
export class MachineState {
  now = NOW;
  readonly processes: ToldProcesses;
  readonly places: Places & { agentDirectories: AgentDirectory[] };
  readonly environment: Readonly<Record<string, string>>;
  readonly observer: Observer;
  private readonly user: string;
  private writes = 0;

  constructor({ environment = {}, baseline = NOW - 1_000_000, labels = [], otherwise = "unknown" }: Given = {}) {
    const places = scratchPlaces();
    this.user = join(dirname(places.home), "user");
    this.processes = new ToldProcesses(otherwise);
    const further = labels.map((label): AgentDirectory => ({ agent: "claude", path: this.configOf(label), label }));
    this.places = {
      ...places,
      agentDirectories: [
        { agent: "claude", path: this.configOf() },
        ...further,
        { agent: "codex", path: join(this.user, ".codex") },
      ],
    };
    this.environment = { HOME: this.user, ...environment };
    this.observer = this.anotherObserver();
    new ReadMarksFile(this.places.home).load(baseline);
  }

  /** An observer that has seen nothing yet, of the same machine. */
  anotherObserver(): Observer {
    return new Observer({
      places: this.places,
      environment: this.environment,
      clock: () => this.now * 1000,
      processes: this.processes,
      cache: false,
    });
  }

  /** Claude's configuration folder: the usual one, or one of those with a label. */
  configOf(label?: string): string {
    return join(this.user, label === undefined ? ".claude" : `.claude-${label}`);
  }

  /** Claude's registry file of a process: what it says of its session, times in seconds. */
  registry({
    pid = PID,
    label,
    statusAt,
    startedAt,
    ...fields
  }: Fields & { pid?: number; label?: string; statusAt?: number; startedAt?: number }): this {
    const times = {
      ...(statusAt === undefined ? {} : { statusUpdatedAt: statusAt * 1000, updatedAt: statusAt * 1000 }),
      ...(startedAt === undefined ? {} : { startedAt: startedAt * 1000 }),
    };
    return this.put(this.registryFile(pid, label), JSON.stringify({ pid, sessionId: ID, ...times, ...fields }));
  }

  /** Removes the registry file of a process, as its clean exit does. */
  unregister(pid = PID): this {
    rmSync(this.registryFile(pid), { force: true });
    return this;
  }

  registryFile(pid = PID, label?: string): string {
    return join(this.configOf(label), "sessions", `${pid}.json`);
  }

  /** A hook of Claude Code at a moment; its process is `PID` unless the environment says otherwise. */
  hook(event: string, at: number, payload: Fields = {}, env: Readonly<Record<string, string>> = PROCESS): this {
    return this.told({
      agent: "claude",
      event,
      at,
      env,
      payload: { session_id: ID, hook_event_name: event, ...payload },
    });
  }

  /** What any agent's recorder delivers. */
  told(delivery: Delivery): this {
    deliver(this.places.home, delivery);
    return this;
  }

  /** Claude's transcript of a session that works in `/w/shop`, a JSON line each. */
  transcript(lines: readonly Fields[], id = ID): this {
    return this.put(this.transcriptFile(id), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  transcriptFile(id = ID): string {
    return join(this.configOf(), "projects", "-w-shop", `${id}.jsonl`);
  }

  status(id: string, fields: Fields = {}): this {
    const text = JSON.stringify({ session_id: id, state: "working", ts: NOW - 60, ...fields });
    return this.put(join(this.places.statusDirectory, `${id}.json`), text);
  }

  signal(sessions: Readonly<Record<string, Fields>>): this {
    return this.put(this.places.signalStateFile, JSON.stringify({ schema_version: 1, sessions, events: [] }));
  }

  /** The lock that Codex holds of a thread while it is open. */
  codexLock(id: string): this {
    return this.put(this.codexLockFile(id), "");
  }

  removeCodexLock(id: string): this {
    rmSync(this.codexLockFile(id));
    return this;
  }

  codexLockFile(id: string): string {
    return join(this.user, ".codex", "thread-writer-locks", `${id}.lock`);
  }

  /** Writes a file anew, with a date of the test's clock that no version before it had. */
  put(path: string, text: string): this {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    this.writes += 1;
    // Old enough that nobody takes it for half written.
    const at = this.now - 100 + this.writes / 1000;
    utimesSync(path, at, at);
    return this;
  }

  /** Looks at a moment, `now` unless given. */
  snapshot(at = this.now): Snapshot {
    this.now = at;
    this.observer.look();
    return this.observer.snapshot();
  }

  rows(at = this.now): readonly Session[] {
    return this.snapshot(at).sessions;
  }

  /** The row of a session of Claude, or of another agent by `agent:id`. */
  row(at = this.now, id = ID): Session {
    const key = id.includes(":") ? id : `claude:${id}`;
    const rows = this.rows(at);
    const found = rows.find((row) => row.id === key);
    if (found === undefined) throw new Error(`no row ${key} among ${rows.map((row) => row.id).join(", ")}`);
    return found;
  }

  /** Its state, with `*` when an answer is unread. */
  shown(at = this.now, id = ID): string {
    return shownOf(this.row(at, id));
  }
}

/** What Claude Code's hooks know of its process. */
const PROCESS = { CLAUDE_PID: String(PID), CLAUDE_CODE_ENTRYPOINT: "cli" };

/** A row's state, with `*` when an answer is unread. */
export function shownOf({ state, unread }: Pick<Session, "state" | "unread">): string {
  return unread ? `${state}*` : state;
}

/** A line of Claude's transcript with the answer of the model, at a moment in seconds. */
export function answerLine(at: number, usage: Fields = { input_tokens: 10, cache_read_input_tokens: 90 }): Fields {
  return {
    type: "assistant",
    timestamp: new Date(at * 1000).toISOString(),
    message: { id: `m${at}`, role: "assistant", model: "claude-sonnet", content: [], usage },
  };
}

/** A line of Claude's transcript with what stands for the user's side. */
export function userLine(at: number, text: string, more: Fields = {}): Fields {
  return {
    type: "user",
    timestamp: new Date(at * 1000).toISOString(),
    cwd: "/w/shop",
    message: { role: "user", content: text },
    ...more,
  };
}
