import * as z from "zod";
import { REQUEST_KINDS, type ControlRequest } from "../session/request";
import { isMoment } from "./timestamp";

/** What is larger is no request (docs/control.md), in bytes. */
export const REQUEST_LIMIT = 64 * 1024;

/** A message is at most so long, in bytes of UTF-8. */
export const MESSAGE_LIMIT = 16 * 1024;

/** What is not a letter of a message: control characters but line breaks and tabs, C1 ones too. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");

const message = z
  .string()
  .min(1)
  .refine((text) => !CONTROL.test(text), "holds control characters")
  .refine((text) => Buffer.byteLength(text) <= MESSAGE_LIMIT, "is longer than 16 KiB");

const schema = z
  .looseObject({
    version: z.literal(1),
    id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "is not an id of letters, digits and -"),
    kind: z.enum(REQUEST_KINDS),
    text: message.optional(),
    author: z.string().min(1).max(256),
    at: moment,
    expiresAt: moment,
  })
  .refine(({ kind, text }) => (kind === "prompt") === (text !== undefined), {
    path: ["text"],
    message: "belongs to a prompt, and to nothing else",
  })
  .refine(({ at, expiresAt }) => expiresAt > at, { path: ["expiresAt"], message: "is not after at" });

/** A request read, or why the text is none. */
export type DecodedRequest =
  | { outcome: "request"; request: ControlRequest }
  | {
      outcome: "refused";
      reason: string;
    };

/** Reads a request file of `control/`. Never throws; keys it does not know are left out. */
export function decodeRequest(text: string): DecodedRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "refused", reason: "is not JSON" };
  }
  return requestIn(value);
}

/** Reads a request from JSON that was parsed already; as `decodeRequest`. */
export function requestIn(value: unknown): DecodedRequest {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { outcome: "refused", reason: reasonIn(parsed.error) };
  const { id, kind, text: words, author, at, expiresAt } = parsed.data;
  return {
    outcome: "request",
    request: { id, kind, ...(words === undefined ? {} : { text: words }), author, at, expiresAt },
  };
}

/**
 * The text of a request file.
 *
 * @throws RangeError for a request that no receiver would take: that is a mistake of ours
 */
export function encodeRequest(request: ControlRequest): string {
  const { id, kind, text, author, at, expiresAt } = request;
  const encoded = `${JSON.stringify({ version: 1, id, kind, text, author, at, expiresAt })}\n`;
  const decoded = decodeRequest(encoded);
  if (decoded.outcome === "refused") throw new RangeError(`a request ${decoded.reason}`);
  return encoded;
}

/** What is wrong, from the schema's first finding. */
export function reasonIn({ issues }: Pick<z.ZodError, "issues">): string {
  const issue = issues[0];
  return `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "is not valid"}`;
}
