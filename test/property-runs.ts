import type * as fc from "fast-check";
import { seed } from "./thoroughness";

/**
 * How often a property is tried: `FC_RUNS` raises or lowers it, `FC_SEED` repeats a failure (fast-check prints the
 * seed with it).
 */
export function propertyRuns<T>(usual: number): fc.Parameters<T> & { seed: number } {
  const runs = Number(process.env.FC_RUNS);
  const asked = process.env.FC_SEED;
  return {
    numRuns: Number.isInteger(runs) && runs > 0 ? runs : usual,
    seed: asked === undefined || asked === "" ? seed() : Number(asked),
  };
}
