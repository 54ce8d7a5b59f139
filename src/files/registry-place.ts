import type { LiveEntry } from "../session/live-entry";
import type { Finding } from "./problem";

/** Where an agent notes its running sessions: a folder with one file a process or session. */
export interface RegistryPlace {
  agent: string;
  /** Absolute path of the folder; it need not exist. */
  path: string;
  /** Whether a file of this name is such a note; others lie beside them. */
  isEntry(name: string): boolean;
}

/** A note decoded: its entry and what was repaired in it, or why it is refused. */
export type DecodedEntry =
  { outcome: "entry"; entry: LiveEntry; findings: Finding[] } | { outcome: "refused"; findings: Finding[] };
