import { SessionsError } from "../session/failure";
import type { AgentProcess } from "../session/report";
import type { State } from "../session/state";
import type { TerminalFacts } from "../session/terminal-facts";
import type { Machine, RunResult } from "./machine";
import { openingIn, shellArguments, usualTerminals, type Opening, type OpeningIn } from "./opening";
import { posixText, powershellText, resumeCommand, type Resumable, type ResumeCommand } from "./resume-command";
import { clientsOf, listClients } from "./tmux";
import { terminalOfFacts, type TerminalName } from "./which-terminal";

/** A session that is to be taken up again. */
export interface EndedSession extends Resumable {
  state: State;
  process?: AgentProcess;
  terminal?: TerminalFacts;
}

/** Where the user wants it: a terminal by name, or a new window of tmux. */
export type ResumeIn = TerminalName | "tmux";

export interface ResumeResult {
  /** `started`: the agent runs in a new window. `opened`: only the folder is open; the command is to be pasted. */
  outcome: "started" | "opened" | "failed";
  what: string;
  reason?: string;
  /** The command line, for the usual shell of the system. */
  text: string;
}

/**
 * The command line that takes a session up again, to copy.
 *
 * @throws SessionsError `refused` when its agent has none, or id or folder cannot be given to a shell
 */
export function resumeText(session: Resumable, { platform, home }: Pick<Machine, "platform" | "home">): string {
  return textFor(commandOf(session, home), platform);
}

/**
 * Takes an ended session up again in a new window of a terminal.
 *
 * @param choice absent: the terminal it was in, else the usual one of the system
 * @throws SessionsError `refused` when it still runs, its agent cannot resume, or its folder is gone; `command-missing`
 *   when no terminal is found
 */
export async function resumeSession(
  session: EndedSession,
  choice: ResumeIn | undefined,
  machine: Machine,
): Promise<ResumeResult> {
  const command = commandOf(session, machine.home);
  await refuseRunning(session, machine);
  if (command.cwd !== undefined && !machine.isFolder(command.cwd)) {
    throw new SessionsError(
      "refused",
      `The session's folder ${command.cwd} is gone.`,
      "Its agent resumes it only there.",
    );
  }
  const text = textFor(command, machine.platform);
  if (choice === "tmux") return inTmux(command, text, machine);
  const opening = chosenOpening(session, command, choice, machine);
  const result = opening.stays ? await machine.start(opening.step) : await machine.run(opening.step);
  const reason = failureOf(opening.title, result, opening);
  if (reason !== undefined) return { outcome: "failed", what: "The session was not resumed.", reason, text };
  return opening.pastes === true
    ? {
        outcome: "opened",
        what: `Opened the folder in ${opening.title}.`,
        reason: `${opening.title} takes no command from outside: paste it.`,
        text,
      }
    : { outcome: "started", what: `Resumed in ${opening.title}.`, text };
}

function commandOf(session: Resumable, home: string): ResumeCommand {
  const command = resumeCommand(session, home);
  if (command !== undefined) return command;
  throw new SessionsError("refused", `Sessions of ${session.agent} cannot be resumed by their id.`);
}

function textFor(command: ResumeCommand, platform: NodeJS.Platform): string {
  return platform === "win32" ? powershellText(command) : posixText(command);
}

/** States in which an agent is at work, or asks: without a process to tell otherwise, it runs. */
const ACTIVE: ReadonlySet<State> = new Set(["working", "waiting", "decision", "waitingForSubagents", "compacting"]);

/** A second agent on the same session would write a branch that the first one never sees. */
async function refuseRunning({ state, process }: EndedSession, machine: Machine): Promise<void> {
  const tree = process === undefined ? undefined : await machine.processes();
  const runs = process !== undefined && tree !== undefined ? tree.identify(process) === "same" : ACTIVE.has(state);
  if (!runs) return;
  throw new SessionsError("refused", "The session still runs.", "Run agent-sessions focus with its id to go there.");
}

function chosenOpening(
  session: EndedSession,
  command: ResumeCommand,
  choice: TerminalName | undefined,
  machine: Machine,
): Opening {
  if (choice !== undefined) {
    const opening = openingIn(choice, command, machine);
    if (opening !== undefined) return opening;
    throw new SessionsError("refused", `${choice} cannot be told to run a command here.`, "Choose another terminal.");
  }
  const own = terminalOfFacts(session.terminal ?? {})?.name;
  const candidates: OpeningIn[] = [...(own === undefined ? [] : [own]), ...usualTerminals(machine.platform)];
  for (const candidate of candidates) {
    const opening = openingIn(candidate, command, machine);
    // Scripts and links are the system's to run; what they open is asked for by its name.
    const isThere = machine.platform !== "linux" || (opening !== undefined && machine.has(opening.step.argv[0]));
    if (opening !== undefined && isThere && opening.pastes !== true) return opening;
  }
  throw new SessionsError("command-missing", "No terminal is found to resume it in.", "Copy the command instead.");
}

/** A new window in the session of tmux that was used last. */
async function inTmux(command: ResumeCommand, text: string, machine: Machine): Promise<ResumeResult> {
  for (const socket of machine.tmuxSockets()) {
    if (!machine.ownsSocket(socket)) continue;
    const listed = await machine.run(listClients(socket));
    const client = listed.outcome === "ended" && listed.code === 0 ? clientsOf(listed.stdout)[0] : undefined;
    if (client === undefined) continue;
    const result = await machine.run({
      // Several words are run as they are, without a shell (tmux(1), new-window); none of them ends with a `;`, which
      // would end the command.
      argv: [
        ...(["tmux", "-S", socket, "new-window", "-t", `${client.session}:`, "--"] as const),
        ...shellArguments(command, machine.shell),
      ],
      environment: { TMUX: undefined, TMUX_PANE: undefined },
    });
    const reason = failureOf("tmux", result);
    if (reason !== undefined) return { outcome: "failed", what: "The session was not resumed.", reason, text };
    return { outcome: "started", what: "Resumed in a new window of tmux.", text };
  }
  throw new SessionsError("command-missing", "No terminal shows a tmux session.", "Attach one, or choose a terminal.");
}

function failureOf(title: string, result: RunResult, opening?: Opening): string | undefined {
  switch (result.outcome) {
    case "absent":
      return `${title} is not installed, or its command is not on the PATH.`;
    case "failed":
      return `${title} did not start: ${result.reason}.`;
    case "ended": {
      const said = result.stderr.trim().split("\n")[0] ?? "";
      if (result.code !== 0) return said === "" ? `${title} ended with status ${result.code}.` : `${title}: ${said}`;
      const answer = opening?.step.answer?.(result.stdout) ?? "done";
      return answer === "done" ? undefined : `${title} did not take the command.`;
    }
    default:
      return result satisfies never;
  }
}
