import * as z from "zod";
import type { Seconds } from "../session/report";
import { reasonIn } from "./control-request";
import { isMoment } from "./timestamp";

/** What the Claude plugin in a session tells of it: that it is there, and where it saves to. */
export interface PluginMark {
  at: Seconds;
  /** The pickup phrase as the memory file spells it; absent while it is not known. */
  pickup?: string;
  /** The file the phrase reads in, as an absolute path; absent while it is not known. */
  file?: string;
  /** The language it speaks with the user. */
  language?: string;
  /** The session's process. */
  pid?: number;
}

const schema = z.looseObject({
  version: z.literal(1),
  at: z.number().refine(isMoment, "is not a time in seconds since 1970"),
  pickup: z.string().max(1024),
  file: z.string().max(4096),
  language: z.string().max(64).optional(),
  pid: z.int().positive().optional(),
});

/** A mark read, or why the text is none. */
export type DecodedMark = { outcome: "mark"; mark: PluginMark } | { outcome: "refused"; reason: string };

/** Reads a mark of `plugin/`. Never throws. */
export function decodePluginMark(text: string): DecodedMark {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "refused", reason: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { outcome: "refused", reason: reasonIn(parsed.error) };
  const { at, pickup, file, language, pid } = parsed.data;
  return {
    outcome: "mark",
    mark: {
      at,
      ...(pickup === "" ? {} : { pickup }),
      ...(file === "" ? {} : { file }),
      ...(language === undefined ? {} : { language }),
      ...(pid === undefined ? {} : { pid }),
    },
  };
}
