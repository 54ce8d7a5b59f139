import { OUTCOMES, REQUEST_KINDS, type Outcome, type RequestKind } from "../../src/session/request";
import { isOver } from "../../src/session/request-progress";

/** How far each kind goes on after each step that is not an end of all. */
const GOES_ON: Readonly<Record<RequestKind, readonly Outcome[]>> = {
  save: ["queued", "delivered", "saving"],
  // Once it has saved, the fresh start is still to come.
  "save-restart": ["queued", "delivered", "saving", "saved"],
  "save-auto": ["queued", "delivered", "saving", "saved"],
  // What is no save has arrived when it is delivered.
  cancel: ["queued", "saving", "saved"],
  interrupt: ["queued", "saving", "saved"],
  prompt: ["queued", "saving", "saved"],
};

test.each(REQUEST_KINDS)("a request of kind %s goes on until its end", (kind) => {
  expect(OUTCOMES.filter((outcome) => !isOver({ kind, steps: [{ outcome, at: 1 }] }))).toEqual(GOES_ON[kind]);
});

test("the last step tells", () => {
  const steps = [
    { outcome: "saved", at: 1 },
    { outcome: "cancelled", at: 2, reason: "You wrote" },
  ] as const;
  expect(isOver({ kind: "save-auto", steps })).toBe(true);
});
