import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Whoever runs the tests may use agents, and like colors or not: that is none of a test's business.
const home = mkdtempSync(join(tmpdir(), "agent-sessions-home-"));
process.env.HOME = home;

/** Removes the empty home folder of this test file, and nothing else. */
export function removeEmptyHome(): void {
  rmSync(home, { recursive: true, force: true });
}

for (const name of Object.keys(process.env)) {
  if (/^((CLAUDE|CODEX|GEMINI|OPENCODE|COPILOT|AGENT_SESSIONS|AGENT_SIGNAL)_|(NO|FORCE)_COLOR$)/.test(name))
    delete process.env[name];
}
