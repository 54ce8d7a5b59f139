import { claudeScenarios } from "../scenarios/claude";
import { claudePluginScenarios } from "../scenarios/claude-plugin";
import { pluginBesideHooksScenario } from "../scenarios/plugin-beside-hooks";
import { pausingScenarios } from "../scenarios/pausing";
import { claudeWithoutPluginScenarios } from "../scenarios/pausing-without-plugin";
import type { RealAgent } from "../scenario";
import { KEY, rememberedBy } from "./claude-home";

/** Claude Code. */
export const claude: RealAgent = {
  name: "claude",
  npmPackage: "@anthropic-ai/claude-code",
  prepare(home) {
    home.write(".claude.json", rememberedBy(home.work));
  },
  environment: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
  }),
  // By default it decides on most permissions by itself.
  parameters: ["--permission-mode", "manual"],
  begin: (terminal) => terminal.waitFor(/^❯/m),
  scenarios: [
    ...claudeScenarios,
    ...claudePluginScenarios,
    ...pausingScenarios,
    ...claudeWithoutPluginScenarios,
    pluginBesideHooksScenario,
  ],
};
