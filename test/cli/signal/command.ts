import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSignal, type SignalIo } from "../../../src/cli/signal/run-signal";
import { scratchFolder } from "../../scratch";

/** A moment to count from, in seconds. */
export const T = 1_780_000_000;

/** What a command did. */
export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** `agent-signal` in this process, with a state folder, a clock and ids of its own. */
export class SignalCommand {
  readonly folder = join(scratchFolder(), "state");
  readonly stateFile = join(this.folder, "status.json");
  environment: Record<string, string | undefined> = { AGENT_SIGNAL_LIGHT_STATE_DIR: this.folder };
  now = T;
  private ids = 0;

  /** Runs a command line; hooks get `stdin`. */
  async run(argv: readonly string[], stdin = "", more: Partial<SignalIo> = {}): Promise<Outcome> {
    const outcome: Outcome = { code: -1, out: "", err: "" };
    outcome.code = await runSignal(argv, {
      program: "agent-signal",
      version: "1.2.3",
      stdout: (text) => void (outcome.out += text),
      stderr: (text) => void (outcome.err += text),
      readStdin: () => stdin,
      isTerminal: false,
      environment: this.environment,
      folder: this.folder,
      pid: 4711,
      now: () => this.now,
      uuid: () => `0000abcd-${(this.ids += 1)}`,
      ...more,
    });
    return outcome;
  }

  /** Runs a command line that must succeed without a word on stderr, and gives what it printed. */
  async ok(argv: readonly string[], stdin = ""): Promise<string> {
    const { code, out, err } = await this.run(argv, stdin);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  }

  /** What `status --json` prints, read. */
  async status(): Promise<StatusJson> {
    return JSON.parse(await this.ok(["status", "--json"]));
  }

  /** The document as it lies in the file. */
  document(): DocumentJson {
    return JSON.parse(readFileSync(this.stateFile, "utf8"));
  }

  write(document: unknown): void {
    writeFileSync(this.stateFile, typeof document === "string" ? document : JSON.stringify(document));
  }
}

export interface StatusJson {
  aggregate: string;
  display_state: string;
  display_name: string;
  updated_at?: string;
  sessions: { session_id: string; agent?: string; signal: string; last_event?: string; updated_at: string }[];
  recent_events: {
    id: string;
    session_id: string;
    agent?: string;
    signal: string;
    event?: string;
    updated_at: string;
  }[];
  [key: string]: unknown;
}

export interface DocumentJson {
  aggregate?: string;
  updated_at?: string;
  sessions: Record<string, Record<string, unknown>>;
  events: Record<string, unknown>[];
  [key: string]: unknown;
}
