import * as z from "zod";
import { DELIVERY_WAYS, OUTCOMES, REQUEST_KINDS, type OutcomeStep, type RequestOutcome } from "../session/request";
import { reasonIn } from "./control-request";
import { isMoment } from "./timestamp";

/** What is larger is no outcome, in bytes. */
export const OUTCOME_LIMIT = 64 * 1024;

/** More steps than a request can have. */
const STEP_LIMIT = 64;

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");

const step = z.looseObject({
  outcome: z.enum(OUTCOMES),
  at: moment,
  reason: z.string().max(4096).optional(),
  proof: z.looseObject({ file: z.string().min(1).max(4096), lines: z.int().nonnegative() }).optional(),
});

const schema = z.looseObject({
  version: z.literal(1),
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "is not an id of letters, digits and -"),
  kind: z.enum(REQUEST_KINDS),
  by: z.enum(DELIVERY_WAYS).optional(),
  steps: z.array(step).min(1).max(STEP_LIMIT),
});

/** An outcome read, or why the text is none: one that is being written is cut, and whole a moment later. */
export type DecodedOutcome = { outcome: "outcome"; request: RequestOutcome } | { outcome: "refused"; reason: string };

/** Reads an outcome file of `control/`. Never throws; keys it does not know are left out. */
export function decodeOutcome(text: string): DecodedOutcome {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "refused", reason: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { outcome: "refused", reason: reasonIn(parsed.error) };
  const { id, kind, by, steps } = parsed.data;
  return {
    outcome: "outcome",
    request: { id, kind, ...(by === undefined ? {} : { by }), steps: steps.map(stepOf) },
  };
}

function stepOf({ outcome, at, reason, proof }: z.infer<typeof step>): OutcomeStep {
  return {
    outcome,
    at,
    ...(reason === undefined ? {} : { reason }),
    ...(proof === undefined ? {} : { proof: { file: proof.file, lines: proof.lines } }),
  };
}

/** The text of an outcome file. */
export function encodeOutcome({ id, kind, by, steps }: RequestOutcome): string {
  return `${JSON.stringify({ version: 1, id, kind, by, steps })}\n`;
}
