import { explainText } from "../cli/explain-text";
import { sessionJson } from "../cli/snapshot-json";
import { isoOf } from "../files/timestamp";
import { observe } from "../observe/observer";
import { SessionsError } from "../session/failure";
import { settingsToRead } from "../views/settings";
import { fenced, fencedLines, FENCE_NOTE, TEXT_LIMITS, told, type Told } from "./fenced-text";
import { meantSession } from "./meant-session";
import { sessionBrief } from "./session-brief";
import { ToolInput } from "./tool-input";

type Input = {
  /** The session: its id from list-sessions, the beginning of one, or words of its title that only it has. */
  session: string;
};

/** What a model is told of one session. */
export interface SessionDetail {
  note: string;
  at: string;
  /** Everything that is known, by the keys of `agent-sessions show --json`. */
  session: Record<string, Told>;
  /** Why it shows what it shows: what each source said and when, what was overruled, what waking it costs. */
  explanation: string;
}

/**
 * Tells everything that is known of one session: what it wants and says, what it does, its folder, process and model,
 * how full its context is, whether it is warm or cold, what was asked of it and how far that came, and, in
 * "explanation", why it is in that state by which evidence. Call it when the user asks about one session in particular,
 * why it shows a state, or what became of a pause.
 */
export default async function showSession(input: Input): Promise<SessionDetail> {
  const wanted = new ToolInput(input, ["session"]).text("session");
  if (wanted === undefined) {
    throw new SessionsError("usage", "No session is named.", "Give its id, or words of its title.");
  }
  const { sessions, at } = await observe(settingsToRead().watched);
  const session = meantSession(sessions, wanted);
  const { message, cwd } = session;
  const known = told(sessionJson(session, at));
  return {
    note: FENCE_NOTE,
    at: isoOf(at),
    session: {
      ...(typeof known === "object" && !Array.isArray(known) ? known : {}),
      ...sessionBrief(session, at),
      ...(message === undefined ? {} : { message: fenced(message, TEXT_LIMITS.message) }),
      ...(cwd === undefined ? {} : { cwd: fenced(cwd, TEXT_LIMITS.detail) }),
    },
    explanation: fencedLines(explainText(session, at, false), TEXT_LIMITS.explanation),
  };
}
