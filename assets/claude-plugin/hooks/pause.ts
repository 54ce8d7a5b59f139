import type { EngineInterface } from "claude-code";
import { isWarm, warmthOf } from "../core/cache";
import { baseName } from "../core/file-path";
import { askedIn, marksFor, pauseWord, shownReason } from "../core/marks";
import { isInTheWay, mayStartFresh, type SaveKind } from "../core/save";
import type { SessionRow } from "../core/session-row";
import { armForPeer, beginSave, currentSave, keepContext } from "./current-save";
import { listProcesses, refreshOverview } from "./overview";
import { noteAsked } from "./overview-state";
import { sessionAnchor } from "./session-anchor";
import { showOverview } from "./sessions-pane";
import { tell, texts } from "./surroundings";

/** `/pause`: returns what is shown as its answer. */
export async function pause($: EngineInterface, args: string): Promise<string> {
  const says = await texts($);
  const word = pauseWord(args);
  switch (word) {
    case undefined:
      return says.usage;
    case "cancel":
      return (await keepContext($, "cancelled")) ? says.cancelled : says.nothingArmed;
    case "self":
      return pauseThisOne($, "fresh");
    case "auto":
      return pauseThisOne($, "auto");
    case "save":
      return pauseAll($, false);
    case "new":
      return pauseAll($, true);
    default:
      return word satisfies never;
  }
}

async function pauseThisOne($: EngineInterface, kind: Exclude<SaveKind, "save">): Promise<string> {
  const says = await texts($);
  const { outcome, anchor } = await beginSave($, kind);
  switch (outcome) {
    case "no-pickup":
      return says.noPickup(anchor);
    case "in-the-way":
      return says.alreadySaving;
    case "begun": {
      const file = baseName(anchor.file);
      return kind === "auto" ? says.startsFreshAlone(file, anchor.phrase) : says.startsFresh(file, anchor.phrase);
    }
    default:
      return outcome satisfies never;
  }
}

async function pauseAll($: EngineInterface, fresh: boolean): Promise<string> {
  const says = await texts($);
  // A second message to everybody while the first is being answered would have them save twice.
  if (isInTheWay(currentSave(), await $.clock.now())) return says.alreadySaving;
  await listProcesses($);
  const { rows, error } = await refreshOverview($);
  if (error !== "") return says.unreadable(error);
  const now = await $.clock.now();
  const self = await $.session.id();
  const others = rows.filter(({ sessionId }) => sessionId !== self);
  // Waking a session whose cache is cold costs its whole context, just to save.
  const warm = others.filter((row) => isWarm(warmthOf(row, now)));
  const unknown = others.filter((row) => warmthOf(row, now).state === "unknown");
  const cold = others.filter((row) => !warm.includes(row) && !unknown.includes(row));

  const message = `${says.askOthers} ${marksFor({ fresh })}\n${says.rules}`;
  const reached: SessionRow[] = [];
  const unreached: string[] = [];
  for (const row of warm) {
    const refusal = await refusalOf($, row, message);
    if (refusal === undefined) reached.push(row);
    else unreached.push(`${row.name} (${refusal})`);
  }
  await noteAsked(
    $,
    reached.map(({ sessionId }) => sessionId),
    now,
  );

  const anchor = await sessionAnchor($);
  const startsFresh = fresh && mayStartFresh(anchor);
  const begun = await beginSave($, startsFresh ? "fresh" : "save");
  await showOverview($);

  const lines = [ownLine(says, fresh, begun)];
  const waiting = reached.filter(({ hasPlugin }) => !hasPlugin);
  if (reached.length > 0) lines.push(says.alsoAsked(namesOf(reached)));
  if (fresh && waiting.length > 0) lines.push(says.saveOnlyThere(namesOf(waiting)));
  if (cold.length > 0) lines.push(says.cold(namesOf(cold)));
  if (unknown.length > 0) lines.push(says.unknownAge(namesOf(unknown)));
  if (unreached.length > 0) lines.push(says.unreached(unreached.join("; ")));
  return lines.join("\n");
}

function ownLine(
  says: Awaited<ReturnType<typeof texts>>,
  fresh: boolean,
  { outcome, anchor }: Awaited<ReturnType<typeof beginSave>>,
): string {
  if (outcome !== "begun") return says.alreadySaving;
  const file = baseName(anchor.file);
  if (!fresh) return says.savesOnly(file);
  return mayStartFresh(anchor) ? says.startsFresh(file, anchor.phrase) : says.savesUnlisted(anchor);
}

/** Sends a message to another session; why it did not get there. */
async function refusalOf($: EngineInterface, row: SessionRow, message: string): Promise<string | undefined> {
  try {
    // By its id: two sessions may have one name.
    const { isDelivered, reason } = await $.session.send({ to: { sessionId: row.sessionId }, text: message });
    return isDelivered ? undefined : shownReason(reason);
  } catch (error) {
    return shownReason(error);
  }
}

function namesOf(rows: readonly SessionRow[]): string {
  return rows.map(({ name }) => name).join(", ");
}

/**
 * Another session asks this one to save: what this one is told beside the message. When it rests, it is prepared to start
 * fresh where that was asked for; in the middle of a turn its work would be lost, so it only saves.
 *
 * @param isMidTurn the message came into a running turn
 */
export async function askedByPeer($: EngineInterface, text: string, isMidTurn: boolean): Promise<string | undefined> {
  const ask = askedIn(text);
  if (ask === undefined) return undefined;
  const says = await texts($);
  const anchor = await sessionAnchor($);
  const how = isMidTurn ? says.midTurn : says.atRest;
  if (anchor.file === "") return how;
  if (ask.fresh && isMidTurn) tell($, says.midTurnSavesOnly);
  if (ask.fresh && !isMidTurn && mayStartFresh(anchor)) await armForPeer($, anchor, ask.binds);
  return `${says.target(anchor)}\n${how}`;
}
