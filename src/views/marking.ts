import { invokeMark } from "../cli/invoke";
import type { Session } from "../session/session";
import { settingsToAct } from "./settings";

/** Marks the answer of a session that is shown as read, and gives what to say of it. */
export async function markRead({ id, doneAt }: Pick<Session, "id" | "doneAt">): Promise<string> {
  const until = doneAt === undefined ? {} : { until: doneAt };
  const { changed } = await invokeMark({ verb: "read", ids: [id], ...until }, settingsToAct().invoker);
  return changed.length > 0 ? "Marked as Read" : "Already Read";
}

/** Marks the last answer of a session as unread again. */
export async function markUnread({ id }: Pick<Session, "id">): Promise<string> {
  const { changed } = await invokeMark({ verb: "unread", ids: [id] }, settingsToAct().invoker);
  return changed.length > 0 ? "Marked as Unread" : "Already Unread";
}

/** Marks every answer as read, those of ended sessions too. */
export async function markAllRead(): Promise<string> {
  const { changed } = await invokeMark({ verb: "read-all" }, settingsToAct().invoker);
  if (changed.length === 0) return "No Unread Answers";
  return changed.length === 1 ? "Marked 1 Answer as Read" : `Marked ${changed.length} Answers as Read`;
}
