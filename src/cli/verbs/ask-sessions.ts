import { ask } from "../../control/ask";
import { machineSurroundings } from "../../control/machine";
import { hasSucceeded, isOver, isSave } from "../../session/request-progress";
import { requestOutcome, settleRequests } from "../../control/request-log";
import type { ControlSurroundings } from "../../control/surroundings";
import { cacheOf } from "../../session/cache";
import { cacheText } from "../../session/cache-text";
import { reasonOf, SessionsError } from "../../session/failure";
import type { Seconds } from "../../session/report";
import type { RequestKind, RequestOutcome } from "../../session/request";
import type { Session } from "../../session/session";
import { isAttended, readAgain, sparedFromSave } from "../../session/spared";
import { placesOf } from "../../store/places";
import type { CliIo } from "../io";
import { takeSnapshot } from "../take-snapshot";
import { wantedSession } from "./wanted-session";

/** What to ask of which sessions. */
export interface AskRequest {
  kind: RequestKind;
  /** For `prompt`: the message, cleaned. */
  text?: string;
  /** The sessions, by id or its beginning; or all that are open. */
  sessions: readonly string[] | "all";
  /** Wake cold sessions, too: each reads its whole context again. Only saves ask. */
  includeCold?: boolean;
  /** Who asks. Default: `command`. */
  author?: string;
}

/** One session in a report. */
interface Reported {
  id: string;
  title: string;
}

/** Whom a request reached, whom not, and why. */
export interface AskReport {
  kind: RequestKind;
  reached: (Reported & { request: RequestOutcome; note?: string })[];
  /** Not asked, to spare what waking them costs; the tokens are what the model would read again. */
  leftOut: (Reported & { reason: string; tokens?: number })[];
  refused: (Reported & { reason: string })[];
}

/** What of control's surroundings a caller gives; the rest is the machine's. */
export type AskSurroundings = Partial<ControlSurroundings>;

/**
 * Asks sessions to save, to start fresh, to stop, or gives them a message; each by the first way that is certain. What
 * keeps one session from being asked keeps no other.
 *
 * @throws SessionsError `not-found` or `ambiguous` for an id, before anything is asked
 */
export async function askSessions(request: AskRequest, io: CliIo, given: AskSurroundings = {}): Promise<AskReport> {
  const snapshot = await takeSnapshot(io);
  const { sessions, at } = snapshot;
  const chosen =
    request.sessions === "all"
      ? sessions.filter(isAttended)
      : Array.from(new Set(request.sessions.map((wanted) => wantedSession(snapshot, wanted, io))));
  const report: AskReport = { kind: request.kind, reached: [], leftOut: [], refused: [] };
  const asked = chosen.filter((session) => {
    const reason = sparedFor(session, request, at);
    if (reason === undefined) return true;
    const tokens = session.context?.tokens;
    report.leftOut.push({ ...reported(session), reason, ...(tokens === undefined ? {} : { tokens }) });
    return false;
  });
  const surroundings = surroundingsOf(request, io, given);
  const { kind, text } = request;
  const answers = await Promise.all(
    asked.map(async (session) => ({
      session,
      answer: await answerOf(() => ask(session, { kind, ...(text === undefined ? {} : { text }) }, surroundings)),
    })),
  );
  for (const { session, answer } of answers) {
    if (answer.outcome === "refused") report.refused.push({ ...reported(session), reason: answer.reason });
    else {
      const notes = [answer.note, wakingNote(session, kind, at)].filter((each) => each !== undefined);
      const note = notes.length === 0 ? {} : { note: notes.join("; ") };
      report.reached.push({ ...reported(session), request: answer.request, ...note });
    }
  }
  return report;
}

/** What a command has of control's surroundings. */
export function surroundingsOf(
  { author = "command" }: Pick<AskRequest, "author">,
  io: CliIo,
  given: AskSurroundings,
): ControlSurroundings {
  const machine = machineSurroundings({
    home: placesOf(io.environment).home,
    environment: io.environment,
    author,
    refresh: async (id) => (await takeSnapshot(io)).sessions.find((session) => session.id === id),
    ...(io.clock === undefined ? {} : { clock: io.clock }),
  });
  return { ...machine, ...given };
}

/** What keeps a request from being made at all is told of that session like any other reason. */
async function answerOf(work: () => ReturnType<typeof ask>): ReturnType<typeof ask> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    return { outcome: "refused", reason: reasonOf(error) };
  }
}

/** Why a session is not woken for a save, with the option that wakes it; undefined when it may be. */
function sparedFor(session: Session, request: AskRequest, now: Seconds): string | undefined {
  if (!isSave(request.kind)) return undefined;
  const wish = { all: request.sessions === "all", includeCold: request.includeCold === true };
  const spared = sparedFromSave(session, wish, now);
  return spared === undefined ? undefined : `${spared.reason}${spared.canBeWoken ? " (--include-cold)" : ""}`;
}

/** What a message to a cold session costs: it is sent, but not silently. */
function wakingNote(session: Session, kind: RequestKind, now: Seconds): string | undefined {
  const cache = kind === "prompt" ? cacheOf(session, now) : undefined;
  if (cache?.temperature !== "cold") return undefined;
  return `it was ${cacheText(cache, now)}: it reads ${readAgain(session.context?.tokens)} again`;
}

function reported({ id, title }: Session): Reported {
  return { id, title };
}

/** How often a request is looked at while it is followed, in milliseconds. */
const EVERY_MS = 500;

/**
 * Follows the requests of a report until each is over, or the user interrupts; the report has their outcomes then.
 *
 * @param onStep told of each step
 * @returns whether all are over
 */
export async function followRequests(
  report: AskReport,
  io: CliIo,
  given: AskSurroundings,
  onStep: (session: AskReport["reached"][number]) => void,
): Promise<boolean> {
  const { home, pause } = surroundingsOf({}, io, given);
  const open = new Set(report.reached);
  for (;;) {
    const { sessions, at } = await takeSnapshot(io);
    settleRequests(home, sessions, at);
    for (const each of open) {
      const known = sessions.find(({ id }) => id === each.id);
      const outcome = known === undefined ? undefined : requestOutcome(home, known, each.request.id);
      if (outcome !== undefined) {
        for (const request of newSteps(each.request, outcome)) onStep({ ...each, request });
        each.request = outcome;
      }
      if (isOver(each.request)) open.delete(each);
    }
    if (open.size === 0) return true;
    if (io.interrupt.aborted) return false;
    await pause(EVERY_MS);
  }
}

/** A request as it stood at each step that is new. A receiver begins its own list, without what the sender noted. */
function newSteps(before: RequestOutcome, now: RequestOutcome): RequestOutcome[] {
  const known = new Set(before.steps.map(({ outcome, at }) => `${outcome} ${at}`));
  return now.steps.flatMap(({ outcome, at }, index) =>
    known.has(`${outcome} ${at}`) ? [] : [{ ...now, steps: now.steps.slice(0, index + 1) }],
  );
}

/** Whether a request came to what was asked for; a save that was taken back is just what a cancel is for. */
function didAsAsked(request: RequestOutcome, kind: RequestKind): boolean {
  return hasSucceeded(request) || (kind === "cancel" && request.steps.at(-1)?.outcome === "cancelled");
}

/** Whether everybody was reached, and, where it was waited for, did what it was asked. */
export function isDone(report: AskReport, hasWaited: boolean): boolean {
  if (report.reached.length === 0 || report.refused.length > 0) return false;
  if (hasWaited && !report.reached.every(({ request }) => didAsAsked(request, report.kind))) return false;
  // A session that only saves where it was to start fresh did half of it.
  return report.reached.every(({ request }) => request.kind === report.kind || report.kind === "cancel");
}
