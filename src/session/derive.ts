import type { Seconds, SessionReport } from "./report";
import type { State } from "./state";

/** A wake-up stays planned this long past its time: agents fire it late. */
export const WAKEUP_GRACE: Seconds = 120;

/** A failed background command is shown this long. */
export const FAILED_BACKGROUND_SHOWN: Seconds = 15 * 60;

/** What the derivation needs beside the report. */
export interface Circumstances {
  now: Seconds;
  unread: boolean;
  /** Whether the session's process is known to be gone. Not knowing is not gone. */
  processGone: boolean;
}

/**
 * The state to show, from the state a report carries: the order of the status directory's derivation table.
 * Ended first; then what stands as written; then waiting for subagents, scheduled, done or idle.
 * Deriving from a derived state changes nothing.
 */
export function deriveState(
  report: Pick<SessionReport, "state" | "subagents" | "tool" | "wakeupAt">,
  { now, unread, processGone }: Circumstances,
): State {
  const { state } = report;
  if (state === "dormant" || processGone) return "dormant";
  switch (state) {
    case "waiting":
    case "decision":
    case "failed":
    case "compacting":
    case "unknown":
      return state;
    case "waitingForSubagents":
      return (report.subagents ?? 1) > 0 ? state : "working";
    case "working":
      return waitsForSubagents(report) ? "waitingForSubagents" : state;
    case "scheduled":
      // A writer may set it itself; without a time there is nothing that could have passed.
      if (waitsForSubagents(report)) return "waitingForSubagents";
      return report.wakeupAt === undefined || isPlanned(report.wakeupAt, now) ? state : unread ? "done" : "idle";
    case "done":
    case "idle":
      if (waitsForSubagents(report)) return "waitingForSubagents";
      if (report.wakeupAt !== undefined && isPlanned(report.wakeupAt, now)) return "scheduled";
      return state === "done" && unread ? "done" : "idle";
    default:
      return state satisfies never;
  }
}

/** Whether a wake-up is still to come, a late one included. */
export function isPlanned(wakeupAt: Seconds, now: Seconds): boolean {
  return wakeupAt + WAKEUP_GRACE > now;
}

function waitsForSubagents({ subagents, tool }: Pick<SessionReport, "subagents" | "tool">): boolean {
  return (subagents ?? 0) > 0 && tool === undefined;
}
