import { isUnread, seenUntil } from "../../src/session/seen";

const BASELINE = 1000;

describe("whether an answer is unread", () => {
  test("one finished after first use is", () => {
    expect(isUnread({ doneAt: 1001, writer: "agent-sessions" }, undefined, BASELINE)).toBe(true);
  });

  test("one finished before first use is not, and neither is one at that very moment", () => {
    expect(isUnread({ doneAt: 999 }, undefined, BASELINE)).toBe(false);
    expect(isUnread({ doneAt: 1000 }, undefined, BASELINE)).toBe(false);
  });

  test("a session without an answer has none unread", () => {
    expect(isUnread({}, undefined, BASELINE)).toBe(false);
  });

  test("the mark of that answer reads it, and a later answer is unread again", () => {
    expect(isUnread({ doneAt: 1500 }, { readUntil: 1500 }, BASELINE)).toBe(false);
    expect(isUnread({ doneAt: 1500.001 }, { readUntil: 1500 }, BASELINE)).toBe(true);
  });

  test("a mark older than the baseline does not bring old answers back", () => {
    expect(seenUntil({}, { readUntil: 5 }, BASELINE)).toBe(BASELINE);
  });

  test("a prompt the user wrote after the answer reads it", () => {
    expect(isUnread({ doneAt: 1500, userPromptAt: 1600, writer: "agent-sessions" }, undefined, BASELINE)).toBe(false);
  });

  test("our own report tells who began a turn: a notification's turn reads nothing", () => {
    expect(isUnread({ doneAt: 1500, turnStartedAt: 1600, writer: "agent-sessions" }, undefined, BASELINE)).toBe(true);
  });

  test("another writer's report does not: a turn that began after the answer counts as the user's", () => {
    expect(isUnread({ doneAt: 1500, turnStartedAt: 1600 }, undefined, BASELINE)).toBe(false);
    expect(isUnread({ doneAt: 1500, turnStartedAt: 1400 }, undefined, BASELINE)).toBe(true);
  });

  test("kept as unread by the user: though marked, though old, until the user writes", () => {
    const mark = { readUntil: 900, keptUnread: 800 };
    expect(isUnread({ doneAt: 800, writer: "agent-sessions" }, mark, BASELINE)).toBe(true);
    expect(isUnread({ doneAt: 800, userPromptAt: 801, writer: "agent-sessions" }, mark, BASELINE)).toBe(false);
  });

  test("kept as unread is about one answer: a later one goes by its own time", () => {
    expect(isUnread({ doneAt: 950 }, { keptUnread: 800 }, BASELINE)).toBe(false);
    expect(isUnread({ doneAt: 1050 }, { keptUnread: 800 }, BASELINE)).toBe(true);
  });
});
