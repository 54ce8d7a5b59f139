import { OUTCOMES, type OutcomeStep } from "../../src/session/request";
import { requestText } from "../../src/session/request-text";

const NOW = 1_800_000_000;

/** Steps a second apart; a reason after a colon. */
function steps(...written: string[]): OutcomeStep[] {
  return written.map((text, index) => {
    const [word = "", reason] = text.split(": ");
    const outcome = OUTCOMES.find((each) => each === word);
    if (outcome === undefined) throw new Error(`${word} is no outcome`);
    return { outcome, at: NOW + index, ...(reason === undefined ? {} : { reason }) };
  });
}

describe("how far a request came", () => {
  test.each<[written: string[], text: string]>([
    [[], ""],
    [["queued"], "queued"],
    [["queued", "delivered"], "delivered"],
    [["queued", "delivered", "saving"], "saving …"],
    [["queued", "delivered", "saving", "saved"], "saved"],
    [["queued", "delivered", "saving", "saved", "restarted"], "saved and restarted"],
    [["queued", "restarted"], "saved and restarted"],
    [["queued", "refused: it waits at a dialog"], "refused: it waits at a dialog"],
    [["queued", "delivered", "expired"], "expired"],
    [["queued", "delivered", "saving", "failed: nothing was written"], "failed: nothing was written"],
    [["queued", "cancelled: the user typed"], "cancelled: the user typed"],
    // A save that came to something is not hidden by what did not come after it.
    [["queued", "saving", "saved", "cancelled: the user typed"], "saved, cancelled: the user typed"],
    [["queued", "saving", "saved", "failed: /clear did nothing"], "saved, failed: /clear did nothing"],
    [["queued", "saving", "saved: no step to go on with"], "saved: no step to go on with"],
  ])("%j", (written, text) => {
    expect(requestText({ steps: steps(...written) })).toBe(text);
  });

  test("every outcome has a word, and no two the same", () => {
    const words = OUTCOMES.map((outcome) => requestText({ steps: [{ outcome, at: NOW }] }));
    expect(words.every((word) => word !== "")).toBe(true);
    expect(new Set(words).size).toBe(OUTCOMES.length);
  });
});
