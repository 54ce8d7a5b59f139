import { geminiScenarios } from "../scenarios/gemini";
import type { RealAgent } from "../scenario";

/** Gemini CLI. */
export const gemini: RealAgent = {
  name: "gemini",
  npmPackage: "@google/gemini-cli",
  prepare(home) {
    home.write(".gemini/settings.json", {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ui: { hideTips: true, hideBanner: true, theme: "Default" },
    });
  },
  environment: (modelUrl) => ({
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_API_KEY: "not-a-key-of-anyone",
    // It would start itself a second time, for more memory.
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  parameters: [],
  begin: (terminal) => terminal.waitFor(/Type your message/),
  scenarios: geminiScenarios,
};
