import type { RequestKind } from "../session/request";
import type { Session } from "../session/session";
import type { Way } from "./way";
import { codexQueueWay } from "./way-codex-queue";
import { opencodeWay } from "./way-opencode";
import { stopHookWay } from "./way-stop-hook";
import { terminalWay } from "./way-terminal";

/** The ways to a session without a receiver, the most certain first. */
export const WAYS: readonly Way[] = [stopHookWay, codexQueueWay, opencodeWay, terminalWay];

/** Whether a way's refusal tells the user anything: that a Claude session has no queue of Codex does not. */
export function isOfUse({ way }: Way, { agent }: Session, kind: RequestKind): boolean {
  switch (way) {
    case "stop-hook":
      return kind !== "interrupt" && (agent === "claude" || agent === "codex");
    case "codex-queue":
      return kind !== "interrupt" && agent === "codex";
    case "opencode":
      return agent === "opencode";
    case "terminal":
      return true;
    case "plugin":
      return agent === "claude";
    default:
      return way satisfies never;
  }
}

/** What a session can be asked now, as far as its row tells: to save and start fresh, only to save, or nothing. */
export type Reach = "restart" | "save" | "none";

/** What a session can be asked now. What a way finds out when it is taken may still refuse it. */
export function reachOf(session: Session): Reach {
  if (session.state === "dormant" || session.liveness === "gone") return "none";
  if (session.plugin !== undefined) return "restart";
  return WAYS.some((way) => way.refusal(session, "save") === undefined) ? "save" : "none";
}
