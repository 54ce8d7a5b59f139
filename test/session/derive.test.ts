import fc from "fast-check";
import { deriveState, WAKEUP_GRACE } from "../../src/session/derive";
import type { SessionReport } from "../../src/session/report";
import { STATES, type State } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000;

type Given = Partial<Pick<SessionReport, "subagents" | "tool" | "wakeupAt">> & { unread?: boolean; gone?: boolean };

function derived(state: State, { unread = false, gone = false, ...report }: Given = {}): State {
  return deriveState({ state, ...report }, { now: NOW, unread, processGone: gone });
}

describe("the order of the derivation table", () => {
  test.each<[row: string, state: State, given: Given, shown: State]>([
    ["ended stays ended", "dormant", { subagents: 2, wakeupAt: NOW + 60 }, "dormant"],
    ["ended with an unread answer is still ended", "dormant", { unread: true }, "dormant"],
    ["a process that is gone ends a working session", "working", { gone: true }, "dormant"],
    ["a process that is gone ends a waiting session", "waiting", { gone: true }, "dormant"],
    ["a wait stands, whatever runs beside it", "waiting", { subagents: 3 }, "waiting"],
    ["a decision stands", "decision", { subagents: 1, wakeupAt: NOW + 60 }, "decision"],
    ["a failure stands", "failed", { wakeupAt: NOW + 60 }, "failed"],
    ["compacting stands", "compacting", { subagents: 1 }, "compacting"],
    ["unknown stands: nothing is made of it", "unknown", { subagents: 1 }, "unknown"],
    ["working, subagents run, no tool of its own", "working", { subagents: 1 }, "waitingForSubagents"],
    ["working, subagents run, a tool of its own too", "working", { subagents: 1, tool: "Bash" }, "working"],
    ["working without subagents", "working", { subagents: 0 }, "working"],
    ["answered, subagents still run", "done", { subagents: 2, unread: true }, "waitingForSubagents"],
    ["idle, subagents still run", "idle", { subagents: 1 }, "waitingForSubagents"],
    ["subagents come before a wake-up", "done", { subagents: 1, wakeupAt: NOW + 60 }, "waitingForSubagents"],
    ["answered, a wake-up is planned", "done", { wakeupAt: NOW + 1, unread: true }, "scheduled"],
    ["idle, a wake-up is planned", "idle", { wakeupAt: NOW + 3600 }, "scheduled"],
    ["a wake-up may be late", "done", { wakeupAt: NOW - WAKEUP_GRACE + 1, unread: true }, "scheduled"],
    ["a wake-up that never came", "done", { wakeupAt: NOW - WAKEUP_GRACE, unread: true }, "done"],
    ["working comes before a wake-up", "working", { wakeupAt: NOW + 60 }, "working"],
    ["answered and unread", "done", { unread: true }, "done"],
    ["answered and read", "done", {}, "idle"],
    ["idle", "idle", {}, "idle"],
    ["written scheduled, still planned", "scheduled", { wakeupAt: NOW + 5 }, "scheduled"],
    ["written scheduled, without a time", "scheduled", {}, "scheduled"],
    ["written scheduled, long past, answer read", "scheduled", { wakeupAt: NOW - 9999 }, "idle"],
    ["written scheduled, long past, answer unread", "scheduled", { wakeupAt: NOW - 9999, unread: true }, "done"],
    ["written waitingForSubagents, none runs", "waitingForSubagents", { subagents: 0 }, "working"],
    ["written waitingForSubagents, without a count", "waitingForSubagents", {}, "waitingForSubagents"],
  ])("%s", (_row, state, given, shown) => {
    expect(derived(state, given)).toBe(shown);
  });
});

const given = fc.record({
  state: fc.constantFrom(...STATES),
  subagents: fc.option(fc.nat(3), { nil: undefined }),
  tool: fc.option(fc.constant("Bash"), { nil: undefined }),
  wakeupAt: fc.option(fc.integer({ min: NOW - 500, max: NOW + 500 }), { nil: undefined }),
});
const circumstances = fc.record({ now: fc.constant(NOW), unread: fc.boolean(), processGone: fc.boolean() });

test("deriving twice changes nothing", () => {
  fc.assert(
    fc.property(given, circumstances, (report, around) => {
      const once = deriveState(report, around);
      expect(deriveState({ ...report, state: once }, around)).toBe(once);
    }),
    propertyRuns(5000),
  );
});

test("a session whose process is gone needs nobody and does nothing", () => {
  fc.assert(
    fc.property(given, fc.boolean(), (report, unread) => {
      expect(deriveState(report, { now: NOW, unread, processGone: true })).toBe("dormant");
    }),
    propertyRuns(1000),
  );
});
