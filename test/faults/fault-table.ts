import { appendFileSync } from "node:fs";

/** What the proof is asked for: `FAULT_ROUNDS` as the script sets it; absent in the usual run of the tests, which is short. */
const ASKED = Number(process.env.FAULT_ROUNDS);

/** So much of the usual run's seconds is taken: all of the tests together are to end within ten minutes. */
const SHORTENED = 0.2;

/** Whether the whole proof runs, not its short version. */
export const IS_WHOLE = Number.isFinite(ASKED) && ASKED > 0;

/** So many rounds the whole proof has when nobody asks for more. */
const USUAL_ROUNDS = 100;

/** How much of the proof runs: `short` in the usual run of the tests; of the whole one `whole`, or more where that is asked for. */
export function amount(short: number, whole: number): number {
  return IS_WHOLE ? Math.ceil((whole * ASKED) / USUAL_ROUNDS) : short;
}

/** The seed of a run: `FAULT_SEED` repeats one. */
export const SEED = Number(process.env.FAULT_SEED ?? (IS_WHOLE ? Date.now() % 1_000_000 : 1));

/** Numbers from 0 to 1 (mulberry32), the same for the same seed and name. */
export function randomOf(name: string): () => number {
  let state = Array.from(name).reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, SEED);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some of many, spread evenly, beginning at random. */
export function someOf<T>(all: readonly T[], count: number, random: () => number): T[] {
  if (all.length <= count) return [...all];
  const stride = all.length / count;
  const first = random() * stride;
  return Array.from({ length: count }, (_, index) => all[Math.floor(first + index * stride)]).filter(
    (each) => each !== undefined,
  );
}

/** All of it in the whole proof; in the short one some, which the seed draws. */
export function drawn<T>(all: readonly T[], count: number, name: string): readonly T[] {
  return IS_WHOLE ? all : someOf(all, count, randomOf(name));
}

/** One line of the table. */
export interface FaultRow {
  what: string;
  rounds: number;
  kills: number;
  /** What had been taken and is not there. */
  lost: number;
  /** What is there twice. */
  twice: number;
  /** What cannot be read, a run that did not work, something left that is in the way. */
  corrupt: number;
  seconds: number;
  seed: number;
}

/** What is wrong after a round, in words. */
export interface Faults {
  lost?: readonly string[];
  twice?: readonly string[];
  corrupt?: readonly string[];
}

/** Counts the rounds of one proof, bounded by time, and tells its line at the end. */
export class Tally {
  rounds = 0;
  kills = 0;
  private readonly began = Date.now();
  private readonly faults: { kind: keyof Faults; text: string }[] = [];

  /** @param seconds for so long rounds are begun: `short` in the usual run of the tests, else `whole`, or more */
  constructor(
    readonly what: string,
    private readonly seconds: { short: number; whole: number },
  ) {}

  /** Whether there is time for another round; there is for a first one. */
  get hasTime(): boolean {
    const seconds = amount(this.seconds.short * SHORTENED, this.seconds.whole);
    return this.rounds === 0 || Date.now() - this.began < 1000 * seconds;
  }

  /** Not everything that was to be tried was: time was over. */
  isCut = false;

  /** Notes what is wrong after a round; `where` tells how to come there again. */
  note(where: string, faults: Faults): void {
    for (const kind of ["lost", "twice", "corrupt"] as const) {
      for (const text of faults[kind] ?? []) this.faults.push({ kind, text: `${where}: ${text}` });
    }
  }

  /** Tells the line, to the table too, and expects nothing to be wrong and something to have been tried. */
  finish(): void {
    const count = (kind: keyof Faults) => this.faults.filter((fault) => fault.kind === kind).length;
    const row: FaultRow = {
      what: IS_WHOLE && this.isCut ? `${this.what} (not all: time was over)` : this.what,
      rounds: this.rounds,
      kills: this.kills,
      lost: count("lost"),
      twice: count("twice"),
      corrupt: count("corrupt"),
      seconds: Math.round((Date.now() - this.began) / 100) / 10,
      seed: SEED,
    };
    if (process.env.FAULT_TABLE !== undefined) appendFileSync(process.env.FAULT_TABLE, `${JSON.stringify(row)}\n`);
    if (IS_WHOLE) process.stdout.write(`${lineOf(row)}\n`);
    const told = this.faults
      .slice(0, Number(process.env.FAULT_SHOWN ?? 12))
      .map(({ kind, text }) => `${kind}: ${text}`);
    expect({ seed: SEED, faults: told }).toEqual({ seed: SEED, faults: [] });
    expect(this.rounds).toBeGreaterThan(0);
  }
}

/** A row as a line that tells how to come there again. */
function lineOf({ what, rounds, kills, lost, twice, corrupt, seconds, seed }: FaultRow): string {
  return `${what}: ${rounds} rounds, ${kills} kills, ${lost} lost, ${twice} twice, ${corrupt} corrupt in ${seconds} s (seed ${seed})`;
}
