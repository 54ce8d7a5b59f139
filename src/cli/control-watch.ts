import { join } from "node:path";
import { PluginMarks } from "../control/plugin-marks";
import type { ControlWatch } from "../observe/annotated-rows";
import type { RequestOutcome } from "../session/request";
import { presenceOf } from "../store/guarded-read";
import type { Places } from "../store/places";
import { requestLog } from "./control-module";

/** Old marks are looked for this often, in seconds. */
const TIDY_EVERY = 3600;

const NO_REQUESTS: ReadonlyMap<string, RequestOutcome> = new Map();

/** What is asked of sessions from outside and which have our plugin, as it stands in our home. */
export function controlWatch({ home }: Pick<Places, "home">): ControlWatch {
  const marks = new PluginMarks(home);
  const isAsked = () => presenceOf(join(home, "control")).outcome === "there";
  let tidied = 0;
  return {
    settle(sessions, now) {
      if (isAsked()) requestLog().settleRequests(home, sessions, now);
      if (now - tidied < TIDY_EVERY) return;
      // Not at the first look: a run of some milliseconds leaves it to those that stay.
      if (tidied > 0) marks.tidy(now * 1000);
      tidied = now;
    },
    requests(now) {
      marks.look();
      return isAsked() ? requestLog().lastRequests(home, now) : NO_REQUESTS;
    },
    pluginOf: (session) => marks.of(session),
  };
}
