import { filterSessions } from "../cli/filter";
import { isoOf } from "../files/timestamp";
import { observe } from "../observe/observer";
import { isUnreported, type Snapshot } from "../observe/snapshot";
import { SessionsError } from "../session/failure";
import { agentNamed } from "../session/identity";
import type { Session } from "../session/session";
import type { State } from "../session/state";
import { settingsToRead } from "../views/settings";
import { fenced, FENCE_NOTE, TEXT_LIMITS } from "./fenced-text";
import { includesWords } from "./meant-session";
import { sessionBrief, type SessionBrief } from "./session-brief";
import { stateOfWord, STATE_WORDS, type StateWord } from "./state-word";
import { ToolInput } from "./tool-input";

type Input = {
  /** True: only the sessions that cannot go on without the user (waiting, decision, failed). */
  needsMe?: boolean;
  /** True: only the sessions with a finished answer that the user has not seen. */
  unread?: boolean;
  /** Only sessions in one of these states. "done": finished its answer. "subagents": waits for its subagents. "ended": closed. */
  states?: StateWord[];
  /** Only sessions of this agent, such as "claude", "codex", "gemini" or "opencode". */
  agent?: string;
  /** Only sessions whose title, project, folder, message or id has every one of these words. */
  text?: string;
};

/** At most so many sessions are told. */
const LIMIT = 50;

/** At most so many problems are told. */
const PROBLEMS = 5;

/** What a model is told of the sessions. */
export interface SessionList {
  note: string;
  at: string;
  /** How many there are in all, how many fit, and how many of those are left out here. */
  known: number;
  matching: number;
  left_out: number;
  sessions: SessionBrief[];
  /** Why nothing is there, or not everything. */
  hint?: string;
  /** What could not be read, so that its sessions may be missing or old, and which preferences are wrong. */
  problems?: string[];
}

/**
 * Lists the user's sessions of AI coding agents, the most urgent first: those that need the user (the longest waiting
 * first), unread answers, working ones, scheduled, idle, ended. Call it for every question about which sessions there
 * are, which needs the user, what one waits for, or what is unread, and to get the id of a session. Without filters it
 * gives all. At most 50 come back; "left_out" says how many more fit, so say that to the user or filter more closely.
 */
export default async function listSessions(input: Input): Promise<SessionList> {
  const given = new ToolInput(input, ["needsMe", "unread", "states", "agent", "text"]);
  const agent = given.text("agent");
  const states = given.texts("states").map(stateMeant);
  const filter = {
    states,
    agents: agent === undefined ? [] : [agentNamed(agent).agent],
    needsMe: given.flag("needsMe"),
  };
  const [isUnread, text] = [given.flag("unread"), given.text("text")];
  const { watched, problems: wrong } = settingsToRead();
  const snapshot = await observe(watched);
  const { sessions, at } = snapshot;
  const problems = [
    ...wrong.map(({ reason }) => reason),
    ...snapshot.problems.map(({ file, reason }) => `${file}: ${reason}`),
  ];
  const matching = filterSessions(sessions, filter).filter(
    (session) => (!isUnread || session.unread) && (text === undefined || says(session, text)),
  );
  const hint = hintOf(snapshot, matching.length);
  return {
    note: FENCE_NOTE,
    at: isoOf(at),
    known: sessions.length,
    matching: matching.length,
    left_out: Math.max(0, matching.length - LIMIT),
    sessions: matching.slice(0, LIMIT).map((session) => sessionBrief(session, at)),
    ...(hint === undefined ? {} : { hint }),
    ...(problems.length === 0
      ? {}
      : {
          problems: [
            ...problems.slice(0, PROBLEMS).map((each) => fenced(each, TEXT_LIMITS.detail)),
            ...(problems.length > PROBLEMS ? [`and ${problems.length - PROBLEMS} more`] : []),
          ],
        }),
  };
}

/** @throws SessionsError `usage` */
function stateMeant(word: string): State {
  const state = stateOfWord(word);
  if (state !== undefined) return state;
  throw new SessionsError(
    "usage",
    `${JSON.stringify(word.slice(0, 60))} is no state.`,
    `States: ${STATE_WORDS.join(", ")}.`,
  );
}

function says({ title, project = "", cwd = "", message = "", activity = "", id }: Session, text: string): boolean {
  return includesWords([title, project, cwd, message, activity, id].join(" "), text);
}

function hintOf(snapshot: Snapshot, matching: number): string | undefined {
  const { sessions, found } = snapshot;
  if (sessions.length === 0) {
    const reports = found.events || found.statusDirectory || found.signalStateFile || found.registry;
    return reports
      ? "No session is known."
      : "No agent reports on this machine yet. The command Set Up Agents of this extension changes that.";
  }
  if (isUnreported(snapshot)) {
    return "Only the agents' registries tell of these: what they want and have answered is not known until the user runs the command Set Up Agents.";
  }
  return matching === 0 ? "None of the sessions that are known fits." : undefined;
}
