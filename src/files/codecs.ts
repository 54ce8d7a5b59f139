/* eslint-disable @typescript-eslint/no-require-imports --
   The codecs carry the schema library, which is most of a short run's start: they are loaded when a file really has
   to be parsed, and a file that did not change since the last run does not. */

/** The status file's codec. */
export function statusFileCodec(): typeof import("./status-file") {
  return require("./status-file");
}

/** The signal document's codec. */
export function signalDocumentCodec(): typeof import("./signal-document") {
  return require("./signal-document");
}

/** The read marks' codec. */
export function readMarksCodec(): typeof import("./read-marks") {
  return require("./read-marks");
}

/** The paused flag's codec. */
export function pausedFlagCodec(): typeof import("./paused-flag") {
  return require("./paused-flag");
}

/** The codec of Claude Code's registry. */
export function claudeRegistryCodec(): typeof import("./claude-registry") {
  return require("./claude-registry");
}

/** Our session files' codec. */
export function sessionFileCodec(): typeof import("./session-file") {
  return require("./session-file");
}
