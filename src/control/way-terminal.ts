import { promptRefusal, turnRefusal } from "./at-prompt";
import { inputRefusal, pressEscape, typeText } from "./typing";
import { typingPlaceOf } from "./typing-place";
import type { Way } from "./way";

/** Into the session's terminal, as if the user typed. */
export const terminalWay: Way = {
  way: "terminal",
  refusal(session, kind) {
    const refusal = kind === "interrupt" ? turnRefusal(session) : (promptRefusal(session) ?? inputRefusal(session));
    if (refusal !== undefined) return refusal;
    const found = typingPlaceOf(session);
    return found.outcome === "none" ? found.reason : undefined;
  },
  async send({ session, request, text, surroundings }) {
    const typed =
      request.kind === "interrupt"
        ? await pressEscape(session, surroundings)
        : await typeText(session, text, surroundings);
    switch (typed.outcome) {
      case "typed":
        return { outcome: "delivered" };
      case "refused":
        return { outcome: "unavailable", reason: typed.reason };
      case "failed":
        return { outcome: "failed", reason: typed.reason };
      default:
        return typed satisfies never;
    }
  },
};
