import { isoOf } from "../files/timestamp";
import { ageOf, shortAge } from "../session/age";
import { besides } from "../session/besides";
import { cacheOf } from "../session/cache";
import { cacheText } from "../session/cache-text";
import { wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import { requestText } from "../session/request-text";
import type { Session } from "../session/session";
import { fenced, idTold, TEXT_LIMITS } from "./fenced-text";
import { stateWord } from "./state-word";

/** A session in a list for a model; keys as in `agent-sessions list --json`, what is not known is absent. */
export interface SessionBrief {
  id: string;
  title: string;
  agent: string;
  state: string;
  /** When it came to that state, and how long ago that is. */
  since: string;
  age: string;
  needs_you: boolean;
  unread: boolean;
  /** What it wants from the user, in our words. */
  wants?: string;
  /** The same in the session's own. */
  message?: string;
  doing?: string;
  /** What goes on beside its turn. */
  beside?: string;
  /** Whether waking it is cheap: `warm, 42m left`, `cold for 3h`. */
  cache_text: string;
  /** How many tokens of context its model reads again when it is woken cold. */
  context_tokens?: number;
  project?: string;
  /** How far the last request to it came. */
  request_text?: string;
}

/** A session as a model gets it in a list: what a person sees in a row, and no more. */
export function sessionBrief(session: Session, now: Seconds): SessionBrief {
  const { message, activity, tool, project, context, request } = session;
  const doing = activity ?? tool;
  const wants = wantOf(session);
  const beside = besides(session, now);
  return {
    ...sessionName(session),
    agent: session.agent,
    state: stateWord(session.state),
    since: isoOf(session.since),
    age: shortAge(ageOf(session.since, now)),
    needs_you: session.needsYou,
    unread: session.unread,
    ...(wants === undefined ? {} : { wants }),
    ...(message === undefined ? {} : { message: fenced(message, TEXT_LIMITS.brief) }),
    ...(doing === undefined ? {} : { doing: fenced(doing, TEXT_LIMITS.brief) }),
    ...(beside === "" ? {} : { beside }),
    cache_text: cacheText(cacheOf(session, now), now),
    ...(context?.tokens === undefined ? {} : { context_tokens: context.tokens }),
    ...(project === undefined ? {} : { project: fenced(project, TEXT_LIMITS.project) }),
    ...(request === undefined ? {} : { request_text: fenced(requestText(request), TEXT_LIMITS.brief) }),
  };
}

/** What a session is called, for a model. */
export interface SessionName {
  id: string;
  title: string;
}

/** What a session is called, for a model. */
export function sessionName({ id, title }: Pick<Session, "id" | "title">): SessionName {
  return { id: idTold({ id }), title: fenced(title, TEXT_LIMITS.title) };
}
