/* eslint-disable @typescript-eslint/no-require-imports --
   The codecs carry the schema library: they are loaded when there is a request to read or to write, and most looks find
   none. */

/** The codec of requests. */
export function requestCodec(): typeof import("./control-request") {
  return require("./control-request");
}

/** The codec of outcomes. */
export function outcomeCodec(): typeof import("./control-outcome") {
  return require("./control-outcome");
}

/** The codec of what was sent without a receiver. */
export function sentCodec(): typeof import("./control-sent") {
  return require("./control-sent");
}

/** The codec of the plugin's marks. */
export function pluginMarkCodec(): typeof import("./plugin-mark") {
  return require("./plugin-mark");
}
