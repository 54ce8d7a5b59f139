import type * as fc from "fast-check";

/**
 * How often a property is tried: `FC_RUNS` raises or lowers it, `FC_SEED` repeats a failure (fast-check prints the
 * seed with it).
 */
export function propertyRuns<T>(usual: number): fc.Parameters<T> {
  const runs = Number(process.env.FC_RUNS);
  const seed = process.env.FC_SEED;
  return {
    numRuns: Number.isInteger(runs) && runs > 0 ? runs : usual,
    ...(seed === undefined || seed === "" ? {} : { seed: Number(seed) }),
  };
}
