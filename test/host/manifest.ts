import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The project's folder. */
export const PROJECT = join(__dirname, "..", "..");

const preference = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  type: z.enum(["textfield", "password", "checkbox", "dropdown", "appPicker", "file", "directory"]),
  required: z.boolean(),
  label: z.string().optional(),
  default: z.unknown().optional(),
});

const command = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  mode: z.enum(["view", "no-view", "menu-bar"]),
  interval: z.string().optional(),
  icon: z.string().optional(),
  disabledByDefault: z.boolean().optional(),
  preferences: z.array(preference).optional(),
});

const manifest = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  icon: z.string(),
  author: z.string(),
  license: z.string(),
  platforms: z.array(z.string()),
  categories: z.array(z.string()),
  commands: z.array(command),
  preferences: z.array(preference),
});

/** A command as the manifest declares it. */
export type ManifestCommand = z.infer<typeof command>;

/** The extension's manifest, which is what the launcher knows of it. */
export const MANIFEST = manifest.parse(JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")));

/** A command of the manifest. */
export function commandNamed(name: string): ManifestCommand {
  const found = MANIFEST.commands.find((each) => each.name === name);
  if (found === undefined) throw new Error(`Command "${name}" does not exist`);
  return found;
}

/** What the preferences are while the user has set none: defaults, unticked boxes, and nothing for an empty field. */
export function preferenceDefaults(): Record<string, unknown> {
  return Object.fromEntries(
    MANIFEST.preferences.flatMap(({ name, type, default: value }) => {
      if (value !== undefined) return [[name, value]];
      return type === "checkbox" ? [[name, false]] : [];
    }),
  );
}
