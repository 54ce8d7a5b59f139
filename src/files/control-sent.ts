import * as z from "zod";
import { DELIVERY_WAYS, type ControlRequest, type DeliveryWay } from "../session/request";
import { encodeRequest, reasonIn, requestIn } from "./control-request";

/** What is larger is no note, in bytes: a message, and the digests of the longest files that are looked at. */
export const SENT_LIMIT = 8 * 1024 * 1024;

/** A memory file as it was when the request was made, line by line as digests: what it says is nobody's business. */
export interface NotedFile {
  file: string;
  digests: readonly string[];
}

/**
 * A request that went to a session without a receiver: what was asked and by which way, and what the memory files held
 * then, so that whoever looks later can tell what was added.
 */
export interface SentRequest {
  request: ControlRequest;
  way: DeliveryWay;
  /** Empty when it is not known where the session saves. */
  files: readonly NotedFile[];
}

const schema = z.looseObject({
  version: z.literal(1),
  request: z.unknown(),
  way: z.enum(DELIVERY_WAYS),
  files: z.array(z.looseObject({ file: z.string().min(1), digests: z.array(z.string().max(32)) })).max(256),
});

/** A note read, or why the text is none. */
export type DecodedSent = { outcome: "sent"; sent: SentRequest } | { outcome: "refused"; reason: string };

/** Reads a note of `control/`. Never throws. */
export function decodeSent(text: string): DecodedSent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "refused", reason: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { outcome: "refused", reason: reasonIn(parsed.error) };
  const { request, way, files } = parsed.data;
  const decoded = requestIn(request);
  if (decoded.outcome === "refused") return { outcome: "refused", reason: `its request ${decoded.reason}` };
  return {
    outcome: "sent",
    sent: { request: decoded.request, way, files: files.map(({ file, digests }) => ({ file, digests })) },
  };
}

/** The text of a note. */
export function encodeSent({ request, way, files }: SentRequest): string {
  return `${JSON.stringify({ version: 1, request: JSON.parse(encodeRequest(request)) as unknown, way, files })}\n`;
}
