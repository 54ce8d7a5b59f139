import { invokeMark } from "../cli/invoke";
import { observe } from "../observe/observer";
import { refreshMenuBar } from "../views/menu-refresh";
import { settingsToAct } from "../views/settings";
import { FENCE_NOTE } from "./fenced-text";
import { meantSession } from "./meant-session";
import { sessionName, type SessionName } from "./session-brief";
import { ToolInput } from "./tool-input";

type Input = {
  /** The sessions whose answers are marked: ids from list-sessions, beginnings of ids, or words of a title that only one has. */
  ids?: string[];
  /** True: every unread answer, those of ended sessions too. Give this or ids, not both. */
  all?: boolean;
};

/** At most so many sessions are named. */
const LIMIT = 50;

/** What a model is told of marking. */
export interface Marked {
  note: string;
  marked: SessionName[];
  /** How many more were marked than are named. */
  left_out: number;
  /** The named sessions that had no unread answer. */
  already_read: SessionName[];
}

/**
 * Marks finished answers as read, of the sessions that are named or of all. Call it only when the user asks for it.
 * Nothing is deleted, and the user can mark an answer as unread again. An answer that finishes meanwhile stays unread.
 * Tell the user which sessions were marked.
 */
export default async function markAsRead(input: Input): Promise<Marked> {
  const wanted = new ToolInput(input, ["ids", "all"]).sessions();
  const { watched, invoker } = settingsToAct();
  const { sessions, at } = await observe(watched);
  const ids = wanted === "all" ? [] : wanted.map((each) => meantSession(sessions, each).id);
  const { changed, unchanged } = await invokeMark(
    wanted === "all" ? { verb: "read-all", until: at } : { verb: "read", ids, until: at },
    invoker,
  );
  if (changed.length > 0) await refreshMenuBar();
  const named = (each: readonly string[]) =>
    each.slice(0, LIMIT).map((id) => sessionName(sessions.find((session) => session.id === id) ?? { id, title: id }));
  return {
    note: FENCE_NOTE,
    marked: named(changed),
    left_out: Math.max(0, changed.length - LIMIT),
    already_read: wanted === "all" ? [] : named(unchanged),
  };
}
