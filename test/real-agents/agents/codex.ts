import { codexScenarios } from "../scenarios/codex";
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
  async begin(terminal) {
    // New hooks run only once the user trusts them.
    await terminal.waitFor(/Hooks need review/i);
    await terminal.press("2", "Enter");
    // The choice is marked like the prompt, but numbered.
    await terminal.waitFor(/^›(?! *\d)/m);
  },
  scenarios: codexScenarios,
};
