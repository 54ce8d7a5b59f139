import { mapperOf } from "../src/agents/registry";
import { sessionKey } from "../src/session/identity";
import { reportOf, type SessionRecord } from "../src/session/record";
import { reduce } from "../src/session/reduce";
import type { AgentProcess } from "../src/session/report";
import { writeStatusFile } from "../src/store/status-writer";
import type { Liveness, ProcessTable } from "../src/store/process-table";
import type { Entry } from "./recording";

/** Plays recorded events into a status directory, as a reporter would: map, reduce, write the file. */
export class Player {
  readonly records = new Map<string, SessionRecord>();

  constructor(
    private readonly statusDirectory: string,
    private readonly agent = "claude",
  ) {}

  /**
   * Plays one event.
   *
   * @param at when it happens, in seconds; absent: when it was recorded
   * @returns the session's id, undefined for an event that says nothing
   */
  play(entry: Entry, at = entry.at / 1000): string | undefined {
    const mapped = mapperOf(this.agent)(payloadOf(entry), { at, event: entry.event, env: entry.env });
    if (mapped.outcome === "refused") throw new Error(`${entry.event}: ${mapped.reason}`);
    if (mapped.outcome === "ignored") return undefined;
    const id = sessionKey(mapped.identity);
    const record = reduce(this.records.get(id), mapped.identity, mapped.event);
    this.records.set(id, record);
    writeStatusFile(this.statusDirectory, reportOf(record));
    return id;
  }
}

/** A recorded payload, from the standard input or, for a program that gets none, from its last argument. */
export function payloadOf({ payload, argv }: Entry): unknown {
  const last = argv?.at(-1);
  return last === undefined ? payload : JSON.parse(last);
}

/** A process table of its own: the recorded pids mean nothing on this machine. */
export class RecordedProcesses implements ProcessTable {
  private readonly killed = new Set<number>();

  kill(pid: number): void {
    this.killed.add(pid);
  }

  look({ pid }: AgentProcess): Liveness {
    return this.killed.has(pid) ? "gone" : "running";
  }
}
