import { nextStep, type Looked } from "../../src/control/next-step";
import type { FiledRequest } from "../../src/control/request-files";
import type { DeliveryWay, OutcomeStep, RequestKind } from "../../src/session/request";
import type { Session } from "../../src/session/session";
import { busySessionOf, NOW, sessionOf } from "./session-sample";

const PROOF = { file: "/m/shop.md", lines: 2 };

/** A request made now, by a way, with the steps after queued. */
function filedBy(way: DeliveryWay, steps: OutcomeStep[] = [], kind: RequestKind = "save"): FiledRequest {
  const request = { id: "k", kind, author: "command", at: NOW, expiresAt: NOW + 600 };
  return {
    id: "k",
    request,
    ...(way === "plugin" ? {} : { sent: { request, way, files: [{ file: PROOF.file, digests: [] }] } }),
    outcome: { id: "k", kind, by: way, steps: [{ outcome: "queued", at: NOW }, ...steps] },
    isNoted: steps.length > 0,
  };
}

function looked(session?: Session, given: Partial<Looked> = {}): Looked {
  return {
    ...(session === undefined ? {} : { session }),
    waitsForStop: () => true,
    added: () => undefined,
    ...given,
  };
}

const taken = { waitsForStop: () => false };
const written = { added: () => PROOF };
const delivered: OutcomeStep = { outcome: "delivered", at: NOW + 10 };
const dormant = (since: number) => sessionOf({ state: "dormant", since });

describe("a request for the plugin", () => {
  test("waits until it expires, with the time a receiver takes to look", () => {
    const filed = filedBy("plugin");
    expect(nextStep(filed, looked(sessionOf()), NOW + 609)).toBeUndefined();
    expect(nextStep(filed, looked(sessionOf()), NOW + 610)).toMatchObject({ outcome: "expired", at: NOW + 610 });
    expect(nextStep(filed, looked(), NOW + 610)).toMatchObject({ outcome: "expired" });
  });

  test("fails when its session is over, not at the moment it seems so", () => {
    const filed = filedBy("plugin");
    expect(nextStep(filed, looked(dormant(NOW + 5)), NOW + 64)).toBeUndefined();
    expect(nextStep(filed, looked(dormant(NOW + 5)), NOW + 65)).toMatchObject({ outcome: "failed" });
    const saved = filedBy("plugin", [{ outcome: "saved", at: NOW + 30, proof: PROOF }], "save-restart");
    expect(nextStep(saved, looked(dormant(NOW + 31)), NOW + 80)).toBeUndefined();
    expect(nextStep(saved, looked(dormant(NOW + 31)), NOW + 91)).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("started fresh") as string,
    });
  });

  test("that is being carried out is the plugin's own, until it is silent for half an hour", () => {
    const filed = filedBy("plugin", [{ outcome: "saving", at: NOW + 10 }]);
    expect(
      nextStep(filed, looked(sessionOf({ doneAt: NOW + 20 }), { ...taken, ...written }), NOW + 1809),
    ).toBeUndefined();
    expect(nextStep(filed, looked(sessionOf()), NOW + 1810)).toMatchObject({ outcome: "failed" });
  });
});

describe("a stop answer", () => {
  const filed = filedBy("stop-hook");

  test("that waits is queued, and delivered once it is gone", () => {
    expect(nextStep(filed, looked(busySessionOf()), NOW + 500)).toBeUndefined();
    expect(nextStep(filed, looked(busySessionOf(), taken), NOW + 500)).toEqual({ outcome: "delivered", at: NOW + 500 });
  });

  test("that nobody took in time has expired", () => {
    expect(nextStep(filed, looked(busySessionOf()), NOW + 600)).toMatchObject({ outcome: "expired" });
  });

  test("that is gone when nobody looked in time counts as taken only when something was written", () => {
    const late = NOW + 3600;
    expect(nextStep(filed, looked(sessionOf(), taken), late)).toMatchObject({ outcome: "expired" });
    expect(nextStep(filed, looked(sessionOf(), { ...taken, ...written }), late)).toMatchObject({
      outcome: "saved",
      proof: PROOF,
    });
  });

  test("of a session that is over has failed", () => {
    expect(nextStep(filed, looked(dormant(NOW + 5)), NOW + 65)).toMatchObject({ outcome: "failed" });
  });
});

describe.each(["stop-hook", "codex-queue", "opencode", "terminal"] as const)("what was delivered by %s", (way) => {
  const filed = filedBy(way, [delivered]);
  const saving = filedBy(way, [delivered, { outcome: "saving", at: NOW + 12 }]);

  test("is being saved while the session works", () => {
    expect(nextStep(filed, looked(busySessionOf({ since: NOW + 11 }), taken), NOW + 12)).toEqual({
      outcome: "saving",
      at: NOW + 12,
    });
    expect(
      nextStep(saving, looked(busySessionOf({ since: NOW + 11 }), { ...taken, ...written }), NOW + 300),
    ).toBeUndefined();
  });

  const isQueued = way === "codex-queue" || way === "opencode";

  test("is saved at the end of the turn when lines were added, else it failed", () => {
    const done = sessionOf({ state: "done", since: NOW + 40, doneAt: NOW + 40 });
    if (isQueued) {
      // The end may be that of the turn before, after which the queue is taken up.
      expect(nextStep(saving, looked(done, { ...taken, ...written }), NOW + 99)).toBeUndefined();
      expect(nextStep(saving, looked(done, { ...taken, ...written }), NOW + 100)).toMatchObject({ outcome: "saved" });
      expect(nextStep(saving, looked(done, taken), NOW + 100)).toMatchObject({ reason: "nothing was written" });
      return;
    }
    expect(nextStep(saving, looked(done, { ...taken, ...written }), NOW + 41)).toEqual({
      outcome: "saved",
      at: NOW + 41,
      proof: PROOF,
    });
    expect(nextStep(saving, looked(done, taken), NOW + 41)).toEqual({
      outcome: "failed",
      at: NOW + 41,
      reason: "nothing was written",
    });
  });

  test("is not judged by the end of the turn before, until the session rests for a minute", () => {
    const before = sessionOf({ state: "done", since: NOW + 9, doneAt: NOW + 9, eventAt: NOW + 9 });
    expect(nextStep(filed, looked(before, { ...taken, ...written }), NOW + 69)).toBeUndefined();
    expect(nextStep(filed, looked(before, { ...taken, ...written }), NOW + 70)).toMatchObject({ outcome: "saved" });
    expect(nextStep(filed, looked(before, taken), NOW + 70)).toMatchObject({ outcome: "failed" });
  });

  test("is not judged while the session waits for the user", () => {
    const waiting = sessionOf({ state: "waiting", since: NOW + 20, doneAt: NOW + 20 });
    expect(nextStep(saving, looked(waiting, { ...taken, ...written }), NOW + 300)).toBeUndefined();
  });

  test("is saved all the same when the session ends afterwards", () => {
    const over = dormant(NOW + 20);
    expect(nextStep(saving, looked(over, { ...taken, ...written }), NOW + 80)).toMatchObject({ outcome: "saved" });
    expect(nextStep(saving, looked(over, taken), NOW + 80)).toMatchObject({ outcome: "failed" });
  });

  test("ends some time, known or not", () => {
    expect(nextStep(saving, looked(undefined, taken), NOW + 1811)).toBeUndefined();
    expect(nextStep(saving, looked(undefined, taken), NOW + 1812)).toMatchObject({ outcome: "failed" });
  });

  test("says so where it is not known what would prove it", () => {
    const { sent, ...rest } = saving;
    if (sent === undefined) throw new Error("it was sent");
    const done = sessionOf({ state: "done", since: NOW + 40, doneAt: NOW + 40 });
    expect(nextStep({ ...rest, sent: { ...sent, files: [] } }, looked(done, taken), NOW + 100)).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("not known") as string,
    });
  });

  test("has arrived when it is a message: nothing follows", () => {
    const prompt = filedBy(way, [delivered], "prompt");
    expect(nextStep(prompt, looked(sessionOf({ doneAt: NOW + 40 }), taken), NOW + 10_000)).toBeUndefined();
  });
});

test("what was being sent when the sender stopped is not known to have arrived", () => {
  const filed = filedBy("terminal");
  expect(nextStep(filed, looked(sessionOf()), NOW + 59)).toBeUndefined();
  expect(nextStep(filed, looked(sessionOf()), NOW + 60)).toMatchObject({ outcome: "failed" });
});

test.each(["saved", "restarted", "refused", "expired", "failed", "cancelled"] as const)("%s is the end", (outcome) => {
  for (const way of ["plugin", "terminal"] as const) {
    const filed = filedBy(way, [{ outcome, at: NOW + 1 }]);
    expect(nextStep(filed, looked(dormant(NOW), { ...taken, ...written }), NOW + 100_000)).toBeUndefined();
  }
});
