/* eslint-disable @typescript-eslint/no-require-imports --
   Most users ask nothing of their sessions: what reads requests is loaded when there are some. */

/** The requests of sessions. */
export function requestLog(): typeof import("../control/request-log") {
  return require("../control/request-log");
}
