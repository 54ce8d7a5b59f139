import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CAPTURES, recording } from "../recording";
import { LiveCourse, registryChanges } from "./live-course";

/** A process of another recording, whose file was still lying there: it was killed long before. */
const LEFT_BEHIND = 23435;

const DONE = ["idle", "working", "done*", "dormant*"];

/**
 * What each recording comes to when hooks and registry are put together, by what the person at the terminal did. `*` is
 * an unread answer, `+n` running background commands, `~n` running subagents.
 */
const COURSES: Readonly<Record<string, string[]>> = {
  "claude/b-bash-approved": ["idle", "working", "waiting", "working", "done*", "dormant*"],
  // Denied: no hook tells. The registry does, and there is no answer.
  "claude/c-bash-denied-esc": ["idle", "working", "waiting", "idle", "dormant"],
  "claude/c-bash-denied-no": ["idle", "working", "waiting", "idle", "dormant"],
  // Esc in a slow answer: no hook tells.
  "claude/d-esc-slow": ["idle", "working", "idle", "dormant"],
  "claude/e-ask": ["idle", "working", "decision", "working", "done*", "dormant*"],
  // The registry comes to rest some 100 ms before the hook tells of the failure.
  "claude/f-error-400": ["idle", "working", "idle", "failed", "dormant"],
  "claude/f-error-401": ["idle", "working", "idle", "failed", "dormant"],
  "claude/f-error-429": ["idle", "working", "idle", "failed", "dormant"],
  "claude/f-error-529": ["idle", "working", "idle", "failed", "dormant"],
  // "/clear" is typed, so the answer before it was seen; the new conversation is a row of its own.
  "claude/g-clear": [
    "idle",
    "working",
    "done*",
    "dormant",
    "dormant, working",
    "dormant, idle",
    "dormant, working",
    "dormant, done*",
    "dormant, dormant*",
  ],
  "claude/h-compact": ["idle", "working", "done*", "working*", "compacting", "idle", "working", "done*", "dormant*"],
  "claude/i-subagent": [
    "idle",
    "working",
    "working~1",
    "waitingForSubagents~1",
    "waitingForSubagents*~1",
    "done*",
    "working*",
    "done*",
    "dormant*",
  ],
  // The registry says `shell` while the command runs: the answer is there, it does not work.
  "claude/j-background-bash": [
    "idle",
    "working",
    "working+1",
    "done*+1",
    "working*+1",
    "working*",
    "done*",
    "dormant*",
  ],
  "claude/k-ctrld": ["idle", "dormant"],
  "claude/k-exit-ctrlc": DONE,
  // Nobody tells of a kill: see below.
  "claude/k-kill9": ["idle", "working", "done*"],
  "claude/k-sigterm": DONE,
  "claude/l-continue": DONE,
  "claude/l-resume-first": DONE,
  "claude/l-resume-id": DONE,
  "claude-control/async-plain": ["idle", "working", "done*", "working", "done*", "dormant*"],
  "claude-control/async-rewake-exit": DONE,
  // Woken by a hook, not by the user: the answer before stays unread.
  "claude-control/async-rewake-long": ["idle", "working", "done*", "working*", "done*", "dormant*"],
  "claude-control/async-rewake": ["idle", "working", "done*", "working*", "done*", "dormant*"],
  // Approved, then Esc while the tool runs: no hook tells of either.
  "claude-control/esc-tool": ["idle", "working", "waiting", "working", "idle", "dormant"],
  // Beside it, `claude -p --resume` runs the same session twice: the open one stays what it is.
  "claude-control/p-resume-open": ["idle", "working", "done*", "working*", "working", "done*", "dormant*"],
  "claude-control/perm-hook-allow": ["idle", "working", "waiting", "working", "done*", "dormant*"],
  "claude-control/perm-hook-ask": ["idle", "working", "decision", "working", "done*", "dormant*"],
  "claude-control/perm-hook-deny": ["idle", "working", "waiting", "working", "done*", "dormant*"],
  "claude-control/stop-block": DONE,
};

function played(name: string): LiveCourse {
  return new LiveCourse(name === "claude/k-kill9" ? [] : [LEFT_BEHIND]).play(name);
}

test("every recording that has the registry's side is played", () => {
  const names = ["claude", "claude-control"].flatMap((folder) =>
    readdirSync(join(CAPTURES, folder))
      .filter((name) => name.endsWith(".status.jsonl"))
      .map((name) => `${folder}/${name.replace(/\.status\.jsonl$/, "")}`),
  );
  expect(names.sort()).toEqual(Object.keys(COURSES).sort());
});

test.each(Object.entries(COURSES))("%s, hooks and registry together", (name, course) => {
  expect(played(name).course).toEqual(course);
});

describe("how long it takes to be right", () => {
  /** When the registry's file says so first, and the first look at which the list does. */
  test.each([
    ["claude/d-esc-slow", "Esc in a slow answer"],
    ["claude/c-bash-denied-esc", "Esc at a permission"],
    ["claude/c-bash-denied-no", "a permission denied"],
    ["claude-control/esc-tool", "Esc while a tool runs"],
  ])("%s: %s shows at the look that sees the registry's change", (name) => {
    const { steps } = played(name);
    // The registry's own word that the turn is over, after one that it was not.
    const changes = registryChanges(name).filter(({ pid }) => pid !== LEFT_BEHIND);
    const over = changes.find(
      ({ status }, index) => status === "idle" && ["busy", "waiting"].includes(String(changes[index - 1]?.status)),
    );
    const seen = steps.findIndex(({ at }) => at === (over?.t ?? 0) + 20);
    expect(steps[seen - 1]?.shown).toMatch(/^(working|waiting)$/);
    expect(steps.slice(seen).map(({ shown }) => shown)).toEqual(
      steps.slice(seen).map(({ what }) => (what === "SessionEnd" ? "dormant" : "idle")),
    );
  });

  test("kill -9: at the next look, and its unread answer stays", () => {
    const course = played("claude/k-kill9");
    const pid = Number(recording("claude/k-kill9")[0]?.env.CLAUDE_PID);
    expect(course.later(3600).steps.at(-1)).toMatchObject({ shown: "done*" });
    expect(course.kill(pid).steps.at(-1)).toMatchObject({ what: "killed", shown: "dormant*" });
  });

  test("kill -9 in the middle of a turn: at the next look", () => {
    const course = new LiveCourse([LEFT_BEHIND]).play("claude/b-bash-approved", "PermissionRequest");
    expect(course.course.at(-1)).toBe("waiting");
    const pid = Number(recording("claude/b-bash-approved")[0]?.env.CLAUDE_PID);
    expect(course.kill(pid).course.at(-1)).toBe("dormant");
  });
});

test("a session that only a file of a killed process tells of has ended; it does not idle", () => {
  const course = new LiveCourse().play("claude/i-subagent").kill(LEFT_BEHIND);
  const row = course.rows().find(({ process }) => process?.pid === LEFT_BEHIND);
  expect(row).toMatchObject({ state: "dormant", sources: ["registry"], liveness: "gone" });
});

test("the conversations of one process are tied to each other", () => {
  const [old, fresh] = played("claude/g-clear")
    .rows()
    .toSorted((one, other) => one.since - other.since);
  expect(old?.sameProcess).toEqual([fresh?.id]);
  expect(fresh?.sameProcess).toEqual([old?.id]);
});

test("the side run beside an open session and the session itself are one row", () => {
  const course = played("claude-control/p-resume-open");
  expect(course.rows().map(({ id }) => id)).toHaveLength(1);
});
