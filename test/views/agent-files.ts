import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Places } from "../../src/store/places";
import { environmentOf } from "../environment";
import { host } from "../host";
import { scratchPlaces } from "../scratch";

const marksSchema = z.object({
  version: z.literal(1),
  baseline: z.number(),
  sessions: z.record(z.string(), z.object({ read_until: z.number().optional(), kept_unread: z.number().optional() })),
});

/** Now, in seconds since 1970. */
export function now(): number {
  return Date.now() / 1000;
}

const closed: string[] = [];

// What cannot be written cannot be removed either.
afterEach(() => {
  for (const home of closed.splice(0)) if (existsSync(home)) chmodSync(home, 0o700);
  for (const name of named.splice(0)) delete process.env[name];
});

/** The variables that a test has set. */
const named: string[] = [];

/** The files that agents would report into, in a scratch folder that the preferences name. */
export class AgentFiles {
  readonly places: Places = scratchPlaces();

  /** @param baseline since when answers count as unread; by default all do */
  constructor(baseline = 0) {
    mkdirSync(this.places.home, { mode: 0o700 });
    mkdirSync(dirname(this.places.signalStateFile));
    writeFileSync(this.marksFile, JSON.stringify({ version: 1, baseline, sessions: {} }), { mode: 0o600 });
    this.prefer();
  }

  get marksFile(): string {
    return join(this.places.home, "read-marks.json");
  }

  /** Has the preferences name these places, with what else the user set. */
  prefer(more: Record<string, unknown> = {}): void {
    const { home, statusDirectory, signalStateFile } = this.places;
    host.preferences = { homeDirectory: home, statusDirectory, signalStateFile, ...more };
  }

  /** Has the environment name these places in the preferences' stead: what is wrong with them is no preference's fault. */
  nameByEnvironment(): void {
    const { LANG, ...places } = environmentOf(this.places);
    void LANG;
    Object.assign(process.env, places);
    named.push(...Object.keys(places));
    host.preferences = {};
  }

  /** Writes a session's status file whole, as its writer does: to another name, then renamed. */
  status(id: string, state: string, fields: Record<string, unknown> = {}): void {
    this.raw(`${id}.json`, JSON.stringify({ session_id: id, state, ts: now() - 300, ...fields }));
  }

  /** Writes a file of any content into the status directory. */
  raw(name: string, text: string): void {
    const draft = join(this.places.statusDirectory, `.${name}.new`);
    writeFileSync(draft, text);
    renameSync(draft, join(this.places.statusDirectory, name));
  }

  remove(id: string): void {
    rmSync(join(this.places.statusDirectory, `${id}.json`));
  }

  /** Writes Agent Signal's document with these sessions. */
  signal(sessions: Record<string, { signal: string; agent?: string; updated_at?: number }>): void {
    const records = Object.entries(sessions).map(([id, record]) => [id, { updated_at: now() - 60, ...record }]);
    writeFileSync(
      this.places.signalStateFile,
      JSON.stringify({ schema_version: 1, sessions: Object.fromEntries(records), events: [] }),
    );
  }

  /** Has no mark written into our home any more; root may write everywhere, but not where the lock is to be. */
  closeHome(): void {
    const lock = join(this.places.home, "read-marks.lock");
    mkdirSync(lock, { recursive: true });
    // Something that was there for long, and is no lock.
    utimesSync(lock, 1, 1);
    chmodSync(this.places.home, 0o500);
    closed.push(this.places.home);
  }

  /** Waits until no file is so young that it may change again within a tick of its clock: till then it is read again. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 60));
  }

  /** The read marks as they stand on disk. */
  marks(): z.infer<typeof marksSchema> {
    return marksSchema.parse(JSON.parse(readFileSync(this.marksFile, "utf8")));
  }
}
