import * as z from "zod";
import { isSignal } from "../session/signal";
import { jsonObject, mapByName, relay } from "./by-name";
import { isMoment, secondsOfIso } from "./timestamp";

/** A date of the signal document in seconds since 1970: ISO 8601 with or without fraction and offset, or a number. */
export const moment = z.union([z.string(), z.number()], "is not a date").transform((value, context) => {
  const seconds = typeof value === "number" ? value : secondsOfIso(value);
  if (seconds !== undefined && isMoment(seconds)) return seconds;
  context.addIssue({ code: "custom", message: "is not an ISO 8601 date or a number of seconds" });
  return z.NEVER;
});

/** A signal by its exact name. */
export const signal = z.string().refine(isSignal, "is not a signal");

/** A key that may be left out; Swift decodes an absent one and a null alike. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/**
 * A record with the keys of `shape`. Every other key is kept in `extra`, whatever its name: a schema's own output
 * leaves `__proto__` out.
 */
export function record<S extends z.ZodRawShape>(shape: S) {
  const schema = z.object(shape);
  return jsonObject.transform((raw, context) => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      const extra = Object.fromEntries(Object.entries(raw).filter(([key]) => !Object.hasOwn(shape, key)));
      return { fields: parsed.data, extra };
    }
    relay(parsed.error, context, reasonOf);
    return z.NEVER;
  });
}

/** An object whose keys are the document's own ids, whatever they are called. */
export function byId<T>(schema: z.ZodType<T>) {
  return mapByName(schema, reasonOf);
}

/** What an issue of a schema says, in the words of a sentence about the field. */
export function reasonOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_type" ? `is missing or not a ${issue.expected}` : issue.message;
}
