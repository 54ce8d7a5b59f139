import * as z from "zod";

const edit = z.object({
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  text: z.string(),
});

const file = z.object({
  /** Keys, from the outermost, of what a set-up made in the file; none at all: the file itself. */
  created: z.array(z.array(z.string())),
  /** Folders that a set-up made for the file, the outermost first. */
  folders: z.array(z.string()),
  /** The file as it was left, as a SHA-256. */
  digest: z.string(),
  /** What makes of that text the one before, to the character. */
  undo: z.array(edit).optional(),
});

const schema = z.object({ version: z.literal(1), files: z.record(z.string(), file) });

/** What a set-up remembers of a settings file, so that its removal leaves the file as it was. Nothing of its text. */
export type SettingsMemory = z.infer<typeof file>;

/** What is remembered of all settings files, by their paths. */
export type SettingsMemories = Readonly<Record<string, SettingsMemory>>;

/** Reads `set-up.json`; undefined when it cannot be used. Never throws. */
export function decodeSettingsMemories(text: string): SettingsMemories | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.files : undefined;
  } catch {
    return undefined;
  }
}

/** The memories as the text of `set-up.json`. */
export function encodeSettingsMemories(files: SettingsMemories): string {
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
}
