import { join } from "node:path";
import { jsonHooksTarget } from "../json-hooks";
import { recorderCommand } from "../recorder-command";
import type { HooksOf } from "../settings-target";

/** The events that the mapping reads. */
export const QWEN_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "SessionDelete",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
] as const;

/** Qwen Code's hooks in the user's `settings.json`: Claude Code's shape, a timeout in seconds (hooks reference). */
export const qwenHooks: HooksOf = ({ user }) => {
  const folder = join(user, ".qwen");
  return {
    agent: "qwen",
    title: "Qwen Code",
    programs: ["qwen"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "qwen",
        path: join(folder, "settings.json"),
        events: QWEN_EVENTS,
        shape: "grouped",
        element: (event, recorder) => ({
          hooks: [{ type: "command", command: recorderCommand(recorder, "qwen", event), timeout: 5 }],
        }),
        command: (event, recorder) => recorderCommand(recorder, "qwen", event),
        obstacle: ({ disableAllHooks }) =>
          disableAllHooks === true ? `"disableAllHooks" is on: no hook runs until it is off` : undefined,
      }),
    ],
    afterwards: "Sessions that run already take the hooks up after /hooks or a restart.",
  };
};
