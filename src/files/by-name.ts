import * as z from "zod";

const plainObject = z.custom<object>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is not an object",
);

/**
 * An object whose keys are ids or names of others: each becomes a key of its own, whatever it is called. A record of the
 * schema library leaves `__proto__` out.
 */
export function byName<T>(schema: z.ZodType<T>) {
  return plainObject.transform((raw, context): Record<string, T> => {
    const entries: [string, T][] = [];
    for (const [name, value] of Object.entries(raw)) {
      const parsed = schema.safeParse(value);
      if (parsed.success) entries.push([name, parsed.data]);
      else {
        for (const { message, path } of parsed.error.issues)
          context.addIssue({ code: "custom", message, path: [name, ...path] });
      }
    }
    return Object.fromEntries(entries);
  });
}
