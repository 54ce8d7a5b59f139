import { join } from "node:path";
import { jsonHooksTarget } from "../json-hooks";
import { recorderCommand } from "../recorder-command";
import type { HooksOf } from "../settings-target";

/** The events that the mapping reads; SubagentStop names no subagent, so it would say nothing. */
export const DROID_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Notification",
  "Stop",
  "PreCompact",
] as const;

/** Droid's hooks in the user's `settings.json`: Claude Code's shape (hooks reference). */
export const droidHooks: HooksOf = ({ user }) => {
  const folder = join(user, ".factory");
  return {
    agent: "droid",
    title: "Droid",
    programs: ["droid"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "droid",
        path: join(folder, "settings.json"),
        events: DROID_EVENTS,
        shape: "grouped",
        element: (event, recorder) => ({
          hooks: [{ type: "command", command: recorderCommand(recorder, "droid", event), timeout: 5 }],
        }),
        command: (event, recorder) => recorderCommand(recorder, "droid", event),
      }),
    ],
  };
};
