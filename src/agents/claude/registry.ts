import { join } from "node:path";
import type { RegistryPlace } from "../../files/registry-place";

/**
 * Claude Code's registry: `<config>/sessions/<pid>.json` (seen with version 2.1.332). It is there for every running
 * process, goes at its exit, and stays after a `kill -9`. Beside each lies a `<pid>.<hash>.key`, which is not for us.
 *
 * @param configDirectory `CLAUDE_CONFIG_DIR`, `~/.claude` by default
 */
export function claudeRegistry(configDirectory: string): RegistryPlace {
  return {
    agent: "claude",
    path: join(configDirectory, "sessions"),
    isEntry: (name) => /^[1-9]\d{0,9}\.json$/.test(name),
  };
}
