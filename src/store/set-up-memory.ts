import { join } from "node:path";
import { decodeSettingsMemories, encodeSettingsMemories, type SettingsMemories } from "../files/settings-memory";
import { replaceFile } from "./atomic-write";
import { folderRefusal, readGuarded } from "./guarded-read";
import type { Places } from "./places";

const LIMIT = 4 * 1024 * 1024;

/**
 * What we remember of the settings files we set up. Without it, or with a damaged one, a removal still takes everything
 * of ours away; only an empty container that was the user's cannot be told from one of ours then.
 */
export function readSetUpMemory({ home }: Pick<Places, "home">): SettingsMemories {
  if (folderRefusal(home) !== undefined) return {};
  const read = readGuarded(fileIn(home), { limit: LIMIT, links: "refuse" });
  return read.outcome === "text" ? (decodeSettingsMemories(read.text) ?? {}) : {};
}

/** @throws SessionsError `refused` or `unwritable` */
export function writeSetUpMemory({ home }: Pick<Places, "home">, memories: SettingsMemories): void {
  replaceFile(fileIn(home), encodeSettingsMemories(memories));
}

function fileIn(home: string): string {
  return join(home, "set-up.json");
}
