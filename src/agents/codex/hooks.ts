import { join } from "node:path";
import { readTomlSettings } from "../../files/settings-toml";
import { valuesOf } from "../fields";
import { jsonHooksTarget } from "../json-hooks";
import { recorderCommand } from "../recorder-command";
import { folderOf, type HooksOf } from "../settings-target";
import { codexNotifyTarget } from "./notify";

/** The events that the mapping reads. */
export const CODEX_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Stop",
  "Interrupt",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
] as const;

/** Codex caps the timeout of these at 3 seconds, and warns above. */
const CAPPED: ReadonlySet<string> = new Set(["SessionEnd", "Interrupt"]);

/**
 * Codex's hooks in `hooks.json`, and its `notify` program in `config.toml`, which runs without the review that hooks
 * want but tells of a finished answer only (hooks page, configuration reference).
 */
export const codexHooks: HooksOf = (surroundings) => {
  const folder = folderOf(surroundings, "CODEX_HOME", join(surroundings.user, ".codex"));
  const config = join(folder, "config.toml");
  return {
    agent: "codex",
    title: "Codex",
    programs: ["codex"],
    folders: [folder],
    targets: [
      jsonHooksTarget({
        agent: "codex",
        path: join(folder, "hooks.json"),
        events: CODEX_EVENTS,
        shape: "grouped",
        element: (event, recorder) => ({
          hooks: [
            {
              type: "command",
              command: recorderCommand(recorder, "codex", event),
              timeout: CAPPED.has(event) ? 3 : 5,
            },
          ],
        }),
        command: (event, recorder) => recorderCommand(recorder, "codex", event),
      }),
      codexNotifyTarget(config),
    ],
    watched: [{ path: config, obstacle: featureOff }],
    afterwards: "Codex runs new hooks only once you trust them: open /hooks in Codex and review them.",
  };
};

function featureOff(text: string): string | undefined {
  const read = readTomlSettings(text);
  if (read.outcome === "broken") return undefined;
  const { hooks, codex_hooks: old } = valuesOf(read.values.features);
  return (hooks ?? old) === false ? `"features.hooks" is off: no hook runs until it is on` : undefined;
}
