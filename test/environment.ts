import type { Places } from "../src/store/places";

/** The environment that points at places, in English. */
export function environmentOf(places: Places): Record<string, string> {
  return {
    AGENT_SESSIONS_HOME: places.home,
    AGENT_SESSIONS_STATUS_DIR: places.statusDirectory,
    AGENT_SIGNAL_LIGHT_STATE_FILE: places.signalStateFile,
    LANG: "en_US.UTF-8",
  };
}
