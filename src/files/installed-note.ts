import * as z from "zod";

const version = z.string().max(64);

const manifest = z.looseObject({ name: z.string().max(256), version: version.optional() });

/** What a `plugin.json` says of its plugin. */
export interface PluginManifest {
  name: string;
  version?: string;
}

/** Reads a plugin's `plugin.json`; undefined when it is none. Never throws. */
export function decodePluginManifest(text: string): PluginManifest | undefined {
  const parsed = parsedAs(manifest, text);
  if (parsed === undefined) return undefined;
  return { name: parsed.name, ...(parsed.version === undefined ? {} : { version: parsed.version }) };
}

const note = z.object({
  version: z.literal(1),
  /** The files that were put there, by their paths in the folder, each with its SHA-256. */
  files: z.record(z.string(), z.string()),
  /** How many folders above it were made for it. */
  made: z.number().int().min(0).max(8),
});

/** What an installed folder says of how it came there, so that it can be told from somebody else's. */
export type InstalledNote = Omit<z.infer<typeof note>, "version">;

/** Reads a note; undefined when it cannot be used. Never throws. */
export function decodeInstalledNote(text: string): InstalledNote | undefined {
  const parsed = parsedAs(note, text);
  return parsed === undefined ? undefined : { files: parsed.files, made: parsed.made };
}

/** A note as its file's text. */
export function encodeInstalledNote({ files, made }: InstalledNote): string {
  return `${JSON.stringify({ version: 1, files, made }, null, 2)}\n`;
}

function parsedAs<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
