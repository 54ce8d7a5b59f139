import { Observer } from "../../src/observe/observer";
import { ReadMarksFile } from "../../src/store/read-marks";
import { Player, RecordedProcesses } from "../player";
import type { Entry } from "../recording";
import { scratchPlaces } from "../scratch";

/**
 * What a list shows after each event: the event's name, then the state of each session in the order they appeared,
 * with `*` for an unread answer, `+n` for running background commands and `~n` for running subagents.
 */
export type Course = string[];

/** How a course is told. */
export interface Telling {
  /** At the end, the processes that are known are killed. */
  killed?: boolean;
  /** Tell of every event; absent: only of those that say something, and of several of one name that change nothing once. */
  everyEvent?: boolean;
}

/** Plays an agent's recorded events through mapping, reduction and the status directory, and looks after each. */
export function courseOf(agent: string, entries: readonly Entry[], { killed, everyEvent }: Telling = {}): Course {
  const places = scratchPlaces();
  let now = (entries[0]?.at ?? 0) - 1000;
  // Whoever used it before has a baseline: every answer of the recording is new.
  new ReadMarksFile(places.home).load(now / 1000);
  const processes = new RecordedProcesses();
  const observer = new Observer({ places, clock: () => now, processes, cache: false });
  const player = new Player(places.statusDirectory, agent);
  const seen: string[] = [];
  const look = (event: string) => {
    observer.look();
    const { sessions } = observer.snapshot();
    const rows = new Map(sessions.map((session) => [session.id, session]));
    for (const id of player.records.keys()) if (!seen.includes(id)) seen.push(id);
    const shown = seen.map((id) => {
      const row = rows.get(id);
      if (row === undefined) return "missing";
      const background = Object.keys(row.background ?? {}).length;
      return `${row.state}${row.unread ? "*" : ""}${background > 0 ? `+${background}` : ""}${row.subagents > 0 ? `~${row.subagents}` : ""}`;
    });
    return `${event}: ${shown.join(", ")}`;
  };
  const course: Course = [];
  for (const entry of entries) {
    now = entry.at + 20;
    const said = player.play(entry) !== undefined;
    if (!said && everyEvent !== true) continue;
    const step = look(entry.event.replace(/^event:/, ""));
    if (everyEvent === true || course.at(-1) !== step) course.push(step);
  }
  if (killed === true) {
    for (const { pid } of player.records.values()) if (pid !== undefined) processes.kill(pid);
    now += 5000;
    course.push(look("killed"));
  }
  return course;
}
