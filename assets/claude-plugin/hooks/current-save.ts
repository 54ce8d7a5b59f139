import type { EngineInterface } from "claude-code";
import type { Anchor } from "../core/anchor";
import { baseName, isSamePath, namesFile } from "../core/file-path";
import { saveTurnMark, shownReason } from "../core/marks";
import {
  afterTool,
  afterTurnStart,
  askedFor,
  isInTheWay,
  mayStartFresh,
  staying,
  type Save,
  type SaveKind,
  type Stay,
} from "../core/save";
import { recordOf } from "../core/request";
import { freshToken, tokenOf } from "../core/token";
import { noteAsked } from "./overview-state";
import { tellStep } from "./request-courses";
import { sessionAnchor } from "./session-anchor";
import { tell, textOf, texts } from "./surroundings";

// The state of this module is lost when the plugin is loaded anew: then no session is started fresh, which is safe.

/** The save that was asked for and has not ended. */
let current: Save | undefined;

/** The main conversation's turn that runs; empty while it rests. */
let runningTurn = "";

/** When the last turn ended, in milliseconds, and whether the user stopped it. */
let rest = { since: 0, isStopped: false };

/** When a cancel was last asked for, in milliseconds. */
let cancelledAt = 0;

/** The file as it was before each tool call that could write it. */
const before = new Map<string, string>();

/** The save that was asked for and has not ended. */
export function currentSave(): Save | undefined {
  return current;
}

/** The main conversation's turn that runs; empty while it rests. */
export function turnNow(): string {
  return runningTurn;
}

/**
 * Where the main conversation stood when it was asked for something at a time: in a turn that has ended by now, one that
 * the user then stopped, or at rest.
 */
export function stoodAt(at: number): "mid-turn" | "stopped" | "at-rest" {
  if (at >= rest.since) return "at-rest";
  return rest.isStopped ? "stopped" : "mid-turn";
}

/** When a cancel was last asked for, in milliseconds; 0 never. */
export function lastCancel(): number {
  return cancelledAt;
}

/** The save has ended, or gives way. */
export function dropSave(): void {
  current = undefined;
  before.clear();
}

/** How asking this session to save went. */
export type Begun = { outcome: "begun" | "in-the-way" | "no-pickup"; anchor: Anchor };

/**
 * Has this session save. A command cannot submit a prompt while it runs, so the request follows a moment later.
 *
 * @param request the request from outside that wants it, and where the session stood when it was asked: in the middle of
 * its work it saves and goes on with that
 */
export async function beginSave(
  $: EngineInterface,
  kind: SaveKind,
  request?: { id: string; stood: ReturnType<typeof stoodAt> },
): Promise<Begun> {
  const anchor = await sessionAnchor($);
  if (kind !== "save" && !mayStartFresh(anchor)) return { outcome: "no-pickup", anchor };
  const says = await texts($);
  const token = freshToken(anchor.file === "" ? "" : await textOf($, anchor.file), chance);
  const now = await $.clock.now();
  const asked = askedFor({ kind, anchor, at: now, token, binds: [saveTurnMark(token)], request: request?.id });
  const isAtRest = request === undefined || request.stood === "at-rest";
  const save = isAtRest ? asked : staying(asked, "mid-turn");
  const session = await $.session.id();
  if (!(await take($, save))) return { outcome: "in-the-way", anchor };
  await noteAsked($, [session], now);
  if (save.stay !== undefined) tell($, says.stay(save.stay, baseName(anchor.file)));
  // What the user stopped is not taken up again.
  const how = request?.stood === "mid-turn" ? says.midTurn : says.atRest;
  const ask =
    kind === "auto" && isAtRest ? says.askSelfAuto(anchor, token) : `${says.askSelf(anchor)} ${says.rules}\n${how}`;
  $.clock.after(200, () => {
    void submit($, save, session, `${ask}\n${saveTurnMark(token)}`);
  });
  return { outcome: "begun", anchor };
}

/** Prepares a fresh start after a save that another session asked of this one, which rests. */
export async function armForPeer($: EngineInterface, anchor: Anchor, binds: readonly string[]): Promise<boolean> {
  return take($, askedFor({ kind: "fresh", anchor, at: await $.clock.now(), token: chance(), binds }));
}

/** No check and no wait between looking and taking: of two at once, one is first. */
async function take($: EngineInterface, save: Save): Promise<boolean> {
  if (isInTheWay(current, save.at)) return false;
  const stale = current;
  current = save;
  before.clear();
  if (stale?.request !== undefined) {
    await tellStep($, stale.request, "failed", { reason: "The session never began to save", isEnd: true });
  }
  return true;
}

async function submit($: EngineInterface, save: Save, session: string, text: string): Promise<void> {
  let reason: string;
  try {
    // A fresh conversation has nothing to save: it would write over what the file says.
    if (current?.token !== save.token || (await $.session.id()) !== session) return;
    const { drop } = await $.prompt.submit({ text, asUser: true });
    if (drop === undefined) return;
    reason = drop;
  } catch (error) {
    reason = shownReason(error);
  }
  if (current?.token === save.token) dropSave();
  tell($, (await texts($)).saveNotStarted);
  await tellStep($, save.request, "failed", {
    reason: `The save could not begin: ${shownReason(reason)}`,
    isEnd: true,
  });
}

/** A turn of the main conversation begins; perhaps it is the one that saves. */
export async function turnBegan($: EngineInterface, turn: { turnId: string; text: string }): Promise<void> {
  runningTurn = turn.turnId;
  const save = current;
  if (save === undefined) return;
  current = afterTurnStart(save, turn);
  if (current.turn !== save.turn) await tellStep($, save.request, "saving");
}

/** A turn of the main conversation ended, at a time in milliseconds. */
export function turnEnded(turnId: string, at: number, isStopped: boolean): void {
  rest = { since: at, isStopped };
  if (runningTurn === turnId) runningTurn = "";
}

/** The conversation is over, by /clear or a switch to another one: what was to be saved is gone. */
export async function conversationEnded($: EngineInterface): Promise<void> {
  runningTurn = "";
  const save = current;
  dropSave();
  await tellStep($, save?.request, "failed", { reason: "The conversation ended before it was saved", isEnd: true });
}

/** Before a tool runs that could write the save's file: how the file is now. */
export async function beforeToolRuns(
  $: EngineInterface,
  call: { id: string | undefined; tool: string; input: unknown },
): Promise<void> {
  const file = current?.anchor.file ?? "";
  if (file === "" || call.id === undefined || !couldWrite(call.tool, call.input, file)) return;
  before.set(call.id, await textOf($, file));
}

/** After a tool ran without an error: what it added to the save's file counts as the session's own. */
export async function afterToolRan($: EngineInterface, id: string | undefined): Promise<void> {
  const was = id === undefined ? undefined : before.get(id);
  if (id === undefined || was === undefined) return;
  before.delete(id);
  const file = current?.anchor.file ?? "";
  if (file === "") return;
  const is = await textOf($, file);
  if (current !== undefined && current.anchor.file === file) current = afterTool(current, was, is);
}

/** Whether a tool call could write a file: by its path, or for a shell by its name. */
function couldWrite(tool: string, input: unknown, file: string): boolean {
  const { file_path, command } = recordOf(input) ?? {};
  switch (tool) {
    case "Write":
    case "Edit":
      return typeof file_path === "string" && isSamePath(file_path, file);
    case "Bash":
      return typeof command === "string" && namesFile(command, file);
    default:
      return false;
  }
}

/**
 * The fresh start that is planned does not happen. The save itself goes on.
 *
 * @returns whether one was planned
 */
export async function keepContext($: EngineInterface, why: Stay): Promise<boolean> {
  const save = current;
  if (save === undefined || save.kind === "save" || save.stay !== undefined) return false;
  current = staying(save, why);
  tell($, (await texts($)).stay(why, baseName(save.anchor.file)));
  return true;
}

/** Somebody outside cancels what is planned, or what is about to be: whoever asks cannot know which it is yet. */
export async function cancelPlanned($: EngineInterface, at: number): Promise<boolean> {
  cancelledAt = Math.max(cancelledAt, at);
  return keepContext($, "cancelled");
}

function chance(): string {
  return tokenOf(crypto.getRandomValues(new Uint8Array(2)));
}
