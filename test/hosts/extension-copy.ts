import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const NEEDED = ["src", "assets", "package.json", "tsconfig.json", "ai.yaml", "raycast-env.d.ts"];

/** Copies what a host builds the extension from, since a host writes its bundle beside it; gives the copy's folder. */
export function copyExtension(to: string): string {
  const project = process.cwd();
  const copy = join(to, "extension");
  mkdirSync(copy);
  for (const name of NEEDED) {
    if (existsSync(join(project, name))) cpSync(join(project, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  return copy;
}
