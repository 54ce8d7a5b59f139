import { describeProblem } from "../../files/problem";
import { follow } from "../../observe/live";
import type { Snapshot } from "../../observe/snapshot";
import type { TimelineEntry } from "../../session/event-line";
import { reasonOf, SessionsError } from "../../session/failure";
import type { Session } from "../../session/session";
import { cutText, printable, printableJson } from "../../session/text";
import { EventLogs, type Timeline } from "../../store/event-log";
import { placesOf } from "../../store/places";
import { eventJson, eventsText } from "../events-text";
import { findSession } from "../find-session";
import { EXIT, wantsColor, widthOf, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";

/** How many entries are printed when nobody says, and at most. */
const USUAL_LIMIT = 50;
const LARGEST_LIMIT = 100_000;

/** How the timeline is asked for. */
export interface EventsRequest {
  /** Only this session's: its id, or a beginning of it. */
  wanted?: string;
  json: boolean;
  /** How many of the newest, as it was typed. */
  limit?: string;
  /** Print what comes in, too, until the user interrupts. */
  follow?: boolean;
}

/**
 * `agent-sessions events [ID]`: what came in, from whom, and what it did, the newest last.
 *
 * @throws SessionsError `usage`, `not-found` or `ambiguous`
 */
export async function events({ wanted, json, ...request }: EventsRequest, io: CliIo): Promise<ExitCode> {
  const limit = parseLimit(request.limit);
  // Whoever reads folds first: what waits is in the logs then.
  const snapshot = await takeSnapshot(io);
  const session = wanted === undefined ? undefined : findSession(snapshot.sessions, wanted);
  const logs = new EventLogs(placesOf(io.environment).home);
  const asked = { limit, ...(session === undefined ? {} : { session }) };
  const timeline = logs.read(asked);
  const print = (entries: readonly TimelineEntry[], { at, sessions }: Snapshot) =>
    io.stdout.write(
      json
        ? entries.map((entry) => `${printableJson(eventJson(entry))}\n`).join("")
        : eventsText(entries, at, styleOf(session, sessions, io)),
    );
  print(timeline.entries, snapshot);
  reportProblems(timeline, io);
  if (request.follow === true) {
    await printFollowing(io, timeline, () => logs.read(asked), print);
    return EXIT.ok;
  }
  if (timeline.entries.length > 0) return EXIT.ok;
  if (!json) io.stdout.write(emptyText(session));
  return session === undefined ? EXIT.ok : EXIT.nothing;
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return USUAL_LIMIT;
  const limit = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (limit >= 1) return Math.min(limit, LARGEST_LIMIT);
  throw new SessionsError(
    "usage",
    `"${printable(cutText(text, 40))}" is not a number of events.`,
    "Example: agent-sessions events --limit 100",
  );
}

function styleOf(session: Session | undefined, sessions: readonly Session[], io: CliIo) {
  const width = widthOf(io);
  return {
    color: wantsColor(io),
    ...(width === undefined ? {} : { width }),
    ...(session === undefined ? { titles: new Map(sessions.map(({ id, title }) => [id, title])) } : {}),
  };
}

function emptyText(session: Session | undefined): string {
  return session === undefined
    ? "No events are kept. They appear as soon as an agent reports one; agent-sessions doctor tells which do.\n"
    : "No events of this session are kept: none came in by a hook or plugin of ours.\n";
}

function reportProblems({ problems }: Timeline, io: CliIo): void {
  for (const problem of problems.slice(0, 5)) {
    io.stderr.write(`agent-sessions: ${printable(describeProblem(problem))}\n`);
  }
  const more = problems.length - 5;
  if (more > 0) io.stderr.write(`agent-sessions: ${more} more logs cannot be read.\n`);
}

/** Prints what comes in until the user interrupts. */
async function printFollowing(
  io: CliIo,
  first: Timeline,
  read: () => Timeline,
  print: (entries: readonly TimelineEntry[], snapshot: Snapshot) => void,
): Promise<void> {
  let seen = new Set(first.entries.map(keyOf));
  const live = await follow(
    {
      places: placesOf(io.environment),
      environment: io.environment,
      ...(io.clock === undefined ? {} : { clock: io.clock }),
      ...(io.processes === undefined ? {} : { processes: io.processes }),
    },
    {
      signal: io.interrupt,
      onFailure: (error) => io.stderr.write(`agent-sessions: ${printable(reasonOf(error))}\n`),
      onSnapshot: (snapshot) => {
        const { entries } = read();
        const fresh = entries.filter((entry) => !seen.has(keyOf(entry)));
        if (fresh.length === 0) return;
        seen = new Set(entries.map(keyOf));
        print(fresh, snapshot);
      },
    },
  );
  if (!io.interrupt.aborted) {
    await new Promise<void>((resolve) => io.interrupt.addEventListener("abort", () => resolve(), { once: true }));
  }
  await live.stop();
}

/** What tells an entry from others: all that it says. */
function keyOf(entry: TimelineEntry): string {
  return JSON.stringify(entry);
}
