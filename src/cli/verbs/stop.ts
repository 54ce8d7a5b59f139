import { killRefusal, killSession, type Killed } from "../../control/kill-process";
import { printable, printableJson } from "../../session/text";
import { confirmOn, type Confirm } from "../confirm";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";
import { surroundingsOf, type AskSurroundings } from "./ask-sessions";
import { askAndTell } from "./pause";
import { wantedSession } from "./wanted-session";

/** What `agent-sessions stop` is asked to do. */
export interface StopRequest {
  id: string;
  /** End the session's process, not just its turn. */
  kill: boolean;
  /** Do not ask. */
  yes: boolean;
  wait: boolean;
  json: boolean;
}

/**
 * `agent-sessions stop ID`: stops the turn that runs; with `--kill` ends the process, after asking.
 *
 * @throws SessionsError `not-found`, `ambiguous`; `usage` where there is no terminal to ask on
 */
export async function stop(
  { id, kill, yes, ...how }: StopRequest,
  io: CliIo,
  given: AskSurroundings & { confirm?: Confirm } = {},
): Promise<ExitCode> {
  const { confirm, ...surroundings } = given;
  if (!kill) return askAndTell({ kind: "interrupt", sessions: [id] }, how, io, surroundings);
  const session = wantedSession(await takeSnapshot(io), id, io);
  const refusal = killRefusal(session);
  let killed: Killed | { outcome: "declined" };
  if (refusal !== undefined) killed = { outcome: "refused", reason: refusal };
  else if (!yes && !(await (confirm ?? confirmOn(io))(questionFor(session.title, session.process?.pid)))) {
    killed = { outcome: "declined" };
  } else killed = await killSession(session, surroundingsOf({}, io, surroundings));
  io.stdout.write(how.json ? `${printableJson({ id: session.id, ...killed })}\n` : killText(session.id, killed));
  return killed.outcome === "ended" ? EXIT.ok : EXIT.failed;
}

function questionFor(title: string, pid: number | undefined): string {
  return `End ${printable(title)} (process ${pid ?? "unknown"})? What it has not saved is lost. [y/N] `;
}

function killText(id: string, killed: Killed | { outcome: "declined" }): string {
  switch (killed.outcome) {
    case "ended":
      return `Ended: ${printable(id)}${killed.by === "SIGKILL" ? " (it did not end by itself)" : ""}.\n`;
    case "refused":
      return `Not ended: ${printable(`${id}: ${killed.reason}`)}.\n`;
    case "declined":
      return "Nothing was ended.\n";
    default:
      return killed satisfies never;
  }
}
