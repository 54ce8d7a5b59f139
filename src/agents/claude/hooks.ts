import { join } from "node:path";
import { jsonHooksTarget, jsonObstacle } from "../json-hooks";
import { recorderCommand } from "../recorder-command";
import { folderOf, type HooksOf, type Surroundings, type WatchedSettings } from "../settings-target";

/**
 * The events that the mapping reads. Not among them, whatever is registered elsewhere: WorktreeCreate replaces the
 * making of worktrees and WorktreeRemove can fail their removal, PreModelSwitch can hold a switch back, FileChanged
 * wants file names, MessageDisplay comes with every piece of text, and PostToolBatch says nothing new (hooks reference).
 * PostModelSwitch is left to our plugin: a version that does not know it leaves out the whole settings file.
 */
export const CLAUDE_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "Elicitation",
  "ElicitationResult",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "CwdChanged",
] as const;

/** Claude Code reads hooks from the user's `settings.json` (hooks reference). Without a matcher a hook is for all. */
export const claudeHooks: HooksOf = (surroundings) => {
  const folder = folderOf(surroundings, "CLAUDE_CONFIG_DIR", join(surroundings.user, ".claude"));
  return {
    agent: "claude",
    title: "Claude Code",
    programs: ["claude"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "claude",
        path: join(folder, "settings.json"),
        events: CLAUDE_EVENTS,
        shape: "grouped",
        element: (event, recorder) => ({
          hooks: [{ type: "command", command: recorderCommand(recorder, "claude", event), timeout: 5 }],
        }),
        command: (event, recorder) => recorderCommand(recorder, "claude", event),
        obstacle: ({ disableAllHooks }) =>
          disableAllHooks === true ? `"disableAllHooks" is on: no hook runs until it is off` : undefined,
      }),
    ],
    watched: managed(surroundings),
    afterwards: "Sessions that run already take the hooks up after /hooks or a restart.",
  };
};

/** Where an administrator's settings stand (settings documentation). They are read only. */
function managed({ platform }: Surroundings): WatchedSettings[] {
  const folder =
    platform === "darwin"
      ? "/Library/Application Support/ClaudeCode"
      : platform === "win32"
        ? "C:\\Program Files\\ClaudeCode"
        : "/etc/claude-code";
  return [
    {
      path: join(folder, "managed-settings.json"),
      obstacle: (text) =>
        jsonObstacle(text, ({ allowManagedHooksOnly, disableAllHooks }) => {
          if (disableAllHooks === true) return "the administrator's settings turn all hooks off";
          return allowManagedHooksOnly === true ? "the administrator's settings allow their own hooks only" : undefined;
        }),
    },
  ];
}
