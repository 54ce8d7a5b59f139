import { join } from "node:path";
import { homedir } from "node:os";
import type { NotedFile } from "../files/control-sent";
import { reasonOf } from "../session/failure";
import type { Seconds } from "../session/report";
import type { ControlRequest, OutcomeStep, RequestKind, RequestOutcome } from "../session/request";
import type { Session } from "../session/session";
import { locking } from "../store/writing";
import { dialogRefusal, isBusy } from "./at-prompt";
import { ControlFolder } from "./control-folder";
import { memoryOf, noteMemory, type MemoryTarget } from "./memory-file";
import { pluginRefusal } from "./plugin-receiver";
import { isOver, isPending, isSave, lastStep, withStep } from "../session/request-progress";
import {
  readFiled,
  removeRequest,
  removeSent,
  requestIds,
  writeOutcome,
  writeRequest,
  writeSent,
  type FiledRequest,
} from "./request-files";
import { saveText, textLanguageOf } from "./save-text";
import { withdrawStopAnswer } from "./stop-answer";
import type { ControlSurroundings } from "./surroundings";
import { isOfUse, WAYS } from "./ways";

/** What is asked of a session. */
export interface AskedFor {
  kind: RequestKind;
  /** For `prompt`: the message, cleaned (`cleanMessage`). */
  text?: string;
}

/** Whether a session was reached; `note` says what it was not asked for, if so. */
export type Answer =
  { outcome: "reached"; request: RequestOutcome; note?: string } | { outcome: "refused"; reason: string };

/** How long a request may be taken (docs/control.md). */
const LASTS: Readonly<Record<RequestKind, Seconds>> = {
  save: 600,
  "save-restart": 600,
  "save-auto": 600,
  prompt: 600,
  cancel: 60,
  interrupt: 60,
};

/** Who holds the lock writes a few small files. In milliseconds. */
const LOCK_PATIENCE_MS = 3_000;

const GOES_ON = "it is at work: it saves once its turn has ended, and keeps its context";

const NEEDS_PLUGIN = "it only saves: starting fresh needs the plugin in the session";

/**
 * Asks one session, by the first way that is certain. It is asked once: while a request to it is pending there is no
 * second one. Never throws for what lies with the session; that is a refusal with its reason.
 *
 * @throws SessionsError `refused`, `unwritable`, `locked` when nothing can be written in our home
 */
export async function ask(session: Session, asked: AskedFor, surroundings: ControlSurroundings): Promise<Answer> {
  const control = new ControlFolder(surroundings.home);
  const refusal = refusalOf(session, asked.kind);
  if (refusal !== undefined) return { outcome: "refused", reason: refusal };
  try {
    control.requests(session);
  } catch (error) {
    return { outcome: "refused", reason: reasonOf(error) };
  }
  const withoutPlugin = await pluginRefusal(session, control, surroundings);
  const startsFresh = asked.kind === "save-restart" || asked.kind === "save-auto";
  if (withoutPlugin === undefined) {
    const answer = file(session, requestFor(asked, surroundings), control, surroundings);
    return answer.outcome === "reached" && startsFresh && isBusy(session) ? { ...answer, note: GOES_ON } : answer;
  }
  if (asked.kind === "cancel") return withdraw(session, control, surroundings);
  const reasons = session.agent === "claude" ? [withoutPlugin] : [];
  const answer = await sendOnce(session, startsFresh ? { kind: "save" } : asked, control, surroundings, reasons);
  return answer.outcome === "reached" && startsFresh ? { ...answer, note: NEEDS_PLUGIN } : answer;
}

/** Why a session is asked nothing of the kind, whatever the way. */
function refusalOf(session: Session, kind: RequestKind): string | undefined {
  if (session.state === "dormant") return "it has ended";
  return isWork(kind) ? dialogRefusal(session) : undefined;
}

function requestFor({ kind, text }: AskedFor, { newId, author, now }: ControlSurroundings): ControlRequest {
  const at = now();
  return { id: newId(), kind, ...(text === undefined ? {} : { text }), author, at, expiresAt: at + LASTS[kind] };
}

/** Leaves a request for the plugin. */
function file(session: Session, request: ControlRequest, control: ControlFolder, { now }: ControlSurroundings): Answer {
  const folder = control.requests(session);
  return locked(control, () => {
    const pending = makeRoom(session, request.kind, control, now());
    if (pending !== undefined) return { outcome: "refused", reason: pending };
    control.make(folder);
    // The plugin cancels what it has armed; what it has not taken yet is not there for it any more. It is told in any
    // case: it may be taking that just now.
    const taken = request.kind === "cancel" ? takeBack(session, control, now()) : undefined;
    writeRequest(folder, request);
    return { outcome: "reached", request: taken ?? queued(request, "plugin") };
  });
}

/** Sends a request by the first way that takes it. */
async function sendOnce(
  session: Session,
  asked: AskedFor,
  control: ControlFolder,
  surroundings: ControlSurroundings,
  reasons: string[],
): Promise<Answer> {
  const open = WAYS.filter((way) => {
    const refusal = way.refusal(session, asked.kind);
    if (refusal !== undefined && isOfUse(way, session, asked.kind)) reasons.push(refusal);
    return refusal === undefined;
  });
  if (open.length === 0) return refusedFor(reasons);
  const folder = control.requests(session);
  const request = requestFor(asked, surroundings);
  const { target, files } = isSave(asked.kind) ? memoryNotes(session, surroundings) : { target: undefined, files: [] };
  const text = asked.kind === "prompt" ? (asked.text ?? "") : textFor(session, asked.kind, target, surroundings);
  let isClaimed = false;
  for (const way of open) {
    const refusal = locked(control, () => {
      const pending = isClaimed ? undefined : makeRoom(session, request.kind, control, surroundings.now());
      if (pending !== undefined) return pending;
      control.make(folder);
      writeSent(folder, { request, way: way.way, files });
      isClaimed = true;
      return undefined;
    });
    if (refusal !== undefined) return { outcome: "refused", reason: refusal };
    const sent = await way.send({ session, request, text, control, surroundings });
    const outcome = queued(request, way.way);
    switch (sent.outcome) {
      case "queued":
        return { outcome: "reached", request: outcome };
      case "delivered":
        return {
          outcome: "reached",
          request: note(control, session, outcome, { outcome: "delivered", at: surroundings.now() }),
        };
      case "failed":
        note(control, session, outcome, { outcome: "failed", at: surroundings.now(), reason: sent.reason });
        return { outcome: "refused", reason: sent.reason };
      case "unavailable":
        reasons.push(sent.reason);
        break;
      default:
        return sent satisfies never;
    }
  }
  locked(control, () => removeSent(folder, request.id));
  return refusedFor(reasons);
}

function refusedFor(reasons: readonly string[]): Answer {
  return { outcome: "refused", reason: Array.from(new Set(reasons)).join("; ") };
}

/** Where the session saves, and what its memory holds now: what is added later proves the save. */
function memoryNotes(
  session: Session,
  { environment, transcriptOf }: ControlSurroundings,
): { target: MemoryTarget | undefined; files: NotedFile[] } {
  const user = environment.HOME?.trim() || homedir();
  const usual = environment.CLAUDE_CONFIG_DIR?.trim() || join(user, ".claude");
  const memory = memoryOf(session, transcriptOf(session), usual);
  return { target: memory?.target, files: memory === undefined ? [] : noteMemory(memory) };
}

function textFor(
  session: Session,
  kind: RequestKind,
  target: MemoryTarget | undefined,
  { environment }: ControlSurroundings,
): string {
  if (!isSave(kind)) return "";
  const language = textLanguageOf(environment);
  return saveText({ language, isBusy: isBusy(session), ...(target === undefined ? {} : { target }) });
}

/**
 * Sees that no other request keeps a session from being asked, and ends those that nobody began. Call it under the lock.
 *
 * @returns what keeps it
 */
function makeRoom(session: Session, kind: RequestKind, control: ControlFolder, now: Seconds): string | undefined {
  if (!isWork(kind)) return undefined;
  const open = openRequests(control, session).filter(({ outcome }) => isWork(outcome.kind));
  const pending = open.find(({ outcome }) => isPending(outcome, now));
  if (pending !== undefined) return `it was asked already, and that still runs (${lastStep(pending.outcome).outcome})`;
  for (const each of open) {
    end(each, session, control, { outcome: "cancelled", at: now, reason: "another request took its place" });
  }
  return undefined;
}

/** Whether a request gives a session something to do: of those there is one at a time. */
function isWork(kind: RequestKind): boolean {
  return kind !== "cancel" && kind !== "interrupt";
}

function openRequests(control: ControlFolder, session: Session): FiledRequest[] {
  const folder = control.requests(session);
  return requestIds(folder)
    .map((id) => readFiled(folder, id))
    .filter((each): each is FiledRequest => each !== undefined && !isOver(each.outcome));
}

/** Ends a request: nobody takes it any more. */
function end(filed: FiledRequest, session: Session, control: ControlFolder, step: OutcomeStep): RequestOutcome {
  const folder = control.requests(session);
  removeRequest(folder, filed.id);
  if (filed.outcome.by === "stop-hook") withdrawStopAnswer(control, session);
  const ended = withStep(filed.outcome, step);
  writeOutcome(folder, ended);
  return ended;
}

/** Takes back what was not delivered yet, of a session without the plugin: it starts nothing fresh by itself. */
function withdraw(session: Session, control: ControlFolder, { now }: ControlSurroundings): Answer {
  return locked(control, () => {
    const taken = takeBack(session, control, now());
    if (taken !== undefined) return { outcome: "reached", request: taken };
    return { outcome: "refused", reason: "nothing that was asked of it can be taken back" };
  });
}

/**
 * Ends what waits to be delivered. Call it under the lock.
 *
 * @returns the request that was taken back
 */
function takeBack(session: Session, control: ControlFolder, now: Seconds): RequestOutcome | undefined {
  const step: OutcomeStep = { outcome: "cancelled", at: now, reason: "taken back before it was delivered" };
  let taken: RequestOutcome | undefined;
  for (const each of openRequests(control, session)) {
    const { by } = each.outcome;
    if (!isWork(each.outcome.kind) || lastStep(each.outcome).outcome !== "queued") continue;
    // The recorder may have just taken it: then it is delivered.
    if (by !== "plugin" && !(by === "stop-hook" && withdrawStopAnswer(control, session))) continue;
    taken = end(each, session, control, step);
  }
  return taken;
}

function queued(request: ControlRequest, by: RequestOutcome["by"]): RequestOutcome {
  return { id: request.id, kind: request.kind, by, steps: [{ outcome: "queued", at: request.at }] };
}

function note(control: ControlFolder, session: Session, outcome: RequestOutcome, step: OutcomeStep): RequestOutcome {
  const noted = withStep(outcome, step);
  locked(control, () => writeOutcome(control.requests(session), noted));
  return noted;
}

function locked<T>(control: ControlFolder, work: () => T): T {
  control.make(control.path);
  return locking().withLock(control.lock, work, LOCK_PATIENCE_MS);
}
