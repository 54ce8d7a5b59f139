import { recording } from "../../recording";
import { courseOf } from "../course";

// The hooks of sessions that ran mods; the mods' own events are not among them.
describe("what the list shows while a real Claude Code session with a mod runs", () => {
  test("a mod's prompt, a denial and two stopped turns, which fire nothing, an error and a clear", () => {
    expect(courseOf("claude", recording("claude-mods/hooks"))).toEqual([
      "SessionStart: idle",
      // A mod wrote this prompt; the hook's payload does not tell it from the user's.
      "UserPromptSubmit: working",
      "Stop: done*",
      "UserPromptSubmit: working",
      "PreToolUse: working",
      "PermissionRequest: waiting",
      "UserPromptSubmit: working",
      "StopFailure: failed",
      "SessionEnd: dormant",
      "SessionStart: dormant, idle",
      "UserPromptSubmit: dormant, working",
      "Stop: dormant, done*",
      "SessionEnd: dormant, dormant*",
    ]);
  });

  test("four sessions, one after the other, the last without a terminal", () => {
    const answered = (ended: number) => {
      const before = "dormant*, ".repeat(ended);
      return [
        `SessionStart: ${before}idle`,
        `UserPromptSubmit: ${before}working`,
        `Stop: ${before}done*`,
        `SessionEnd: ${before}dormant*`,
      ];
    };
    expect(courseOf("claude", recording("claude-mods/mods2-hooks"))).toEqual([0, 1, 2, 3].flatMap(answered));
  });
});
