import { basename } from "node:path";
import type { AskReport } from "../cli/invoke-request";
import type { RequestKind, RequestOutcome } from "../session/request";
import { hasSucceeded, isOver, lastStep } from "../session/request-progress";
import { requestText } from "../session/request-text";
import { cutText, printable } from "../session/text";
import { shortTitle } from "./waking";

/** What came of asking, for a toast or a HUD. */
export interface Told {
  /** `pending`: it goes on, and the session's row says how. */
  outcome: "done" | "pending" | "failed";
  title: string;
  message?: string;
}

/** What is said while it is asked, once it is done, while it goes on, and when nothing comes of it. */
interface Words {
  doing: string;
  done: string;
  pending: string;
  failed: string;
}

/** The words for one session, by what was asked of it. */
export const ASKING: Readonly<Record<RequestKind, Words>> = {
  save: { doing: "Asking to Save…", done: "Saved", pending: "Still Saving", failed: "Not Saved" },
  "save-restart": {
    doing: "Asking to Save and Restart…",
    done: "Saved and Restarted",
    pending: "Still Saving",
    failed: "Not Restarted",
  },
  "save-auto": {
    doing: "Asking to Save and Restart…",
    done: "Saved and Restarted",
    pending: "Still Saving",
    failed: "Not Restarted",
  },
  cancel: {
    doing: "Canceling Restart…",
    done: "Restart Canceled",
    pending: "Asked to Cancel",
    failed: "Could Not Cancel Restart",
  },
  interrupt: { doing: "Stopping…", done: "Stopped", pending: "Asked to Stop", failed: "Could Not Stop" },
  prompt: { doing: "Sending Message…", done: "Message Sent", pending: "Message Is on Its Way", failed: "Not Sent" },
};

const MESSAGE_LIMIT = 400;

/** What came of asking, in a title, with the reason of whatever did not come about. */
export function toldOf(report: AskReport): Told {
  const { kind, reached, leftOut, refused } = report;
  const words = ASKING[kind];
  const others = [...refused, ...leftOut];
  const [first] = reached;
  if (reached.length + others.length === 0) {
    return { outcome: "failed", title: words.failed, message: "There is no open session." };
  }
  if (reached.length === 1 && others.length === 0 && first !== undefined) return toldOfOne(kind, first, words);
  const [other] = others;
  if (reached.length === 0 && others.length === 1 && other !== undefined) {
    return { outcome: "failed", title: words.failed, ...messageOf(sentence(other.reason)) };
  }
  return toldOfMany(report, words);
}

function toldOfOne(kind: RequestKind, { request, note }: AskReport["reached"][number], words: Words): Told {
  if (isReached(kind, request)) {
    const proof = proofText(request);
    if (!isWhole(kind, request)) {
      return { outcome: "failed", title: "Saved, Not Restarted", ...messageOf(note) };
    }
    return { outcome: "done", title: words.done, ...messageOf(note ?? proof) };
  }
  return isOver(request)
    ? { outcome: "failed", title: words.failed, ...messageOf(sentence(endText(request))) }
    : { outcome: "pending", title: words.pending, ...messageOf(waitingText(request)) };
}

function toldOfMany({ kind, reached, leftOut, refused }: AskReport, words: Words): Told {
  const done = reached.filter(({ request }) => isReached(kind, request) && isWhole(kind, request));
  const open = reached.filter(({ request }) => !isOver(request));
  const asked = reached.length + refused.length;
  const reasons = [
    ...reached
      .filter((each) => !done.includes(each) && !open.includes(each))
      .map(({ title, request, note }) => `${shortTitle({ title })}: ${note ?? endText(request)}`),
    ...refused.map(({ title, reason }) => `${shortTitle({ title })}: ${withoutOptions(reason)}`),
    ...leftOut.map(({ title, reason }) => `${shortTitle({ title })}: left out, ${withoutOptions(reason)}`),
  ];
  const message = messageOf(reasons.join("; "));
  if (open.length > 0) return { outcome: "pending", title: `${words.pending}: ${open.length} of ${asked}`, ...message };
  if (done.length === 0) return { outcome: "failed", title: words.failed, ...message };
  return {
    outcome: done.length === asked ? "done" : "failed",
    title: `${words.done}: ${done.length} of ${asked}`,
    ...message,
  };
}

/** Whether a request came to what it was for; what is taken back is the request that waited, whatever it was. */
function isReached(kind: RequestKind, request: RequestOutcome): boolean {
  return hasSucceeded(request) || (kind === "cancel" && lastStep(request).outcome === "cancelled");
}

/** Why a request came to nothing: the reason alone says it, unless half of it was done. */
function endText(request: RequestOutcome): string {
  const { reason } = lastStep(request);
  const hasSaved = request.steps.some(({ outcome }) => outcome === "saved");
  return reason === undefined || hasSaved ? requestText(request) : reason;
}

/** Whether a session did all it was asked: one that only saves where it was to start fresh did half of it. */
function isWhole(kind: RequestKind, request: RequestOutcome): boolean {
  return kind === "cancel" || request.kind === kind;
}

function proofText(request: RequestOutcome): string | undefined {
  const proof = request.steps.findLast((step) => step.proof !== undefined)?.proof;
  if (proof === undefined) return undefined;
  return `${proof.lines === 1 ? "1 line" : `${proof.lines} lines`} in ${basename(proof.file)}`;
}

/** Why it is not there yet, where that is known. */
function waitingText(request: RequestOutcome): string {
  const isWaiting = lastStep(request).outcome === "queued";
  if (isWaiting && request.by === "stop-hook") return "It gets it at the end of its turn.";
  return `${sentence(requestText(request))} Its row says how it goes on.`;
}

function messageOf(text: string | undefined): { message?: string } {
  return text === undefined || text === "" ? {} : { message: cutText(printable(text), MESSAGE_LIMIT) };
}

/** A reason as a sentence. */
function sentence(reason: string): string {
  const text = withoutOptions(reason).trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** A reason without the command's options, which a launcher has not. */
export function withoutOptions(reason: string): string {
  return reason.replace(/ \(--[a-z-]+\)/g, "");
}
