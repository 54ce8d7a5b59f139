import type { Session } from "../session/session";
import { isBusy } from "./at-prompt";
import { placeStopAnswer, withdrawStopAnswer } from "./stop-answer";
import { unavailable, type Way } from "./way";

/** Agents whose Stop hook can have them go on with a text (agents' documents; tried with both). */
const ANSWERED: ReadonlySet<string> = new Set(["claude", "codex"]);

/** By the answer that our recorder prints at the end of the turn that runs. */
export const stopHookWay: Way = {
  way: "stop-hook",
  refusal(session, kind) {
    if (kind === "interrupt") return "a turn cannot be stopped by its own end";
    if (!ANSWERED.has(session.agent)) return `${session.agent} takes no answer at the end of a turn`;
    if (!isBusy(session)) return "no turn of it runs";
    // The recorder is a shell script: it looks for the names of plain ids alone.
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,179}$/.test(session.sessionId)) return "its id is no plain name";
    return isTold(session) ? undefined : "its hooks do not report here";
  },
  async send({ session, request, text, control, surroundings }) {
    placeStopAnswer(control, session, { expiresAt: request.expiresAt, reason: text });
    // The turn may have ended just now: then nobody comes for the answer, and another way is open.
    const now = await surroundings.refresh(session.id);
    if (now !== undefined && isBusy(now)) return { outcome: "queued" };
    return withdrawStopAnswer(control, session) ? unavailable("its turn has just ended") : { outcome: "delivered" };
  },
};

/** Whether our own hooks told of the turn that runs: then they will tell of its end, too. */
function isTold({ evidence, unreadableSince }: Session): boolean {
  return unreadableSince === undefined && evidence.some((each) => each.source === "events" && isBusy(each));
}
