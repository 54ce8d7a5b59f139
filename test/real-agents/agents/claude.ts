import { claudeScenarios } from "../scenarios/claude";
import type { RealAgent } from "../scenario";

/** No key of anyone: the model on loopback takes whatever comes. */
const KEY = "sk-ant-not-a-key-of-anyone-0000000000000000000000000000";

/** Claude Code. */
export const claude: RealAgent = {
  name: "claude",
  npmPackage: "@anthropic-ai/claude-code",
  prepare(home) {
    home.write(".claude.json", {
      hasCompletedOnboarding: true,
      theme: "dark",
      numStartups: 5,
      // It asks once whether to use a key from the environment, and remembers the key's end.
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: {
        [home.work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
      },
    });
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
  scenarios: claudeScenarios,
};
