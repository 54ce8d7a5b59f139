import type { EngineInterface } from "claude-code";
import type { CarryOn } from "../core/carry-on";
import { baseName } from "../core/file-path";
import { atTurnEnd, isCancelled, type Save, type SaveEnd, type Stay, type TurnEnd } from "../core/save";
import { textsIn } from "../core/texts";
import { currentSave, dropSave, lastCancel, turnNow } from "./current-save";
import { tellStep } from "./request-courses";
import { lookForRequests } from "./requests";
import { writeMark } from "./session-mark";
import { tell, textOf, texts } from "./surroundings";

/** Reasons of requests are read in the launcher, which is in English. */
const english = textsIn("en");

/** The turn whose end is being decided on. */
let deciding = "";

/** A turn of the main conversation ended: perhaps the one that saved. */
export async function decideAfterTurn(
  $: EngineInterface,
  turn: Pick<TurnEnd, "turnId" | "reason" | "answer">,
  subagents: number,
): Promise<void> {
  if (currentSave()?.turn !== turn.turnId || deciding === turn.turnId) return;
  deciding = turn.turnId;
  try {
    const file = currentSave()?.anchor.file ?? "";
    const text = file === "" ? "" : await textOf($, file);
    const { text: draft } = await $.prompt.read();
    // What happened meanwhile is in it: typing, Esc, a cancel.
    const save = currentSave();
    if (save === undefined) return;
    await conclude($, save, atTurnEnd(save, { ...turn, text, cancelledAt: lastCancel(), subagents, draft }));
  } finally {
    deciding = "";
  }
}

async function conclude($: EngineInterface, save: Save, end: SaveEnd): Promise<void> {
  switch (end.outcome) {
    case "other-turn":
      return;
    case "stay":
      await stayAsItIs($, save, end.why, end.isProven);
      return;
    case "restart":
      await tellStep($, save.request, "saved", { proof: proofOf(save) });
      // Not awaited: /clear waits for the session to rest, and this turn is only just ending.
      void startFresh($, save, end.carryOn).catch(() => failed($, save));
      return;
    default:
      end satisfies never;
  }
}

async function stayAsItIs($: EngineInterface, save: Save, why: Stay, isProven: boolean): Promise<void> {
  dropSave();
  const file = baseName(save.anchor.file);
  // Of what the user did, they were told when they did it; of a save that only was one, there is nothing to tell.
  if (save.kind !== "save" && save.stay !== why) tell($, (await texts($)).stay(why, file));
  const reason = english.stay(why, file);
  if (!isProven) {
    const isUsers = why === "typed" || why === "stopped" || why === "cancelled";
    await tellStep($, save.request, isUsers ? "cancelled" : "failed", { reason, isEnd: true });
    return;
  }
  await tellStep($, save.request, "saved", { proof: proofOf(save), isEnd: save.kind === "save" });
  if (save.kind === "save") return;
  const isRefusal = why === "draft" || why === "subagents" || why === "turn-began" || why === "mid-turn";
  await tellStep($, save.request, isRefusal ? "refused" : "cancelled", { reason, isEnd: true });
}

/** Clears the context and begins anew, after a last look at whether the user came back. */
async function startFresh($: EngineInterface, save: Save, carryOn: CarryOn | undefined): Promise<void> {
  // A cancel that lies in control/ counts until now.
  await lookForRequests($);
  const { text: draft } = await $.prompt.read();
  const session = await $.session.id();
  // From here to /clear nothing is waited for, so that nothing can come between.
  const now = currentSave();
  const why = reasonToStay(save, now, draft);
  if (why !== undefined) {
    await stayAfterAll($, save, why);
    return;
  }
  dropSave();
  await $.command.run({ command: "clear" });
  if ((await $.session.id()) === session) throw new Error("the context was not cleared");
  // Without a phrase yet: which one it begins with, its first turn shows.
  await writeMark($);
  await tellStep($, save.request, "restarted", { isEnd: true });
  await beginAnew($, save, carryOn);
}

function reasonToStay(save: Save, now: Save | undefined, draft: string): Stay | undefined {
  if (now === undefined || now.token !== save.token) return "cancelled";
  if (now.stay !== undefined) return now.stay;
  if (isCancelled(now, lastCancel())) return "cancelled";
  if (turnNow() !== "") return "turn-began";
  return draft.trim() === "" ? undefined : "draft";
}

/** The save is told already; only the reason is missing. */
async function stayAfterAll($: EngineInterface, save: Save, why: Stay): Promise<void> {
  const wasTold = currentSave()?.stay === why;
  dropSave();
  const file = baseName(save.anchor.file);
  if (!wasTold) tell($, (await texts($)).stay(why, file));
  const isRefusal = why === "draft" || why === "turn-began";
  await tellStep($, save.request, isRefusal ? "refused" : "cancelled", {
    reason: english.stay(why, file),
    isEnd: true,
  });
}

/** The phrase goes into the input field, or is sent where the session is to go on alone. */
async function beginAnew($: EngineInterface, save: Save, carryOn: CarryOn | undefined): Promise<void> {
  const says = await texts($);
  const { phrase, file } = save.anchor;
  // Whoever types into the fresh session keeps what they typed.
  if ((await $.prompt.read()).text.trim() !== "") {
    tell($, says.phraseNotFilled(phrase));
    return;
  }
  if (carryOn === undefined) {
    const { isFilled } = await $.prompt.fill({ text: phrase });
    if (!isFilled) tell($, says.phraseNotFilled(phrase));
    return;
  }
  if (carryOn === "unclear") tell($, says.carryOnUnclear(baseName(file)));
  const { drop } = await $.prompt.submit({ text: `${phrase}\n${says.afterRestart(carryOn)}`, asUser: true });
  if (drop !== undefined) tell($, says.phraseNotFilled(phrase));
}

async function failed($: EngineInterface, save: Save): Promise<void> {
  if (currentSave()?.token === save.token) dropSave();
  tell($, (await texts($)).restartFailed);
  await tellStep($, save.request, "failed", { reason: english.restartFailed, isEnd: true });
}

function proofOf({ anchor, proof }: Save): { file: string; lines: number } {
  return { file: anchor.file, lines: proof.length };
}
