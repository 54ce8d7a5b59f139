/* eslint-disable @typescript-eslint/no-require-imports --
   Most runs only read: what writes and locks is loaded by the first that does, which spares a short run's start. */

/** Atomic writing. */
export function writing(): typeof import("./atomic-write") {
  return require("./atomic-write");
}

/** Locking. */
export function locking(): typeof import("./lock") {
  return require("./lock");
}
