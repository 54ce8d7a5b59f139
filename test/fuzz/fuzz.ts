import fc from "fast-check";
import { appendFileSync } from "node:fs";
import { propertyRuns } from "../property-runs";
import { Watchdog } from "./watchdog";

/** What a run of one target comes to; `scripts/test-fuzz.mjs` prints it. */
export interface FuzzRow {
  target: string;
  inputs: number;
  /** Inputs of which nothing, or not all, was taken, with the reason. */
  refusedWithReason: number;
  seconds: number;
  /** `FC_SEED` repeats the run. */
  seed: number;
}

/** What a check notes of its input. */
export interface Tally {
  /** Not all of it was taken, and the reason was told. */
  refused(): void;
}

/** So many times the inputs of a usual run of the tests. */
const TIMES = Math.max(1, Number(process.env.FUZZ_RUNS) || 1);

/** One input may take so much of the processor, in milliseconds, unless its target says otherwise. */
const LIMIT_MS = 10_000;

const TEST_LIMIT_MS = 60 * 60 * 1000;

let watchdog: Watchdog | undefined;

afterAll(async () => {
  await watchdog?.stop();
  watchdog = undefined;
});

/**
 * A target under hostile input, as a test: each input is checked for itself, shrunk when it fails, and has a time limit.
 *
 * @param usual how many inputs there are in a usual run of the tests; `FUZZ_RUNS` multiplies it, `FC_RUNS` replaces it
 * @param check throws for an input that is not dealt with as it should be
 * @param options.limitMs how much of the processor one input may take, in milliseconds
 * @param options.shrinks whether a failing input is made smaller; not worth it where one takes seconds
 */
export function fuzz<T>(
  target: string,
  usual: number,
  inputs: fc.Arbitrary<T>,
  check: (input: T, tally: Tally) => void | Promise<void>,
  { limitMs = LIMIT_MS, shrinks = true }: { limitMs?: number; shrinks?: boolean } = {},
): void {
  test(
    `under hostile input: ${target}`,
    async () => {
      const parameters = propertyRuns<[T]>(Math.ceil(usual * TIMES));
      const { seed } = parameters;
      const row: FuzzRow = { target, inputs: 0, refusedWithReason: 0, seconds: 0, seed };
      watchdog ??= new Watchdog();
      const dog = watchdog;
      dog.name(`${target} (FC_SEED=${seed})`);
      const began = process.hrtime.bigint();
      await fc.assert(
        fc.asyncProperty(inputs, async (input) => {
          row.inputs += 1;
          let isRefused = false;
          const before = process.cpuUsage();
          dog.begin();
          try {
            await check(input, { refused: () => (isRefused = true) });
          } finally {
            dog.end();
          }
          const { user, system } = process.cpuUsage(before);
          const took = (user + system) / 1000;
          if (took > limitMs)
            throw new Error(`took ${Math.round(took)} ms of the processor, at most ${limitMs} are let`);
          if (isRefused) row.refusedWithReason += 1;
        }),
        { ...parameters, endOnFailure: !shrinks },
      );
      row.seconds = Number(process.hrtime.bigint() - began) / 1e9;
      report(row);
    },
    TEST_LIMIT_MS,
  );
}

/** Leaves a row for whoever asked for the report: a line of JSON. */
export function report(row: FuzzRow): void {
  const file = process.env.FUZZ_REPORT;
  if (file === undefined || file === "") return;
  appendFileSync(file, `${JSON.stringify({ ...row, seconds: Math.round(row.seconds * 100) / 100 })}\n`);
}
