/**
 * Whether everything is tried, as `npm run test:thorough` has it, and with new random values. A usual run of the tests leaves
 * out repetitions, and draws the same values each time, so that it says the same twice.
 */
export const isThorough =
  process.env.THOROUGH === "1" || Number(process.env.FUZZ_RUNS) > 1 || Number(process.env.FC_RUNS) > 1;

/** How much of something there is: `usual` in a usual run of the tests, `whole` in a thorough one. */
export function extent(usual: number, whole: number): number {
  return isThorough ? whole : usual;
}

/** Of a list each so-many-th item, beginning with the one at `from`; all of it in a thorough run. */
export function part<T>(list: readonly T[], of: number, from = 0): T[] {
  return list.filter((_, index) => isThorough || index % of === from % of);
}

/** The seed of what is random, unless one is asked for: the same in each usual run, another in each thorough one. */
export function seed(): number {
  return isThorough ? Math.floor(Math.random() * 0x7fff_ffff) : 20_261_130;
}
