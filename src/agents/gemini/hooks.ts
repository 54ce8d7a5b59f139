import { join } from "node:path";
import { jsonHooksTarget } from "../json-hooks";
import { valuesOf } from "../fields";
import { recorderCommand } from "../recorder-command";
import type { HooksOf } from "../settings-target";

/** The events that the mapping reads; those of single calls of the model come far too often. */
export const GEMINI_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "BeforeAgent",
  "AfterAgent",
  "BeforeTool",
  "AfterTool",
  "Notification",
  "PreCompress",
] as const;

/** Gemini CLI's hooks in the user's `settings.json`; their timeout is in milliseconds (hooks reference). */
export const geminiHooks: HooksOf = ({ user }) => {
  const folder = join(user, ".gemini");
  return {
    agent: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "gemini",
        path: join(folder, "settings.json"),
        events: GEMINI_EVENTS,
        shape: "grouped",
        element: (event, recorder) => ({
          matcher: "*",
          hooks: [
            {
              name: "agent-sessions",
              type: "command",
              command: recorderCommand(recorder, "gemini", event),
              timeout: 5000,
            },
          ],
        }),
        command: (event, recorder) => recorderCommand(recorder, "gemini", event),
        obstacle: ({ hooksConfig }) =>
          valuesOf(hooksConfig).enabled === false
            ? `"hooksConfig.enabled" is off: no hook runs until it is on`
            : undefined,
      }),
    ],
  };
};
