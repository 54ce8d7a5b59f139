import { opencodeScenarios } from "../scenarios/opencode";
import type { RealAgent } from "../scenario";

/** opencode. */
export const opencode: RealAgent = {
  name: "opencode",
  npmPackage: "opencode-ai",
  prepare(home, modelUrl) {
    home.write(".config/opencode/opencode.json", {
      $schema: "https://opencode.ai/config.json",
      autoupdate: false,
      share: "disabled",
      model: "loopback/test-model",
      small_model: "loopback/test-model",
      enabled_providers: ["loopback"],
      provider: {
        loopback: {
          npm: "@ai-sdk/openai-compatible",
          name: "Loopback",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "not-a-key-of-anyone" },
          models: { "test-model": { name: "Test model", limit: { context: 200_000, output: 8000 }, tool_call: true } },
        },
      },
      permission: { bash: "ask", edit: "ask" },
    });
  },
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_SHARE: "1",
  }),
  parameters: [],
  begin: (terminal) => terminal.waitFor(/Ask anything/),
  scenarios: opencodeScenarios,
};
