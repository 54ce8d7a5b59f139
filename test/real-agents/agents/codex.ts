import { codexScenarios } from "../scenarios/codex";
import { codexPausingScenarios } from "../scenarios/pausing-without-plugin";
import type { RealAgent } from "../scenario";

/** Codex. */
export const codex: RealAgent = {
  name: "codex",
  npmPackage: "@openai/codex",
  prepare(home, modelUrl) {
    home.write(
      ".codex/config.toml",
      `model = "test-model"
model_provider = "loopback"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.loopback]
name = "loopback"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
request_max_retries = 1
stream_max_retries = 1

[features]
plugins = false
remote_plugin = false
apps = false

[analytics]
enabled = false

[projects."${home.work}"]
trust_level = "trusted"

[tui]
notifications = false
show_tooltips = false
animations = false
`,
    );
  },
  environment: () => ({ LOOPBACK_KEY: "not-a-key-of-anyone" }),
  // Its shared daemon would run the hooks, with the environment of whichever terminal started it.
  parameters: ["--no-daemon"],
  async begin(terminal, { hasNewHooks }) {
    if (hasNewHooks) {
      // They run only once the user trusts them; behind a daemon it may ask long after it showed its prompt.
      await terminal.waitFor(/Hooks need review/i);
      await terminal.press("2", "Enter");
    }
    // A choice is marked like the prompt, but numbered.
    await terminal.waitFor(/^›(?! *\d)/m);
  },
  scenarios: [...codexScenarios, ...codexPausingScenarios],
};
