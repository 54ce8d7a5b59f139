import { join } from "node:path";
import { jsonHooksTarget, jsonObstacle } from "../json-hooks";
import { recorderCommand, type Recorder } from "../recorder-command";
import { folderOf, type HooksOf } from "../settings-target";

/**
 * The events that the mapping reads. Not permissionRequest: it runs before the rules, so it is no proof that anybody is
 * asked, and a hook that fails there denies.
 */
export const COPILOT_EVENTS = [
  "sessionStart",
  "sessionEnd",
  "userPromptSubmitted",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "notification",
  "subagentStart",
  "subagentStop",
  "preCompact",
  "agentStop",
  "errorOccurred",
] as const;

/** Copilot CLI reads every JSON file of its hooks folder (hooks reference): ours is a file of its own. */
export const copilotHooks: HooksOf = (surroundings) => {
  const folder = folderOf(surroundings, "COPILOT_HOME", join(surroundings.user, ".copilot"));
  return {
    agent: "copilot",
    title: "GitHub Copilot CLI",
    programs: ["copilot"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "copilot",
        path: join(folder, "hooks", "agent-sessions.json"),
        events: COPILOT_EVENTS,
        shape: "flat",
        commandKey: "bash",
        beside: { key: "version", value: 1 },
        element: (event, recorder) => ({
          type: "command",
          bash: command(event, recorder),
          powershell: `agent-sessions record copilot ${event}`,
          timeoutSec: 5,
        }),
        command,
      }),
    ],
    watched: [
      {
        path: join(folder, "settings.json"),
        obstacle: (text) =>
          jsonObstacle(text, ({ disableAllHooks }) =>
            disableAllHooks === true ? `"disableAllHooks" is on: no hook runs until it is off` : undefined,
          ),
      },
    ],
  };
};

/** A preToolUse hook that cannot be started denies the tool: with the recorder gone this one lets it through. */
function command(event: string, recorder: Recorder): string {
  const line = recorderCommand(recorder, "copilot", event);
  return event === "preToolUse" && recorder.platform !== "win32" ? `${line} || exit 0` : line;
}
