import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Message } from "./conversation";
import type { Turn } from "./turn";

/** One request to the model, and the way to answer it. */
export interface Exchange<Body> {
  body: Body;
  response: ServerResponse;
  /** The script's next answer. */
  turnFor(messages: readonly Message[]): Turn;
  /** What holds a summary of the conversation back. */
  compaction: Promise<void>;
}

/** A new identifier, in the manner of the protocols: a prefix tells what it is of. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(9).toString("hex")}`;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
}

/** Sends one event of a stream. */
export function sendEvent(response: ServerResponse, data: unknown, name?: string): void {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`);
}
