import type { EngineInterface } from "claude-code";
import { nameOfId } from "../core/file-path";
import { shownReason } from "../core/marks";
import { OUTCOME_BYTES, outcomeText, standingIn, withStep, type Course, type Step } from "../core/outcome";
import { outcomeName, readRequest, REQUEST_BYTES, requestIdOf, type Request } from "../core/request";
import { isInTheWay, type SaveKind } from "../core/save";
import { textsIn } from "../core/texts";
import { beginSave, cancelPlanned, currentSave, keepContext, stoodAt, turnNow } from "./current-save";
import { isOpen, openCourse, tellStep } from "./request-courses";
import { ourHome } from "./surroundings";

/** So many files are looked at, the newest ones; whoever leaves more than these does not ask for anything. */
const LOOKED_AT = 100;

/** So many answered ids are kept for each session. */
const KEPT_IDS = 200;

/** A folder that was written to so recently may change again without another time. */
const SETTLED_MS = 3_000;

/** Reasons are read in the launcher, which is in English. */
const says = textsIn("en");

/** Where requests to this session lie, and what was seen there. */
interface Desk {
  session: string;
  folder: string;
  /** When the folder was changed last, as it was looked through. */
  seenAt: number;
  /** Requests that wait until the session rests. */
  waits: boolean;
  /** Ids that need no look any more. */
  done: Set<string>;
}

let desk: Desk | undefined;
let looking: Promise<void> = Promise.resolve();

/** Looks for requests of the user from outside, one look after the other. Nothing there costs one stat. Never throws. */
export function lookForRequests($: EngineInterface): Promise<void> {
  looking = looking.then(() => look($)).catch(() => undefined);
  return looking;
}

async function look($: EngineInterface): Promise<void> {
  const session = await $.session.id();
  const name = nameOfId(session);
  if (name === undefined) return;
  if (desk?.session !== session) {
    const folder = `${await ourHome($)}/control/claude/${name}`;
    desk = { session, folder, seenAt: 0, waits: false, done: new Set() };
  }
  const { folder, done } = desk;
  const stat = await $.fs.stat(folder).catch(() => undefined);
  if (stat === undefined || stat.kind !== "dir" || stat.isLink) return;
  if (stat.mtimeMs === desk.seenAt && !desk.waits) return;
  const now = await $.clock.now();
  const real = await realFolder($, folder, name);
  if (real === undefined) return;
  if (desk.seenAt === 0) for (const id of await answeredIds($, session)) done.add(id);
  desk.seenAt = now - stat.mtimeMs >= SETTLED_MS ? stat.mtimeMs : -1;
  desk.waits = false;

  const entries = await $.fs.list(folder);
  const outcomes = new Set(entries.map(({ name: file }) => file));
  const waiting = entries.flatMap((entry) => {
    const id = requestIdOf(entry.name);
    return id === undefined || done.has(id) || isOpen(id) ? [] : [{ ...entry, id }];
  });
  waiting.sort((one, other) => other.mtimeMs - one.mtimeMs || (one.name < other.name ? 1 : -1));
  for (const { id } of waiting.splice(LOOKED_AT)) done.add(id);
  for (const entry of waiting.reverse()) {
    await handle($, desk, real, entry, outcomes.has(outcomeName(entry.id)));
  }
}

/** The folder's real path, when it is the one it claims to be and no link leads elsewhere. */
async function realFolder($: EngineInterface, folder: string, name: string): Promise<string | undefined> {
  const { realPath: home } = await $.fs.stat(await ourHome($), { resolve: true });
  const { realPath: real } = await $.fs.stat(folder, { resolve: true });
  if (home === undefined || real === undefined) return undefined;
  const rest = real.slice(home.length).replace(/\\/g, "/");
  return real.startsWith(home) && rest === `/control/claude/${name}` ? real : undefined;
}

type Entry = { id: string; name: string; kind: string; isLink: boolean; size: number };

async function handle($: EngineInterface, at: Desk, real: string, entry: Entry, hasOutcome: boolean): Promise<void> {
  const { id } = entry;
  const file = `${at.folder}/${entry.name}`;
  const outcome = `${at.folder}/${outcomeName(id)}`;
  // A link, a pipe or a folder is nobody's request; neither is what lies elsewhere.
  if (entry.kind !== "file" || entry.isLink || !(await isPlain($, file, `${real}/${entry.name}`))) {
    at.done.add(id);
    return;
  }
  let steps: readonly Step[] = [];
  if (hasOutcome) {
    if (!(await isPlain($, outcome, `${real}/${outcomeName(id)}`))) {
      at.done.add(id);
      return;
    }
    const standing = standingIn(await $.fs.read(outcome, { length: OUTCOME_BYTES }));
    if (standing.standing === "taken") {
      at.done.add(id);
      return;
    }
    steps = standing.steps;
    if (standing.standing === "begun") {
      // An earlier run of this plugin had it: what it was to do may be done, so it is not done again.
      const kind = kindIn(await $.fs.read(outcome, { length: OUTCOME_BYTES }));
      if (kind !== undefined)
        await close($, at, { id, kind, steps }, "failed", "The session was started anew meanwhile");
      at.done.add(id);
      return;
    }
  }
  const seconds = (await $.clock.now()) / 1000;
  const read =
    entry.size > REQUEST_BYTES
      ? ({ outcome: "refused", reason: "The request is larger than 64 KiB" } as const)
      : readRequest(await $.fs.read(file, { length: REQUEST_BYTES }), id, seconds);
  switch (read.outcome) {
    case "refused":
      at.done.add(id);
      // What names no kind is no request of ours, and gets no answer.
      if ("kind" in read && read.kind !== undefined) {
        await close($, at, { id, kind: read.kind, steps }, "refused", read.reason);
      }
      return;
    case "expired":
      await close($, at, { id, kind: read.kind, steps }, "expired", "It came too late");
      return;
    case "request":
      await carryOut($, at, read.request, { id, kind: read.request.kind, steps });
      return;
    default:
      read satisfies never;
  }
}

async function isPlain($: EngineInterface, file: string, expected: string): Promise<boolean> {
  const stat = await $.fs.stat(file, { resolve: true }).catch(() => undefined);
  if (stat === undefined || stat.kind !== "file" || stat.isLink) return false;
  return stat.realPath?.replace(/\\/g, "/") === expected.replace(/\\/g, "/");
}

function kindIn(text: string): Request["kind"] | undefined {
  const match = /"kind":"(save|save-restart|save-auto|cancel|interrupt|prompt)"/.exec(text)?.[1];
  switch (match) {
    case "save":
    case "save-restart":
    case "save-auto":
    case "cancel":
    case "interrupt":
    case "prompt":
      return match;
    default:
      return undefined;
  }
}

/** Tells the end of a request that nothing was done for. */
async function close(
  $: EngineInterface,
  at: Desk,
  course: Course,
  outcome: "refused" | "expired" | "failed",
  reason: string,
): Promise<void> {
  at.done.add(course.id);
  await remember($, at);
  const ended = withStep(course, { outcome, at: (await $.clock.now()) / 1000, reason });
  await $.fs.write(`${at.folder}/${outcomeName(course.id)}`, outcomeText(ended)).catch(() => undefined);
}

/** Takes a request: before anything is done for it, it is noted as answered, and its file says that it was taken. */
async function takeUp($: EngineInterface, at: Desk, course: Course): Promise<void> {
  at.done.add(course.id);
  await remember($, at);
  await openCourse($, course, `${at.folder}/${outcomeName(course.id)}`);
}

async function carryOut($: EngineInterface, at: Desk, request: Request, course: Course): Promise<void> {
  const { id, kind } = request;
  const turn = turnNow();
  switch (kind) {
    case "cancel": {
      await takeUp($, at, course);
      if (await cancelPlanned($, request.at * 1000)) await tellStep($, id, "delivered", { isEnd: true });
      else await tellStep($, id, "refused", { reason: says.nothingArmed, isEnd: true });
      return;
    }
    case "interrupt": {
      await takeUp($, at, course);
      if (turn === "") {
        await tellStep($, id, "refused", { reason: "No turn is running", isEnd: true });
        return;
      }
      await keepContext($, "stopped");
      try {
        await $.turn.abort({ turnId: turn });
        await tellStep($, id, "delivered", { isEnd: true });
      } catch (error) {
        await tellStep($, id, "failed", { reason: shownReason(error), isEnd: true });
      }
      return;
    }
    case "prompt": {
      // Whoever writes to the session is there, wherever they sit.
      await keepContext($, "typed");
      if (turn !== "") {
        at.waits = true;
        return;
      }
      await takeUp($, at, course);
      await submitPrompt($, id, request.text ?? "");
      return;
    }
    case "save":
    case "save-restart":
    case "save-auto": {
      if (isInTheWay(currentSave(), await $.clock.now())) {
        await close($, at, course, "refused", says.alreadySaving);
        return;
      }
      if (turn !== "") {
        at.waits = true;
        return;
      }
      // Work that was under way when it was asked for would be lost with the context.
      const stood = stoodAt(request.at * 1000);
      await takeUp($, at, course);
      await tellStep($, id, "delivered");
      const { outcome, anchor } = await beginSave($, saveKindOf(kind), { id, stood });
      if (outcome === "no-pickup") await tellStep($, id, "refused", { reason: says.noPickup(anchor), isEnd: true });
      if (outcome === "in-the-way") await tellStep($, id, "refused", { reason: says.alreadySaving, isEnd: true });
      return;
    }
    default:
      kind satisfies never;
  }
}

function saveKindOf(kind: "save" | "save-restart" | "save-auto"): SaveKind {
  return kind === "save" ? "save" : kind === "save-restart" ? "fresh" : "auto";
}

async function submitPrompt($: EngineInterface, id: string, text: string): Promise<void> {
  try {
    const { drop } = await $.prompt.submit({ text, asUser: true });
    if (drop === undefined) await tellStep($, id, "delivered", { isEnd: true });
    else await tellStep($, id, "refused", { reason: shownReason(drop), isEnd: true });
  } catch (error) {
    await tellStep($, id, "failed", { reason: shownReason(error), isEnd: true });
  }
}

async function answeredIds($: EngineInterface, session: string): Promise<string[]> {
  const kept: unknown = await $.store.get(`answered:${session}`).catch(() => undefined);
  return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
}

/** Keeps which requests were answered, also over a restart of the session. */
async function remember($: EngineInterface, { session, done }: Desk): Promise<void> {
  await $.store.set(`answered:${session}`, [...done].slice(-KEPT_IDS)).catch(() => undefined);
}

/** Forgets the requests of sessions that are not the present one, when there are many. */
export async function tidyAnswered($: EngineInterface): Promise<void> {
  const keys = (await $.store.keys()).filter((key) => key.startsWith("answered:"));
  for (const key of keys.slice(0, -KEPT_IDS)) await $.store.delete(key);
}
