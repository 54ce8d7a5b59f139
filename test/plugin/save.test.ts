import fc from "fast-check";
import {
  afterTool,
  afterTurnStart,
  askedFor,
  atTurnEnd,
  isCancelled,
  isInTheWay,
  mayStartFresh,
  staying,
  type Save,
  type SaveKind,
  type Stay,
  type TurnEnd,
} from "../../assets/claude-plugin/core/save";
import { propertyRuns } from "../property-runs";

const ANCHOR = { phrase: "shop pickup", file: "/m/shop.md" };
const AT = 1_800_000_000_000;
const TEXT = "# Shop\n- now";

function asked(kind: SaveKind = "fresh"): Save {
  return askedFor({ kind, anchor: ANCHOR, at: AT, token: "a7f3", binds: ["[PAUSE-TURN a7f3]"] });
}

/** A save whose turn ran and wrote the file. */
function written(kind: SaveKind = "fresh"): Save {
  const begun = afterTurnStart(asked(kind), { turnId: "t1", text: "… [PAUSE-TURN a7f3]" });
  return afterTool(begun, "# Shop", TEXT);
}

const CLEAN: TurnEnd = {
  turnId: "t1",
  reason: "answer",
  answer: "Saved.",
  text: TEXT,
  cancelledAt: 0,
  subagents: 0,
  draft: "",
};

test("a proven save is followed by a fresh start", () => {
  expect(atTurnEnd(written(), CLEAN)).toEqual({ outcome: "restart" });
});

test("with auto, the file says how the fresh session goes on", () => {
  const text = `${TEXT}\nAuto-continue: yes — go on [a7f3]`;
  expect(atTurnEnd(written("auto"), { ...CLEAN, text })).toEqual({ outcome: "restart", carryOn: "yes" });
  expect(atTurnEnd(written("auto"), CLEAN)).toEqual({ outcome: "restart", carryOn: "unclear" });
});

const KEEPS: readonly (readonly [what: string, save: Save, end: Partial<TurnEnd>, why: Stay, isProven: boolean])[] = [
  ["it was only asked to save", written("save"), {}, "only-save", true],
  ["nothing was written", { ...written(), proof: [] }, {}, "not-written", false],
  ["what was written is gone", written(), { text: "# Shop" }, "not-written", false],
  ["the turn was aborted", written(), { reason: "aborted" }, "not-clean", false],
  ["the turn failed", written(), { reason: "error" }, "not-clean", false],
  ["the model refused", written(), { reason: "refusal" }, "not-clean", false],
  ["a tool was refused, so that there is no answer", written(), { answer: " " }, "not-clean", false],
  ["the user typed", staying(written(), "typed"), {}, "typed", true],
  ["the user pressed Esc", staying(written(), "stopped"), { reason: "aborted" }, "stopped", false],
  ["it was cancelled", staying(written(), "cancelled"), {}, "cancelled", true],
  ["a cancel came last", written(), { cancelledAt: AT + 1 }, "cancelled", true],
  ["a cancel came just before it was asked for", written(), { cancelledAt: AT - 5_000 }, "cancelled", true],
  ["subagents run", written(), { subagents: 1 }, "subagents", true],
  ["there is a draft", written(), { draft: "hm" }, "draft", true],
  ["there is no file", { ...written("save"), anchor: { phrase: "", file: "" } }, {}, "no-file", false],
];

test.each(KEEPS)("the context stays when %s", (_what, save, end, why, isProven) => {
  expect(atTurnEnd(save, { ...CLEAN, ...end })).toEqual({ outcome: "stay", isProven, why });
});

test.each(KEEPS.filter(([, save]) => save.kind === "fresh"))("the same for auto when %s", (_what, save, end, why) => {
  expect(atTurnEnd({ ...save, kind: "auto" }, { ...CLEAN, ...end })).toMatchObject({ outcome: "stay", why });
});

test("another turn's end lets the save stand", () => {
  expect(atTurnEnd(written(), { ...CLEAN, turnId: "t2" })).toEqual({ outcome: "other-turn" });
  expect(atTurnEnd(asked(), { ...CLEAN, turnId: "" })).toEqual({ outcome: "other-turn" });
});

test("only the turn of its own prompt is a save's turn, and the first one", () => {
  const other = afterTurnStart(asked(), { turnId: "t0", text: "a queued prompt, [PAUSE-TURN 1111]" });
  expect(other.turn).toBe("");
  const first = afterTurnStart(other, { turnId: "t1", text: "Pause: … [PAUSE-TURN a7f3]" });
  expect(first.turn).toBe("t1");
  expect(afterTurnStart(first, { turnId: "t2", text: "Pause: … [PAUSE-TURN a7f3]" }).turn).toBe("t1");
});

test("a cancel long before is none, and no cancel is none", () => {
  expect(isCancelled(asked(), AT - 5_001)).toBe(false);
  expect(isCancelled({ ...asked(), at: 1_000 }, 0)).toBe(false);
});

test("a save that runs, or was just asked for, is in the way of another; one that never began is not for long", () => {
  expect(isInTheWay(undefined, AT)).toBe(false);
  expect(isInTheWay(asked(), AT + 59_999)).toBe(true);
  expect(isInTheWay(asked(), AT + 60_000)).toBe(false);
  expect(isInTheWay(written(), AT + 3_600_000)).toBe(true);
});

test("the first reason to stay stands, and a mere save needs none", () => {
  expect(staying(staying(asked(), "typed"), "cancelled").stay).toBe("typed");
  expect(staying(asked("save"), "typed").stay).toBeUndefined();
});

test("a fresh start takes a phrase and a file", () => {
  expect(mayStartFresh(ANCHOR)).toBe(true);
  expect(mayStartFresh({ ...ANCHOR, file: "" })).toBe(false);
  expect(mayStartFresh({ ...ANCHOR, phrase: "" })).toBe(false);
});

test("whatever happens, a session starts fresh only after a proven save with nobody there", () => {
  const end = fc.record({
    turnId: fc.constantFrom("t1", "t2", ""),
    reason: fc.constantFrom<TurnEnd["reason"]>("answer", "aborted", "refusal", "error"),
    answer: fc.constantFrom("Saved.", ""),
    text: fc.constantFrom(TEXT, "# Shop", ""),
    cancelledAt: fc.constantFrom(0, AT - 6_000, AT - 5_000, AT + 10),
    subagents: fc.nat(2),
    draft: fc.constantFrom("", " ", "x"),
  });
  const save = fc.record({
    kind: fc.constantFrom<SaveKind>("save", "fresh", "auto"),
    stay: fc.constantFrom<Stay | undefined>(undefined, "typed", "stopped", "cancelled"),
    wrote: fc.boolean(),
  });
  fc.assert(
    fc.property(save, end, ({ kind, stay, wrote }, at) => {
      const base = { ...written(kind), ...(stay === undefined ? {} : { stay }) };
      const outcome = atTurnEnd(wrote ? base : { ...base, proof: [] }, at);
      const may =
        at.turnId === "t1" &&
        at.reason === "answer" &&
        at.answer !== "" &&
        wrote &&
        at.text === TEXT &&
        kind !== "save" &&
        stay === undefined &&
        (at.cancelledAt === 0 || at.cancelledAt === AT - 6_000) &&
        at.subagents === 0 &&
        at.draft.trim() === "";
      expect(outcome.outcome === "restart").toBe(may);
    }),
    propertyRuns(2000),
  );
});
