import * as z from "zod";
import { lenient, text, values, valuesOf, type Values } from "../fields";
import type { HookSetting } from "../../session/mapping";

const info = z.looseObject({ id: text, parentID: text, title: text, directory: text });

/** The fields of opencode's events and plugin hooks that we map (plugin typings; seen in recordings of 1.18.33). */
const opencodeFields = z.looseObject({
  sessionID: text,
  info: lenient(info),
  status: lenient(z.looseObject({ type: text })),
  error: lenient(z.looseObject({ name: text, data: lenient(z.looseObject({ message: text })) })),
  id: text,
  requestID: text,
  permissionID: text,
  reply: text,
  response: text,
  permission: text,
  type: text,
  title: text,
  patterns: lenient(z.array(z.string())),
  metadata: values,
  questions: lenient(z.array(z.looseObject({ question: text }))),
  tool: lenient(z.union([z.string(), z.looseObject({ callID: text })])),
  callID: text,
  args: values,
  part: lenient(z.looseObject({ type: text, auto: lenient(z.boolean()) })),
  parts: lenient(z.array(z.looseObject({ type: text, text, synthetic: lenient(z.boolean()) }))),
});

export type OpencodeFields = z.infer<typeof opencodeFields>;

/** One event of opencode, or one call of a hook of its plugins, wherever its fields stood. */
export interface OpencodeEvent {
  type: string;
  fields: OpencodeFields;
  /** The session that a subagent's works for. */
  parent?: string;
  directory?: string;
}

/**
 * What our plugin sends, read: `{type, properties}` for an event of the bus, `{type, input, output}` for a hook, with
 * the plugin's `directory`. Of a subagent's session only `session.created`, `.updated` and `.deleted` tell whose it
 * is, so the plugin adds `parentID`, the session at the root, to everything of it. The bare properties are
 * understood too, with the event named by the hook's registration.
 */
export function readOpencode(payload: unknown, { event }: HookSetting): OpencodeEvent | undefined {
  const outer = valuesOf(payload);
  const inner = typeof outer.properties === "object" && outer.properties !== null ? valuesOf(outer.properties) : outer;
  const named = inner === outer ? (event ?? outer.type) : (outer.type ?? event);
  if (typeof named !== "string" || named === "") return undefined;
  const type = named.toWellFormed().replace(/^event:/, "");
  const fields = opencodeFields.parse({
    ...hookPart(inner, "output", "o"),
    ...hookPart(inner, "input", "i"),
    ...inner,
  });
  const parent = text.parse(outer.parentID) ?? (type.startsWith("session.") ? fields.info?.parentID : undefined);
  const directory = text.parse(outer.directory) ?? fields.info?.directory;
  return {
    type,
    fields,
    ...(parent === undefined || parent === "" ? {} : { parent }),
    ...(directory === undefined ? {} : { directory }),
  };
}

/** What a hook was called with, or was to fill in, under its name or the short one of recordings. */
function hookPart(values: Values, name: string, short: string): Values {
  return { ...valuesOf(values[short]), ...valuesOf(values[name]) };
}
