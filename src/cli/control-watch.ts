import { PluginMarks } from "../control/plugin-marks";
import { lastRequests, settleRequests } from "../control/request-log";
import type { ControlWatch } from "../observe/annotated-rows";
import type { Places } from "../store/places";

/** What is asked of sessions from outside and which have our plugin, as it stands in our home. */
export function controlWatch({ home }: Pick<Places, "home">): ControlWatch {
  const marks = new PluginMarks(home);
  return {
    settle: (sessions, now) => settleRequests(home, sessions, now),
    requests(now) {
      marks.look();
      return lastRequests(home, now);
    },
    pluginOf: (session) => marks.of(session),
  };
}
