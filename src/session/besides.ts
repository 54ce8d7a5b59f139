import { shortAge } from "./age";
import type { Seconds } from "./report";
import type { Session } from "./session";

/** What goes on beside a session's own turn, in a few words; empty when nothing does. */
export function besides(session: Session, now: Seconds): string {
  const background = Object.values(session.background ?? {});
  const failed = background.filter(({ failedAt, exitCode }) => failedAt !== undefined || (exitCode ?? 0) !== 0).length;
  const parts = [
    counted(session.subagents, "subagent"),
    counted(background.length - failed, "background command"),
    counted(failed, "failed command"),
    counted(Object.keys(session.monitors ?? {}).length, "monitor"),
    session.state === "scheduled" && session.wakeupAt !== undefined
      ? `wakes up in ${shortAge(Math.max(0, session.wakeupAt - now))}`
      : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function counted(count: number, noun: string): string {
  return count <= 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}
