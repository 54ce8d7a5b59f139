import type { Outcome, RequestOutcome } from "./request";

const WORDS: Readonly<Record<Outcome, string>> = {
  queued: "queued",
  delivered: "delivered",
  saving: "saving …",
  saved: "saved",
  restarted: "saved and restarted",
  refused: "refused",
  expired: "expired",
  failed: "failed",
  cancelled: "cancelled",
};

/** How far a request came, in a word or two, with the reason where there is one. */
export function requestText({ steps }: Pick<RequestOutcome, "steps">): string {
  const last = steps.at(-1);
  if (last === undefined) return "";
  const saved = last.outcome !== "saved" && steps.some(({ outcome }) => outcome === "saved") ? "saved, " : "";
  const words = last.outcome === "restarted" ? WORDS.restarted : `${saved}${WORDS[last.outcome]}`;
  return last.reason === undefined ? words : `${words}: ${last.reason}`;
}
