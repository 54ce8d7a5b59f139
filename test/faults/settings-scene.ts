import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { World } from "./world";

/** What the user has: comments, odd indentation, hooks of others, an empty container, and files there are none of yet. */
export const SETTINGS: Readonly<Record<string, string>> = {
  ".claude/settings.json": `{\n  // mine\n  "model": "opus",\n    "hooks": {}\n}\n`,
  ".claude/skills/review/SKILL.md": "# Review\n",
  ".codex/config.toml": `# mine\nmodel = "x" # best\n`,
  ".gemini/settings.json": `{"theme":"dark","hooks":{"Stop":[]}}`,
  ".aider.conf.yml": "# mine\ndark-mode: true\n",
};

export const AGENTS = ["claude", "codex", "gemini", "opencode", "aider"];

/** Puts a user's settings of agents into a world. */
export function fillWithSettings(world: World): World {
  for (const [path, text] of Object.entries(SETTINGS)) {
    mkdirSync(dirname(join(world.user, path)), { recursive: true });
    writeFileSync(join(world.user, path), text);
  }
  return world;
}
