import { join } from "node:path";
import { jsonHooksTarget } from "../json-hooks";
import { recorderCommand } from "../recorder-command";
import type { HooksOf } from "../settings-target";

/**
 * The events that the mapping reads and that tell something of a session's state. Cursor refuses a whole file for one
 * name it does not know, so there is none here that its hooks reference lacks. Shell and MCP calls are here beside the
 * tools', since its command-line agent tells of them only.
 */
export const CURSOR_EVENTS = [
  "sessionStart",
  "sessionEnd",
  "beforeSubmitPrompt",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "beforeShellExecution",
  "afterShellExecution",
  "beforeMCPExecution",
  "afterMCPExecution",
  "subagentStart",
  "subagentStop",
  "preCompact",
  "stop",
] as const;

/** Cursor's hooks in the user's `hooks.json`, which has a version (hooks reference). */
export const cursorHooks: HooksOf = ({ user }) => {
  const folder = join(user, ".cursor");
  return {
    agent: "cursor",
    title: "Cursor",
    programs: ["cursor-agent", "cursor"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "cursor",
        path: join(folder, "hooks.json"),
        events: CURSOR_EVENTS,
        shape: "flat",
        beside: { key: "version", value: 1 },
        element: (event, recorder) => ({ command: recorderCommand(recorder, "cursor", event), timeout: 5 }),
        command: (event, recorder) => recorderCommand(recorder, "cursor", event),
      }),
    ],
  };
};
