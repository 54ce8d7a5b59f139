import { recording, recordingsIn } from "../../recording";
import { SignalCommand } from "./command";

/**
 * What the aggregate is after each event of a recording, when every event goes through the hook at the time it was
 * recorded. Reasoned from the rules, which explains what may surprise:
 *
 * - `InstructionsLoaded` asks for a look, and hides the prompt and the tools of its first five seconds.
 * - An alert counts from the whole second before it, so a hold may end after little more than four seconds.
 * - `done` settles an alert at once; a session that ends leaves what asked for a look.
 * - A subagent's events are its session's: they wake it after its `Stop`.
 */
const CLAUDE: Record<string, string> = {
  "claude/a-simple": "idle attention thinking done attention attention",
  "claude/b-bash-approved": "idle attention attention attention permission attention attention attention done done",
  "claude/c-bash-denied-esc": "idle attention attention attention permission idle",
  "claude/c-bash-denied-no": "idle attention attention attention permission idle",
  "claude/d-esc-slow": "idle attention attention attention",
  "claude/e-ask": "idle attention attention attention permission attention attention attention done done",
  "claude/f-error-400": "idle attention attention blocked blocked",
  "claude/f-error-401": "idle attention attention blocked blocked",
  "claude/f-error-429": "idle attention attention blocked blocked",
  "claude/f-error-529": "idle attention attention blocked blocked",
  "claude/g-clear": "idle attention attention done done done thinking attention done done",
  "claude/h-compact":
    "idle attention attention done working subagent_stop idle tool_done thinking done attention attention",
  "claude/i-subagent":
    "idle attention attention attention attention attention attention attention done " +
    "tool_done tool_done subagent_stop thinking done done",
  "claude/j-background-bash": "idle attention attention attention attention attention done thinking done done",
  "claude/k-ctrld": "idle attention attention",
  "claude/k-exit-ctrlc": "idle attention attention done done",
  "claude/k-kill9": "idle attention attention done",
  "claude/k-sigterm": "idle attention attention done done",
  "claude/l-continue": "idle attention attention done done",
  "claude/l-resume-first": "idle attention attention done done",
  "claude/l-resume-id": "idle attention attention done done",
  "claude-control/async-plain": "idle thinking done thinking done done",
  "claude-control/async-rewake": "idle thinking done thinking done done",
  "claude-control/async-rewake-exit": "idle thinking done done",
  "claude-control/async-rewake-long": "idle thinking done attention thinking done done",
  "claude-control/esc-tool": "idle thinking working permission idle",
  "claude-control/p-resume-open": "idle thinking done thinking done done",
  "claude-control/p-resume-side": "idle thinking done done",
  "claude-control/perm-hook-allow": "idle thinking working permission tool_done tool_done done done",
  "claude-control/perm-hook-ask": "idle thinking working permission tool_done tool_done done done",
  "claude-control/perm-hook-deny": "idle thinking working permission tool_done done done",
  "claude-control/stop-block": "idle thinking done done done",
  "claude-peers/recv": "idle thinking done thinking done done",
  "claude-peers/send": "idle thinking working tool_done tool_done working tool_done tool_done done done",
};

/** Codex's adapter does not know `Interrupt`, `PreCompact` and `PostCompact`: they ask for a look. */
const CODEX: Record<string, string> = {
  "codex/a-simple": "idle thinking done done",
  "codex/b-bash-approved": "idle thinking working permission permission done done",
  "codex/b-bash-sandboxed": "idle thinking working tool_done done done",
  "codex/c-bash-denied": "idle thinking working permission permission idle",
  "codex/d-esc-slow": "idle thinking attention attention",
  "codex/e-ask": "idle thinking working done done",
  "codex/exec-simple": "idle thinking done done",
  "codex/f-error-400": "idle thinking idle",
  "codex/f-error-529": "idle thinking idle",
  "codex/g-clear": "idle thinking done done thinking done done thinking done done done done",
  "codex/h-compact": "idle thinking done attention attention idle thinking done done",
  "codex/k-ctrlc": "idle thinking done done",
  "codex/k-kill9": "idle thinking done",
  "codex/l-first": "idle thinking done done",
  "codex/l-fork": "idle thinking done done",
  "codex/l-last": "idle thinking done done",
  "codex/l-resume": "idle thinking done done",
  "codex-daemon/daemon":
    "idle thinking done thinking done thinking done thinking done thinking " +
    "attention attention attention attention attention attention",
};

async function aggregates(hook: string, name: string): Promise<string> {
  const signal = new SignalCommand();
  const shown: string[] = [];
  for (const { at, event, payload, env } of recording(name)) {
    // Codex's notify program is no hook: its JSON is its last argument.
    if (event === "notify") continue;
    signal.now = at / 1000;
    signal.environment = { ...env, AGENT_SIGNAL_LIGHT_STATE_DIR: signal.folder };
    expect(await signal.run([hook], JSON.stringify(payload))).toEqual({ code: 0, out: "", err: "" });
    shown.push((await signal.status()).aggregate);
  }
  return shown.join(" ");
}

test.each(Object.entries(CLAUDE))("%s through claude-hook", async (name, expected) => {
  expect(await aggregates("claude-hook", name)).toBe(expected);
});

test.each(Object.entries(CODEX))("%s through codex-hook", async (name, expected) => {
  expect(await aggregates("codex-hook", name)).toBe(expected);
});

test("every recording of hooks has its expectation", () => {
  const named = ["claude", "claude-control", "codex"].flatMap(recordingsIn).filter((name) => name !== "codex/notify");
  expect(named.filter((name) => CLAUDE[name] === undefined && CODEX[name] === undefined)).toEqual([]);
});

test("a session that was asked, denied and closed shows in the document as it was", async () => {
  const signal = new SignalCommand();
  for (const { at, payload, env } of recording("claude/c-bash-denied-esc").slice(0, 5)) {
    signal.now = at / 1000;
    signal.environment = { ...env, AGENT_SIGNAL_LIGHT_STATE_DIR: signal.folder };
    await signal.ok(["claude-hook"], JSON.stringify(payload));
  }
  expect(signal.document().events.map(({ event }) => event)).toEqual([
    "SessionStart",
    "InstructionsLoaded",
    "UserPromptSubmit",
    "PreToolUse:Bash",
    "PermissionRequest",
  ]);
  expect(Object.values(signal.document().sessions)).toMatchObject([
    { agent: "claude-code", signal: "permission_request", last_event: "PermissionRequest" },
  ]);
});
