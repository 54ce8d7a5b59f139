/** What can be asked of a session from outside (docs/control.md). */
export type RequestKind = "save" | "save-restart" | "save-auto" | "cancel" | "interrupt" | "prompt";

const KINDS: readonly string[] = ["save", "save-restart", "save-auto", "cancel", "interrupt", "prompt"];

/** A request as its file tells it; times are seconds. */
export interface Request {
  id: string;
  kind: RequestKind;
  text?: string;
  author: string;
  at: number;
  expiresAt: number;
}

/** A request read, or why it does nothing. `id` and `kind` are there where the file has valid ones. */
export type ReadRequest =
  | { outcome: "request"; request: Request }
  | { outcome: "expired"; id: string; kind: RequestKind }
  | { outcome: "refused"; reason: string; kind?: RequestKind };

/** What is larger is no request, in bytes. */
export const REQUEST_BYTES = 64 * 1024;

/** A message is at most so long, in bytes. */
const MESSAGE_BYTES = 16 * 1024;

/** Clocks of one machine agree; one that comes from later than this is wrong. */
const AHEAD_SECONDS = 300;

const ID = /^[A-Za-z0-9-]{1,64}$/;

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** The id of a request by its file's name; undefined where the file is none. */
export function requestIdOf(name: string): string | undefined {
  const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
  return ID.test(id) ? id : undefined;
}

/** The name of the file that tells what became of a request. */
export function outcomeName(id: string): string {
  return `${id}.done.json`;
}

/**
 * Reads a request.
 *
 * @param id what its file is named after
 * @param now in seconds
 */
export function readRequest(text: string, id: string, now: number): ReadRequest {
  const value = parsed(text);
  if (value === undefined) return { outcome: "refused", reason: "The request is not JSON" };
  const kind = isKind(value.kind) ? value.kind : undefined;
  const refused = (reason: string): ReadRequest => ({
    outcome: "refused",
    reason,
    ...(kind === undefined ? {} : { kind }),
  });
  if (value.version !== 1) return refused("The request has a format that this plugin does not read");
  if (value.id !== id) return refused("The request's id is not the name of its file");
  if (kind === undefined) return refused("The request asks for nothing this plugin knows");
  const { author, at, expiresAt, text: message } = value;
  if (typeof author !== "string" || author === "" || author.length > 256) return refused("The request names no author");
  if (!isMoment(at) || !isMoment(expiresAt) || expiresAt <= at) return refused("The request's times are not valid");
  if (now >= expiresAt) return { outcome: "expired", id, kind };
  if (at > now + AHEAD_SECONDS) return refused("The request comes from the future");
  if (kind !== "prompt") {
    if (message !== undefined) return refused("Only a prompt has a text");
    return { outcome: "request", request: { id, kind, author, at, expiresAt } };
  }
  if (typeof message !== "string" || message.trim() === "") return refused("The prompt has no text");
  if (CONTROL.test(message)) return refused("The prompt holds control characters");
  if (new TextEncoder().encode(message).length > MESSAGE_BYTES) return refused("The prompt is longer than 16 KiB");
  return { outcome: "request", request: { id, kind, text: message, author, at, expiresAt } };
}

function isKind(value: unknown): value is RequestKind {
  return typeof value === "string" && KINDS.includes(value);
}

function isMoment(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A value as a record of values; undefined where it is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
