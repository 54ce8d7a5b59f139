import { SessionsError } from "../../session/failure";
import { cutText, printable, printableJson } from "../../session/text";
import type { Machine } from "../../terminals/machine";
import { resumeSession, resumeText, type ResumeIn, type ResumeResult } from "../../terminals/resume";
import { ThisMachine } from "../../terminals/this-machine";
import { isTerminalName } from "../../terminals/which-terminal";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";
import { wantedSession } from "./wanted-session";
import { markSessions } from "./read-marks";

/** What came of it, with the session it was about. */
export interface ResumeOutcome extends ResumeResult {
  id: string;
}

/**
 * Takes an ended session up again in a new window of a terminal; then it is read.
 *
 * @param terminal the name of a terminal, or `tmux`; absent: the one it was in, else the usual one
 * @throws SessionsError `not-found` or `ambiguous`; `usage` for a name that is no terminal's; `refused` when it still
 *   runs or cannot be resumed; `command-missing` when no terminal is found; what marking as read throws
 */
export async function resumeIn(
  wanted: string,
  terminal: string | undefined,
  io: CliIo,
  machine: Machine = new ThisMachine(io.environment),
): Promise<ResumeOutcome> {
  const choice = terminal === undefined ? undefined : parseTerminal(terminal);
  const session = wantedSession(await takeSnapshot(io), wanted, io);
  const result = await resumeSession(session, choice, machine);
  if (result.outcome === "started" && session.unread) await markSessions({ verb: "read", ids: [session.id] }, io);
  return { id: session.id, ...result };
}

function parseTerminal(name: string): ResumeIn {
  if (name === "tmux" || isTerminalName(name)) return name;
  throw new SessionsError(
    "usage",
    `"${printable(cutText(name, 80))}" is no terminal that is known.`,
    "docs/terminals.md lists their names.",
  );
}

/** `agent-sessions resume ID`: resumes a session in a new window, or prints the command that does. */
export async function resume(
  { wanted, terminal, print, json }: { wanted: string; terminal?: string; print: boolean; json: boolean },
  io: CliIo,
  machine: Machine = new ThisMachine(io.environment),
): Promise<ExitCode> {
  if (print) {
    const session = wantedSession(await takeSnapshot(io), wanted, io);
    const text = resumeText(session, machine);
    io.stdout.write(json ? `${printableJson({ id: session.id, text })}\n` : commandText(text, io));
    return EXIT.ok;
  }
  const outcome = await resumeIn(wanted, terminal, io, machine);
  const { id, what, reason, text } = outcome;
  if (json) {
    io.stdout.write(`${printableJson({ id, outcome: outcome.outcome, what, reason: reason ?? null, text })}\n`);
  } else {
    io.stdout.write(`${printable(reason === undefined ? what : `${what} ${reason}`)}\n`);
    if (outcome.outcome !== "started") io.stdout.write(commandText(text, io));
  }
  return outcome.outcome === "failed" ? EXIT.failed : EXIT.ok;
}

/**
 * A command line as it is, so that it can be evaluated: what it holds has been checked. A terminal is not shown the marks
 * that turn the direction of a line: who pastes it has to see what it does.
 */
function commandText(text: string, { stdout }: Pick<CliIo, "stdout">): string {
  return `${stdout.isTerminal ? printable(text) : text}\n`;
}
