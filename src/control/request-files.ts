import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { outcomeCodec, requestCodec, sentCodec } from "../files/control-codecs";
import type { SentRequest } from "../files/control-sent";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import type { ControlRequest, RequestOutcome } from "../session/request";
import { readGuarded } from "../store/guarded-read";
import { writing } from "../store/writing";

const NAME = /^([A-Za-z0-9-]{1,64})\.(json|done\.json|sent)$/;

/** So many requests of a session are looked at, the last ones; a session has one or two. */
const LOOKED_AT = 64;

/** What there is of one request. */
export interface FiledRequest {
  id: string;
  /** The request as a receiver takes it. */
  request?: ControlRequest;
  /** The request as it went to a session without a receiver. */
  sent?: SentRequest;
  /** How far it came; what is only filed is queued. */
  outcome: RequestOutcome;
  /** Whether somebody has noted an outcome. */
  isNoted: boolean;
}

/** The ids of the requests in a session's folder, the last ones by name. Ids of ours sort by time. */
export function requestIds(folder: string): string[] {
  const ids = new Set<string>();
  for (const name of namesIn(folder)) {
    const id = NAME.exec(name)?.[1];
    if (id !== undefined) ids.add(id);
  }
  return Array.from(ids).sort().slice(-LOOKED_AT);
}

/** The names in a folder; none where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  }
}

/** Reads what there is of a request; undefined when nothing of it can be read. */
export function readFiled(folder: string, id: string): FiledRequest | undefined {
  const sent = readSent(join(folder, `${id}.sent`));
  const request = sent?.request ?? readRequest(join(folder, `${id}.json`));
  const noted = readOutcome(join(folder, `${id}.done.json`));
  if (noted !== undefined && noted.id === id) {
    return { id, ...parts(id, request, sent), outcome: noted, isNoted: true };
  }
  if (request === undefined || request.id !== id) return undefined;
  const outcome: RequestOutcome = {
    id,
    kind: request.kind,
    by: sent?.way ?? "plugin",
    steps: [{ outcome: "queued", at: request.at }],
  };
  return { id, ...parts(id, request, sent), outcome, isNoted: false };
}

function parts(
  id: string,
  request: ControlRequest | undefined,
  sent: SentRequest | undefined,
): Pick<FiledRequest, "request" | "sent"> {
  return {
    ...(request?.id === id ? { request } : {}),
    ...(sent?.request.id === id ? { sent } : {}),
  };
}

function readRequest(path: string): ControlRequest | undefined {
  const text = textOf(path, () => requestCodec().REQUEST_LIMIT);
  if (text === undefined) return undefined;
  const decoded = requestCodec().decodeRequest(text);
  return decoded.outcome === "request" ? decoded.request : undefined;
}

function readSent(path: string): SentRequest | undefined {
  const text = textOf(path, () => sentCodec().SENT_LIMIT);
  if (text === undefined) return undefined;
  const decoded = sentCodec().decodeSent(text);
  return decoded.outcome === "sent" ? decoded.sent : undefined;
}

function readOutcome(path: string): RequestOutcome | undefined {
  const text = textOf(path, () => outcomeCodec().OUTCOME_LIMIT);
  if (text === undefined) return undefined;
  const decoded = outcomeCodec().decodeOutcome(text);
  return decoded.outcome === "outcome" ? decoded.request : undefined;
}

function textOf(path: string, limit: () => number): string | undefined {
  const read = readGuarded(path, { limit: limit(), links: "refuse" });
  return read.outcome === "text" ? read.text : undefined;
}

/** @throws SessionsError `refused` or `unwritable` */
export function writeRequest(folder: string, request: ControlRequest): void {
  writing().replaceFile(join(folder, `${request.id}.json`), requestCodec().encodeRequest(request));
}

/** @throws SessionsError `refused` or `unwritable` */
export function writeSent(folder: string, sent: SentRequest): void {
  writing().replaceFile(join(folder, `${sent.request.id}.sent`), sentCodec().encodeSent(sent));
}

/** @throws SessionsError `refused` or `unwritable` */
export function writeOutcome(folder: string, outcome: RequestOutcome): void {
  writing().replaceFile(join(folder, `${outcome.id}.done.json`), outcomeCodec().encodeOutcome(outcome));
}

/**
 * Removes a request that no receiver shall take any more; nothing happens when there is none.
 *
 * @throws SessionsError `unwritable`
 */
export function removeRequest(folder: string, id: string): void {
  remove(join(folder, `${id}.json`));
}

/** Removes the note of what was sent, once nothing more is compared with it. */
export function removeSent(folder: string, id: string): void {
  remove(join(folder, `${id}.sent`));
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot remove ${path}: ${reasonOf(error)}.`,
      "Check the folder's permissions.",
      { cause: error },
    );
  }
}
