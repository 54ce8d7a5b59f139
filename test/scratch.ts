import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Places } from "../src/store/places";

/** A folder of its own for a test, removed at the end of the run of its file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-"));
  folders.push(folder);
  return folder;
}

/** Places in a scratch folder; the status directory exists, the rest does not yet. */
export function scratchPlaces(): Places {
  const folder = scratchFolder();
  const statusDirectory = join(folder, "status");
  mkdirSync(statusDirectory);
  return { home: join(folder, "home"), statusDirectory, signalStateFile: join(folder, "signal", "status.json") };
}

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
