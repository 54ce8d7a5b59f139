import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapperOf } from "../../src/agents/registry";
import { fold } from "../../src/store/fold";
import { deliver } from "../inbox-file";
import type { Row } from "./measure";

/** What one tool call and one turn of Claude Code deliver. */
const EVENTS = ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop"];

/** Folding many waiting entries in one go, and what one costs. */
export function benchFold(entries: number, sessions: number): Row[] {
  const home = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  try {
    for (let index = 0; index < entries; index += 1) {
      const event = EVENTS[Math.floor(index / sessions) % EVENTS.length] ?? "Stop";
      deliver(home, {
        agent: "claude",
        event,
        at: 1_790_000_000 + index / 1000,
        env: { TMUX: "/run/tmux/default,1,0", TMUX_PANE: "%5", CLAUDE_PID: String(1000 + (index % sessions)) },
        payload: {
          session_id: `00000000-4f2e-8190-99e3-${String(index % sessions).padStart(12, "0")}`,
          hook_event_name: event,
          cwd: "/home/dev/work/shop",
          permission_mode: "default",
          prompt: "Find why the checkout test is flaky",
          tool_name: "Bash",
          tool_use_id: `toolu_${index}`,
          tool_input: { command: "npm test --workspace checkout", description: "Run the tests" },
          background_tasks: [],
          session_crons: [],
        },
      });
    }
    const begun = process.hrtime.bigint();
    const { folded } = fold(home, { clock: Date.now, mapperOf, project: () => undefined });
    const milliseconds = Number(process.hrtime.bigint() - begun) / 1e6;
    const name = `fold, ${folded.toLocaleString("en-US")} entries over ${sessions} sessions`;
    return [
      { name, value: milliseconds, unit: "ms" },
      { name: `${name}, per event`, value: (milliseconds * 1000) / folded, unit: "µs" },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
