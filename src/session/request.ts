import type { Seconds } from "./report";

/**
 * What can be asked of a session from outside.
 *
 * - `save`: write where it stands into its memory file
 * - `save-restart`: save; when the save is proven, start fresh with the pickup phrase in the input field
 * - `save-auto`: as `save-restart`, and the fresh session carries on by itself when the saved file says so
 * - `cancel`: an armed restart does not happen
 * - `interrupt`: stop the turn that runs
 * - `prompt`: a message of the user
 */
export const REQUEST_KINDS = ["save", "save-restart", "save-auto", "cancel", "interrupt", "prompt"] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

/** A request to one session, as a file in its folder of `control/` (docs/control.md). */
export interface ControlRequest {
  /** Never used twice; letters, digits and `-`, at most 64. It is the file's name, too. */
  id: string;
  kind: RequestKind;
  /** For `prompt`: the message. At most 16 KiB, without control characters but line breaks and tabs. */
  text?: string;
  /** Who asks: `launcher`, `command`, or a session's id for one session asking others. */
  author: string;
  at: Seconds;
  /** After this it does nothing any more. */
  expiresAt: Seconds;
}

/**
 * How far a request came. `restarted` and those after it are ends; so are `saved` for a `save` and `delivered` for what is
 * no save.
 */
export const OUTCOMES = [
  "queued",
  "delivered",
  "saving",
  "saved",
  "restarted",
  "refused",
  "expired",
  "failed",
  "cancelled",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** One step of a request, as whoever delivers or carries it out notes it. */
export interface OutcomeStep {
  outcome: Outcome;
  at: Seconds;
  /** Why, for people; always there for refused, failed and cancelled, and for a save after which no restart follows. */
  reason?: string;
  /** For `saved`: the file that was written, and how many lines the session added that are still there. */
  proof?: { file: string; lines: number };
}

/** All steps of a request, oldest first. */
export interface RequestOutcome {
  /** The request's id. */
  id: string;
  kind: RequestKind;
  /** How it reached the session. */
  by?: DeliveryWay;
  steps: readonly OutcomeStep[];
}

/** The ways to reach a session, the most certain first. */
export const DELIVERY_WAYS = ["plugin", "stop-hook", "codex-queue", "opencode", "terminal"] as const;

export type DeliveryWay = (typeof DELIVERY_WAYS)[number];
