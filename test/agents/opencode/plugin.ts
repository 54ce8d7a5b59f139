import * as z from "zod";
import type { Entry } from "../../recording";

const fields = z.looseObject({
  sessionID: z.string().optional(),
  i: z.looseObject({ sessionID: z.string().optional() }).optional(),
  o: z.unknown().optional(),
  info: z.looseObject({ id: z.string().optional(), parentID: z.string().optional() }).optional(),
});

/**
 * The recorded events as our plugin sends them: the event's name and its properties, or a hook's input and output, and
 * for all of a subagent's session whose it is, which the plugin remembers from the session's creation.
 */
export function asPluginSends(entries: readonly Entry[]): Entry[] {
  const parents = new Map<string, string>();
  return entries.map((entry) => {
    const read = fields.parse(entry.payload);
    const type = entry.event.replace(/^event:/, "");
    const { id, parentID } = read.info ?? {};
    if (type === "session.created" && id !== undefined && parentID !== undefined) parents.set(id, parentID);
    const parent = parents.get(read.sessionID ?? read.i?.sessionID ?? id ?? "");
    const { i: input, o: output, ...rest } = read;
    const payload = {
      type,
      ...(input === undefined
        ? { properties: rest }
        : { input, output: { ...rest, ...z.looseObject({}).parse(output ?? {}) } }),
      ...(parent === undefined ? {} : { parentID: parent }),
    };
    return { ...entry, payload };
  });
}
