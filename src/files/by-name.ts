import * as z from "zod";

/** An object of JSON, with whatever keys. */
export const jsonObject = z.custom<object>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is missing or not an object",
);

/** How to tell what an issue of a schema says. */
export type ReasonOf = (issue: z.core.$ZodIssue) => string;

/**
 * An object whose keys are ids or names of others, as a map: each is a key of its own, whatever it is called. A record of
 * the schema library leaves `__proto__` out.
 */
export function mapByName<T>(schema: z.ZodType<T>, reasonOf: ReasonOf) {
  return jsonObject.transform((raw, context) => {
    const entries = new Map<string, T>();
    for (const [name, value] of Object.entries(raw)) {
      const parsed = schema.safeParse(value);
      if (parsed.success) entries.set(name, parsed.data);
      else relay(parsed.error, context, reasonOf, name);
    }
    return entries;
  });
}

/** The same as a plain object, with the issues in the schema library's words. */
export function byName<T>(schema: z.ZodType<T>) {
  return mapByName(schema, ({ message }) => message).transform((entries) => Object.fromEntries(entries));
}

/** Passes the issues of one schema on to another. */
export function relay(error: z.ZodError, context: z.RefinementCtx, reasonOf: ReasonOf, name?: string): void {
  for (const issue of error.issues) {
    const path = name === undefined ? issue.path : [name, ...issue.path];
    context.addIssue({ code: "custom", message: reasonOf(issue), path: [...path] });
  }
}
