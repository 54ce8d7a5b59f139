import type { Seconds } from "./report";
import type { Outcome, OutcomeStep, RequestKind, RequestOutcome } from "./request";

/** A request that nobody began after this long does not keep another one away (seed 002: 60 seconds). */
export const UNSTARTED_AFTER: Seconds = 60;

/** Of a request that was begun, something is heard again within this time, or nothing more will be. */
export const SILENT_AFTER: Seconds = 30 * 60;

/** How long an end is news. */
const NEWS: Seconds = 30 * 60;

const ENDS: ReadonlySet<Outcome> = new Set<Outcome>(["restarted", "refused", "expired", "failed", "cancelled"]);

/** The step a request came to. */
export function lastStep({ steps }: Pick<RequestOutcome, "steps">): OutcomeStep {
  const step = steps.at(-1);
  if (step === undefined) throw new RangeError("a request has at least one step");
  return step;
}

/** Whether a kind asks for a save. */
export function isSave(kind: RequestKind): boolean {
  return kind === "save" || kind === "save-restart" || kind === "save-auto";
}

/** Whether nothing more comes of a request: a save is over when it is saved, a message when it has arrived. */
export function isOver(request: Pick<RequestOutcome, "kind" | "steps">): boolean {
  const { outcome } = lastStep(request);
  if (ENDS.has(outcome)) return true;
  if (outcome === "saved") return request.kind === "save";
  return outcome === "delivered" && !isSave(request.kind);
}

/** Whether a request keeps the session from being asked for more: it runs, or was just made. */
export function isPending(request: Pick<RequestOutcome, "kind" | "steps">, now: Seconds): boolean {
  if (isOver(request)) return false;
  const { outcome, at } = lastStep(request);
  return now - at < (outcome === "queued" ? UNSTARTED_AFTER : SILENT_AFTER);
}

/** Whether a request came to what it was for. */
export function hasSucceeded(request: Pick<RequestOutcome, "kind" | "steps">): boolean {
  const { outcome } = lastStep(request);
  switch (request.kind) {
    case "save":
      return outcome === "saved";
    case "save-restart":
    case "save-auto":
      return outcome === "restarted";
    case "cancel":
    case "interrupt":
    case "prompt":
      return outcome === "delivered" || outcome === "saved" || outcome === "cancelled";
    default:
      return request.kind satisfies never;
  }
}

/** Whether a request still belongs into a list: it runs, or has just ended. */
export function isNews(request: Pick<RequestOutcome, "kind" | "steps">, now: Seconds): boolean {
  return !isOver(request) || now - lastStep(request).at < NEWS;
}

/** A request with one step more. */
export function withStep(request: RequestOutcome, step: OutcomeStep): RequestOutcome {
  return { ...request, steps: [...request.steps, step] };
}
