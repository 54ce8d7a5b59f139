/* eslint-disable @typescript-eslint/no-require-imports --
   Folding carries every agent's payload schemas; most looks find an empty inbox and go without. */

/** The fold with all that it needs. */
export function folding(): typeof import("./folding") {
  return require("./folding");
}
