import { readdirSync } from "node:fs";
import type { FolderNames } from "../files/transcript-format";

/** Of a folder with more names only as many are looked at. */
const NAMES_LIMIT = 50_000;

/**
 * The names in folders, listed once for all who ask: looking for the transcripts of many sessions costs what looking
 * for one does.
 */
export class FolderListing {
  private readonly listed = new Map<string, ReadonlySet<string>>();

  /** The names in a folder; none when it cannot be listed. */
  readonly names: FolderNames = (folder) => {
    const known = this.listed.get(folder);
    if (known !== undefined) return known;
    const names = new Set(list(folder));
    this.listed.set(folder, names);
    return names;
  };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, NAMES_LIMIT);
  } catch {
    return [];
  }
}
