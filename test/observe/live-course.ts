import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { Observer } from "../../src/observe/observer";
import type { Session } from "../../src/session/session";
import { ReadMarksFile } from "../../src/store/read-marks";
import { deliver } from "../inbox-file";
import { RecordedProcesses } from "../player";
import { CAPTURES, recording, type Entry } from "../recording";
import { scratchPlaces } from "../scratch";

const changeSchema = z.looseObject({
  t: z.number(),
  file: z.string(),
  pid: z.number().optional(),
  removed: z.boolean().optional(),
});

/** How the registry's file of a process changed, and when that was seen, in milliseconds. */
type Change = z.infer<typeof changeSchema>;

/** What a list shows at a moment, in milliseconds since 1970. */
export interface Step {
  at: number;
  /** The hook's event, `registry` for a change of it, or what the test did. */
  what: string;
  shown: string;
}

/** The registry's own course of a recording. */
export function registryChanges(name: string): Change[] {
  return readFileSync(join(CAPTURES, `${name}.status.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => changeSchema.parse(JSON.parse(line)));
}

/**
 * A recording played with both its sides, in the order of their times: what the hooks received goes through inbox and
 * fold, and the registry's files change meanwhile. The recorded processes run until their file is removed.
 */
export class LiveCourse {
  readonly processes = new RecordedProcesses();
  readonly places: ReturnType<typeof scratchPlaces> & { agentDirectories: { agent: "claude"; path: string }[] };
  readonly observer: Observer;
  readonly steps: Step[] = [];
  private now = 0;
  private readonly seen: string[] = [];
  private readonly registry: string;

  constructor(
    /** Processes of other recordings whose file still lies there. */
    private readonly dead: readonly number[] = [],
  ) {
    const places = scratchPlaces();
    const config = join(places.home, "..", "claude");
    this.registry = join(config, "sessions");
    mkdirSync(this.registry, { recursive: true });
    this.places = { ...places, agentDirectories: [{ agent: "claude", path: config }] };
    this.observer = new Observer({
      places: this.places,
      environment: { HOME: join(places.home, "..", "user") },
      clock: () => this.now,
      processes: this.processes,
      cache: false,
    });
    for (const pid of dead) this.processes.kill(pid);
  }

  /**
   * Plays a recording.
   *
   * @param until the hook's event after which it breaks off
   */
  play(name: string, until?: string): this {
    type Moment = { at: number; entry: Entry } | { at: number; change: Change };
    const all: Moment[] = [
      ...recording(name).map((entry) => ({ at: entry.at, entry })),
      ...registryChanges(name).map((change) => ({ at: change.t, change })),
    ].sort((one, other) => one.at - other.at);
    const last = all.findIndex((moment) => "entry" in moment && moment.entry.event === until);
    const moments = all.slice(0, last < 0 ? undefined : last + 1);
    const first = moments[0]?.at ?? 0;
    // Whoever used it before has a baseline: every answer of the recording is new.
    if (this.now === 0) new ReadMarksFile(this.places.home).load(first / 1000 - 1000);
    for (const moment of moments) {
      this.now = moment.at + 20;
      if ("entry" in moment) this.hook(moment.entry);
      else this.change(moment.change);
    }
    return this;
  }

  /** Lets time pass and looks again. */
  later(seconds: number): this {
    this.now += seconds * 1000;
    return this.look("later");
  }

  /** Kills a process: nobody tells of it. */
  kill(pid: number): this {
    this.processes.kill(pid);
    return this.look("killed");
  }

  rows(): readonly Session[] {
    return this.observer.snapshot().sessions;
  }

  /** What was shown, without repetitions. */
  get course(): string[] {
    return this.steps.map(({ shown }) => shown).filter((shown, index, all) => shown !== "" && shown !== all[index - 1]);
  }

  private hook({ event, env, payload, at }: Entry): void {
    if (event === "InstructionsLoaded") return;
    deliver(this.places.home, { agent: "claude", event, env, payload, at: at / 1000 });
    this.look(event);
  }

  private change(change: Change): void {
    const { file, removed, ...fields } = change;
    if (fields.pid !== undefined && this.dead.includes(fields.pid)) return;
    const path = join(this.registry, file);
    if (removed === true) rmSync(path, { force: true });
    else writeFileSync(path, JSON.stringify({ ...fields, t: undefined }));
    this.look("registry");
  }

  private look(what: string): this {
    this.observer.look();
    const sessions = this.observer.snapshot().sessions;
    for (const { id } of sessions) if (!this.seen.includes(id)) this.seen.push(id);
    const shown = this.seen.map((id) => {
      const row = sessions.find((session) => session.id === id);
      if (row === undefined) return "missing";
      const background = Object.keys(row.background ?? {}).length;
      return `${row.state}${row.unread ? "*" : ""}${background > 0 ? `+${background}` : ""}${row.subagents > 0 ? `~${row.subagents}` : ""}`;
    });
    this.steps.push({ at: this.now, what, shown: shown.join(", ") });
    return this;
  }
}
