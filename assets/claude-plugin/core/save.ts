import type { Anchor } from "./anchor";
import { carryOnIn, type CarryOn } from "./carry-on";
import { credited, isProven } from "./proof";

/** What a save is for: only to save, to start fresh afterwards, or to start fresh and carry on alone. */
export type SaveKind = "save" | "fresh" | "auto";

/** Why a session was not started fresh. */
export type Stay =
  | "only-save"
  | "typed"
  | "stopped"
  | "cancelled"
  | "not-clean"
  | "not-written"
  | "no-file"
  | "draft"
  | "subagents"
  | "turn-began"
  | "mid-turn";

/** A save of this session that was asked for: the turn that does it, and what proves it. Times are milliseconds. */
export interface Save {
  kind: SaveKind;
  anchor: Anchor;
  /** When it was asked for. */
  at: number;
  /** What marks it, in its prompt and in the saved file. */
  token: string;
  /** What the prompt of its turn holds, any of them. */
  binds: readonly string[];
  /** Its turn; empty until it began. */
  turn: string;
  /** What the session added to its file itself, as far as it still stood there. */
  proof: readonly string[];
  /** No fresh start will follow, and why. */
  stay?: Stay;
  /** The request from outside that asked for it. */
  request?: string;
}

/** A save that never began gives way to another one after so long. */
export const STALE_MS = 60_000;

/** A cancel counts from so long before the save was asked for: whoever cancels may have seen it asked for elsewhere. */
export const CANCEL_SLACK_MS = 5_000;

/** Asks for a save. Without a file there is nothing to start fresh with: callers ask `mayStartFresh` first. */
export function askedFor(save: Pick<Save, "kind" | "anchor" | "at" | "token" | "binds" | "request">): Save {
  return { ...save, turn: "", proof: [] };
}

/** Whether a save could be followed by a fresh start: only with a file that the phrase reads in. */
export function mayStartFresh(anchor: Anchor): boolean {
  return anchor.file !== "" && anchor.phrase !== "";
}

/** Whether a save keeps another one from beginning: it runs, or was asked for a moment ago. */
export function isInTheWay(save: Save | undefined, now: number): boolean {
  return save !== undefined && (save.turn !== "" || now - save.at < STALE_MS);
}

/** After a turn of the main conversation began. Only the turn of the save's own prompt is its turn, and it has one. */
export function afterTurnStart(save: Save, turn: { turnId: string; text: string }): Save {
  const isItsTurn = save.turn === "" && save.binds.some((mark) => turn.text.includes(mark));
  return isItsTurn ? { ...save, turn: turn.turnId } : save;
}

/** After a tool of the session ran that could have written the file. */
export function afterTool(save: Save, before: string, after: string): Save {
  return { ...save, proof: credited(save.proof, before, after) };
}

/** The session stays as it is after the save: a reason that was there first stands. */
export function staying(save: Save, why: Stay): Save {
  return save.stay === undefined && save.kind !== "save" ? { ...save, stay: why } : save;
}

/** What is known when a turn ended. */
export interface TurnEnd {
  turnId: string;
  reason: "answer" | "aborted" | "refusal" | "error";
  /** The answer's text; without one the turn was broken off (a refused tool ends it so). */
  answer: string;
  /** What stands in the save's file now. */
  text: string;
  /** When a cancel was last asked for, from wherever; 0 never. */
  cancelledAt: number;
  /** Subagents that still run: their results would be lost. */
  subagents: number;
  /** What stands in the input field. */
  draft: string;
}

/** How a save ends. */
export type SaveEnd =
  /** It was another turn: the save stands. */
  | { outcome: "other-turn" }
  /** The session goes on as it is. */
  | { outcome: "stay"; isProven: boolean; why: Stay }
  /** It starts fresh; `carryOn` is there for `auto`. */
  | { outcome: "restart"; carryOn?: CarryOn };

/** Decides at a turn's end. Clearing the context of a session whose save is not proven, or whose user is there, never. */
export function atTurnEnd(save: Save, end: TurnEnd): SaveEnd {
  if (save.turn === "" || save.turn !== end.turnId) return { outcome: "other-turn" };
  if (end.reason !== "answer" || end.answer.trim() === "") return stay(false, save.stay ?? "not-clean");
  if (save.anchor.file === "") return stay(false, "no-file");
  if (!isProven(save.proof, end.text)) return stay(false, "not-written");
  if (save.kind === "save") return stay(true, "only-save");
  if (save.stay !== undefined) return stay(true, save.stay);
  if (isCancelled(save, end.cancelledAt)) return stay(true, "cancelled");
  if (end.subagents > 0) return stay(true, "subagents");
  if (end.draft.trim() !== "") return stay(true, "draft");
  return save.kind === "auto"
    ? { outcome: "restart", carryOn: carryOnIn(end.text, save.token) }
    : { outcome: "restart" };
}

/** Whether a cancel that was asked for then is for this save. */
export function isCancelled(save: Save, cancelledAt: number): boolean {
  return cancelledAt > 0 && cancelledAt >= save.at - CANCEL_SLACK_MS;
}

function stay(proven: boolean, why: Stay): SaveEnd {
  return { outcome: "stay", isProven: proven, why };
}
