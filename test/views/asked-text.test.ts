import type { AskReport } from "../../src/cli/invoke-request";
import type { OutcomeStep, RequestKind, RequestOutcome } from "../../src/session/request";
import { toldOf } from "../../src/views/asked-text";

function request(kind: RequestKind, ...steps: Partial<OutcomeStep>[]): RequestOutcome {
  const whole = steps.map((step, at): OutcomeStep => ({ outcome: "queued", at, ...step }));
  return { id: "id-1", kind, by: "plugin", steps: whole };
}

type Reached = AskReport["reached"][number];

function reached(title: string, outcome: RequestOutcome, note?: string): Reached {
  return { id: `claude:${title}`, title, request: outcome, ...(note === undefined ? {} : { note }) };
}

const refused = (title: string, reason: string) => ({ id: `claude:${title}`, title, reason });

function report(kind: RequestKind, given: Partial<AskReport>): AskReport {
  return { kind, reached: [], leftOut: [], refused: [], ...given };
}

const saved = request("save", {}, { outcome: "saved", proof: { file: "/m/MEMORY.md", lines: 3 } });
const failed = request("save", {}, { outcome: "failed", reason: "it answered, but nothing was added" });

describe("one session", () => {
  test.each<[string, AskReport, ReturnType<typeof toldOf>]>([
    [
      "saved, with the proof",
      report("save", { reached: [reached("a", saved)] }),
      { outcome: "done", title: "Saved", message: "3 lines in MEMORY.md" },
    ],
    [
      "not saved, with the reason",
      report("save", { reached: [reached("a", failed)] }),
      { outcome: "failed", title: "Not Saved", message: "It answered, but nothing was added." },
    ],
    [
      "not reached",
      report("save", { refused: [refused("a", "it waits for you at a dialog: answer that first")] }),
      { outcome: "failed", title: "Not Saved", message: "It waits for you at a dialog: answer that first." },
    ],
    [
      "left out, without the command's option",
      report("save", {
        leftOut: [refused("a", "cold for 2h: waking it reads about 40k tokens again (--include-cold)")],
      }),
      { outcome: "failed", title: "Not Saved", message: "Cold for 2h: waking it reads about 40k tokens again." },
    ],
    [
      "still saving",
      report("save", { reached: [reached("a", request("save", {}, { outcome: "saving" }))] }),
      { outcome: "pending", title: "Still Saving", message: "Saving … Its row says how it goes on." },
    ],
    [
      "a message that waits for the end of the turn",
      report("prompt", { reached: [reached("a", { ...request("prompt", {}), by: "stop-hook" })] }),
      { outcome: "pending", title: "Message Is on Its Way", message: "It gets it at the end of its turn." },
    ],
    [
      "a message that arrived, with what waking costs",
      report("prompt", {
        reached: [reached("a", request("prompt", {}, { outcome: "delivered" }), "it was cold for 2h")],
      }),
      { outcome: "done", title: "Message Sent", message: "it was cold for 2h" },
    ],
    [
      "saved and restarted",
      report("save-restart", {
        reached: [reached("a", request("save-restart", {}, { outcome: "saved" }, { outcome: "restarted" }))],
      }),
      { outcome: "done", title: "Saved and Restarted" },
    ],
    [
      "only saved, where it was to start fresh",
      report("save-restart", { reached: [reached("a", saved, "it only saves: starting fresh needs the plugin")] }),
      { outcome: "failed", title: "Saved, Not Restarted", message: "it only saves: starting fresh needs the plugin" },
    ],
    [
      "saved, but the restart was called off",
      report("save-restart", {
        reached: [
          reached(
            "a",
            request("save-restart", {}, { outcome: "saved" }, { outcome: "cancelled", reason: "you typed" }),
          ),
        ],
      }),
      { outcome: "failed", title: "Not Restarted", message: "Saved, cancelled: you typed." },
    ],
    [
      "a restart taken back before it was delivered: the request is the one that was taken back",
      report("cancel", {
        reached: [reached("a", request("save-restart", {}, { outcome: "cancelled", reason: "taken back" }))],
      }),
      { outcome: "done", title: "Restart Canceled" },
    ],
    [
      "stopped",
      report("interrupt", { reached: [reached("a", request("interrupt", {}, { outcome: "delivered" }))] }),
      { outcome: "done", title: "Stopped" },
    ],
    ["nobody", report("save", {}), { outcome: "failed", title: "Not Saved", message: "There is no open session." }],
  ])("%s", (_name, given, told) => {
    expect(toldOf(given)).toEqual(told);
  });
});

describe("many sessions", () => {
  test("all saved", () => {
    expect(toldOf(report("save", { reached: [reached("a", saved), reached("b", saved)] }))).toEqual({
      outcome: "done",
      title: "Saved: 2 of 2",
    });
  });

  test("some, with the reasons of the others; who was left out to spare the cost is no failure", () => {
    expect(
      toldOf(
        report("save", {
          reached: [reached("a", saved), reached("b", failed)],
          refused: [refused("c", "no way")],
          leftOut: [refused("d", "cold for 2h")],
        }),
      ),
    ).toEqual({
      outcome: "failed",
      title: "Saved: 1 of 3",
      message: "b: it answered, but nothing was added; c: no way; d: left out, cold for 2h",
    });
    expect(toldOf(report("save", { reached: [reached("a", saved)], leftOut: [refused("d", "cold for 2h")] }))).toEqual({
      outcome: "done",
      title: "Saved: 1 of 1",
      message: "d: left out, cold for 2h",
    });
  });

  test("some still at it", () => {
    const open = request("save", {}, { outcome: "saving" });
    expect(toldOf(report("save", { reached: [reached("a", saved), reached("b", open)] }))).toEqual({
      outcome: "pending",
      title: "Still Saving: 1 of 2",
    });
  });

  test("none", () => {
    expect(toldOf(report("save", { refused: [refused("a", "no way"), refused("b", "none")] }))).toEqual({
      outcome: "failed",
      title: "Not Saved",
      message: "a: no way; b: none",
    });
  });
});

test("what others wrote cannot steer, and is cut", () => {
  const told = toldOf(report("save", { refused: [refused("a\u001b[2J", "x".repeat(2000)), refused("\ud83d", "y")] }));
  expect(told.message).toMatch(/^a�\[2J: x+/);
  expect(told.message?.length).toBeLessThanOrEqual(401);
  expect(told.message?.isWellFormed()).toBe(true);
});
