import { SessionsError } from "../../session/failure";
import type { Session } from "../../session/session";
import { printable, printableJson } from "../../session/text";
import { focusSession, type FocusResult, type Offer } from "../../terminals/focus";
import type { Machine } from "../../terminals/machine";
import { resumeText } from "../../terminals/resume";
import { ThisMachine } from "../../terminals/this-machine";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";
import { wantedSession } from "./wanted-session";
import { markSessions } from "./read-marks";

/** What came of it, with the session it was about. */
export interface FocusOutcome extends FocusResult {
  id: string;
}

/**
 * Brings a session's window, tab and pane forward. One that is seen so is read. Where it is not certain, the result says
 * why, and offers what is; the command that resumes it among them.
 *
 * @throws SessionsError `not-found` or `ambiguous`; what marking as read throws
 */
export async function focusOn(
  wanted: string,
  io: CliIo,
  machine: Machine = new ThisMachine(io.environment),
): Promise<FocusOutcome> {
  const session = wantedSession(await takeSnapshot(io), wanted, io);
  const result = session.state === "dormant" ? ENDED : await focusSession(session, machine);
  if (result.outcome === "focused" && session.unread) await markSessions({ verb: "read", ids: [session.id] }, io);
  const offers = result.outcome === "focused" ? [] : [...result.offers, ...resumeOffer(session, machine)];
  return { id: session.id, ...result, offers };
}

const ENDED: FocusResult = {
  outcome: "uncertain",
  what: "Nothing was brought forward.",
  reason: "The session has ended.",
  offers: [],
};

function resumeOffer(session: Session, machine: Machine): Offer[] {
  try {
    return [{ kind: "resume", title: "Copy Resume Command", text: resumeText(session, machine) }];
  } catch (error) {
    // Its agent has none, or its folder's name cannot be given to a shell.
    if (error instanceof SessionsError) return [];
    throw error;
  }
}

/** `agent-sessions focus ID`: goes to a session, and says how near it came. */
export async function focus(
  { wanted, json }: { wanted: string; json: boolean },
  io: CliIo,
  machine?: Machine,
): Promise<ExitCode> {
  const outcome = await focusOn(wanted, io, machine);
  io.stdout.write(json ? `${printableJson(focusJson(outcome))}\n` : focusText(outcome));
  return outcome.outcome === "focused" || outcome.outcome === "opened" ? EXIT.ok : EXIT.failed;
}

function focusJson({ id, outcome, what, reason, offers }: FocusOutcome) {
  return {
    id,
    outcome,
    what,
    reason: reason ?? null,
    offers: offers.map(({ kind, title, text }) => ({ kind, title, text: text ?? null })),
  };
}

function focusText({ what, reason, offers }: FocusOutcome): string {
  const lines = [reason === undefined ? what : `${what} ${reason}`];
  for (const { title, text } of offers) if (text !== undefined) lines.push(`${title}: ${text}`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}
