import fc from "fast-check";
import { escapePango, waybarAnswer, waybarFailure } from "../../../src/cli/bars/waybar";
import { printable } from "../../../src/session/text";
import { propertyRuns } from "../../property-runs";
import { hostileSnapshot, hostileText, isCalm, PROBLEM, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

const PLAIN = { always: false, short: false, title: false };

/** Holds to waybar-custom(5), return type json: one line, these keys, markup in text and tooltip. */
function check(answer: unknown): void {
  const line = JSON.stringify(answer);
  expect(line).not.toContain("\n");
  const read: unknown = JSON.parse(line);
  if (typeof read !== "object" || read === null) throw new Error("not an object");
  for (const [key, value] of Object.entries(read)) {
    switch (key) {
      case "text":
      case "tooltip":
        textOfMarkup(String(value));
        break;
      case "alt":
        expect(value).toMatch(/^[a-z-]+$/);
        break;
      case "class":
        for (const each of [value].flat()) expect(each).toMatch(/^[a-z-]+$/);
        break;
      case "percentage":
        expect(Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100).toBe(true);
        break;
      default:
        throw new Error(`unknown key ${key}`);
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** What Pango shows of a markup: entities and balanced `<b>`; anything else fails, as it does in Waybar. */
function textOfMarkup(markup: string): string {
  let isBold = false;
  return markup.replace(/<(\/?)b>|&([^;]*);|[<>&]/g, (whole, close: string | undefined, entity: string | undefined) => {
    if (whole.endsWith("b>")) {
      expect(isBold).toBe(close === "/");
      isBold = !isBold;
      return "";
    }
    const meant = entity === undefined ? undefined : ENTITIES[entity];
    if (meant === undefined) throw new Error(`not markup: ${whole}`);
    return meant;
  });
}

test("the check itself refuses what is not documented", () => {
  expect(() => check({ text: "", icon: "x" })).toThrow("unknown key icon");
  expect(() => check({ text: "a & b" })).toThrow("not markup");
  expect(() => check({ text: "<i>x</i>" })).toThrow("not markup");
});

test.each(SIZES)("%i sessions hold to the format, and the tooltip stays short", (count) => {
  const answer = waybarAnswer(snapshotOf(sessionsOf(count)), PLAIN);
  check(answer);
  expect(answer.text === "").toBe(count === 0);
  expect(answer.tooltip.split("\n").length).toBeLessThan(70);
});

test("text, class and share tell what is up; the tooltip names who wants what", () => {
  const snapshot = snapshotOf([
    session("waiting", "a", { title: "A & B", project: "shop" }),
    session("working", "b"),
    session("idle", "c"),
    session("dormant", "d"),
  ]);
  expect(waybarAnswer(snapshot, PLAIN)).toEqual({
    text: "1 needs you, 1 working",
    alt: "needs-you",
    class: ["needs-you"],
    percentage: 33,
    tooltip: [
      "1 needs you, 0 unread, 1 working, 4 in all",
      "<b>Needs You (1)</b>",
      "A &amp; B – shop – Asks for permission",
      "<b>Working (1)</b>",
      "Title b",
      "<b>Idle (1)</b>",
      "<b>Ended (1)</b>",
    ].join("\n"),
  });
  expect(waybarAnswer(snapshot, { always: false, short: true, title: true }).text).toBe("!1 ▶1: A &amp; B");
});

test.each([
  ["failed", "failed"],
  ["waiting", "needs-you"],
  ["unknown", "stale"],
  ["compacting", "working"],
  ["scheduled", "idle"],
] as const)("a session in %s alone has the class %s", (state, name) => {
  expect(waybarAnswer(snapshotOf([session(state, "a")]), PLAIN).alt).toBe(name);
});

test("nothing up is an empty text, so that Waybar can hide the module, unless zero is wanted", () => {
  expect(waybarAnswer(snapshotOf([session("idle", "a")]), PLAIN)).toMatchObject({ text: "", alt: "idle" });
  expect(waybarAnswer(snapshotOf([]), { ...PLAIN, always: true }).text).toBe("0 need you");
  expect(waybarAnswer(snapshotOf([]), PLAIN).tooltip).toContain("No Sessions");
});

test("problems and the pause show", () => {
  const answer = waybarAnswer(snapshotOf([], { paused: true, problems: [PROBLEM] }), PLAIN);
  check(answer);
  expect(answer).toMatchObject({ text: "paused, 1 problem", alt: "paused", class: ["paused", "problems"] });
  expect(textOfMarkup(answer.tooltip)).toContain('1 Problem\n/s/a|b.json: is not JSON: "<|>"');
});

test("a failure shows, with its reason", () => {
  const answer = waybarFailure("<no>");
  check(answer);
  expect(answer).toMatchObject({ text: "sessions cannot be read", tooltip: "&lt;no&gt;", alt: "stale" });
});

test("a text shows as it is, whatever it holds", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(escapePango(text)).not.toContain("\n");
      expect(textOfMarkup(escapePango(text))).toBe(printable(text));
    }),
    propertyRuns(500),
  );
});

test("no text of a session breaks the format", () => {
  fc.assert(
    fc.property(hostileSnapshot, (snapshot) => {
      const answer = waybarAnswer(snapshot, { always: false, short: false, title: true });
      check(answer);
      expect(isCalm(answer.text + answer.tooltip)).toBe(true);
      expect(answer.text).not.toContain("\n");
    }),
    propertyRuns(300),
  );
});
