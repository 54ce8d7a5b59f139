import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { scratchFolder } from "../scratch";
import type { Fields, MachineState } from "./machine-state";

/** Whether a test can hold a lock as Codex does, and see who holds it. */
export const canLock = process.platform === "linux" && spawnSync("perl", ["-e", "1"]).status === 0;

/** Takes the lock of each file it is told of, and keeps them all. */
const TAKE_EACH =
  '$| = 1; while (<STDIN>) { chomp; open(my $f, ">>", $_) or die; flock($f, 2) or die; push @f, $f; print "$_\n" }';

/** A process that is called as Codex is, and holds the locks of its threads. */
export class CodexProcess {
  private constructor(
    private readonly machine: MachineState,
    private readonly child: ChildProcess,
    private readonly answers: AsyncIterator<string>,
  ) {}

  /** @param verb `resume` or another for a terminal of its own, `exec`, `app-server` for the daemon */
  static start(machine: MachineState, verb = "resume"): CodexProcess {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, verb), TAKE_EACH);
    const child = spawn("perl", [verb], { cwd, argv0: "codex", stdio: ["pipe", "pipe", "inherit"] });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new CodexProcess(machine, child, answers);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Opens a thread, at a moment in seconds. */
  async opens(thread: string, at: number): Promise<void> {
    this.machine.codexLock(thread);
    const file = this.machine.codexLockFile(thread);
    utimesSync(file, at, at);
    this.child.stdin?.write(`${file}\n`);
    await this.answers.next();
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const over = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await over;
  }
}

/** The id of a thread that began at a moment, in seconds: a UUIDv7 has it. */
export function threadOf(at: number): string {
  const hex = Math.round(at * 1000)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
}

const iso = (at: number) => new Date(at * 1000).toISOString();

/** The lines of a rollout, each at a moment in seconds. */
export const rollout = {
  meta: (at: number, more: Fields = {}): Fields => ({
    timestamp: iso(at),
    type: "session_meta",
    payload: { cwd: "/w/shop", thread_source: "user", source: "cli", ...more },
  }),
  began: (at: number): Fields => event(at, { type: "task_started", turn_attribution: { turn_trigger: "user" } }),
  asked: (at: number, message: string): Fields => event(at, { type: "user_message", message }),
  answered: (at: number, started: number): Fields =>
    event(at, { type: "task_complete", last_agent_message: "Done.", started_at: Math.floor(started) }),
  failed: (at: number, message: string): Fields =>
    event(at, { type: "task_complete", last_agent_message: null, error: { message } }),
  stopped: (at: number): Fields => event(at, { type: "turn_aborted", reason: "interrupted" }),
};

function event(at: number, payload: Fields): Fields {
  return { timestamp: iso(at), type: "event_msg", payload };
}

/** Where Codex writes a thread down that began at a moment. */
export function rolloutFile(machine: MachineState, thread: string): string {
  const began = parseInt(thread.replaceAll("-", "").slice(0, 12), 16);
  // As Sweden writes local time.
  const [day = "", time = ""] = new Date(began).toLocaleString("sv-SE").split(" ");
  const name = `rollout-${day}T${time.replaceAll(":", "-")}-${thread}.jsonl`;
  return join(machine.codexLockFile(thread), "..", "..", "sessions", ...day.split("-"), name);
}

/** Writes a thread's rollout as it is now. */
export function writes(machine: MachineState, thread: string, ...lines: Fields[]): void {
  machine.put(rolloutFile(machine, thread), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
