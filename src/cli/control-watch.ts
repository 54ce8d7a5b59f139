import { PluginMarks } from "../control/plugin-marks";
import { lastRequests, settleRequests } from "../control/request-log";
import type { ControlWatch } from "../observe/annotated-rows";
import type { Places } from "../store/places";

/** Old marks are looked for this often, in seconds. */
const TIDY_EVERY = 3600;

/** What is asked of sessions from outside and which have our plugin, as it stands in our home. */
export function controlWatch({ home }: Pick<Places, "home">): ControlWatch {
  const marks = new PluginMarks(home);
  let tidied = 0;
  return {
    settle(sessions, now) {
      settleRequests(home, sessions, now);
      if (now - tidied < TIDY_EVERY) return;
      // Not at the first look: a run of some milliseconds leaves it to those that stay.
      if (tidied > 0) marks.tidy(now * 1000);
      tidied = now;
    },
    requests(now) {
      marks.look();
      return lastRequests(home, now);
    },
    pluginOf: (session) => marks.of(session),
  };
}
