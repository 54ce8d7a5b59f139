import { homeOf, nameOfId, projectFolderName } from "../../assets/claude-plugin/core/file-path";
import { languageOf } from "../../assets/claude-plugin/core/language";
import { askedIn, marksFor, pauseWord, saveTurnMark, shownReason } from "../../assets/claude-plugin/core/marks";
import { isFromSession, isUserHere, promptSource } from "../../assets/claude-plugin/core/prompt-source";
import { textsIn, type Texts } from "../../assets/claude-plugin/core/texts";
import { sessionFileName } from "../../src/files/session-name";

test.each([
  [["de_DE.UTF-8"], "de"],
  [["de"], "de"],
  [["de-CH"], "de"],
  [["", undefined, "de_AT"], "de"],
  [["en_US.UTF-8", "de_DE"], "en"],
  [["C", "de_DE"], "en"],
  [["den_XX"], "en"],
  [[], "en"],
])("the locale %j reads %s", (locales, language) => {
  expect(languageOf(...locales)).toBe(language);
});

test.each([
  ["", "save"],
  ["  ", "save"],
  ["new", "new"],
  [" NEU ", "new"],
  ["self", "self"],
  ["selbst", "self"],
  ["auto", "auto"],
  ["cancel", "cancel"],
  ["abbrechen", "cancel"],
  ["now", undefined],
  ["self now", undefined],
  ["constructor", undefined],
])("/pause %s is %s", (args, word) => {
  expect(pauseWord(args)).toBe(word);
});

test("messages between sessions are understood in every language, and so are those of seed 002", () => {
  for (const language of ["en", "de"] as const) {
    const { askOthers, rules } = textsIn(language);
    expect(askedIn(`${askOthers} ${marksFor({ fresh: false })}\n${rules}`)).toEqual({
      fresh: false,
      binds: ["[PAUSE-SAVE]"],
    });
    expect(askedIn(`${askOthers} ${marksFor({ fresh: true })}\n${rules}`)?.fresh).toBe(true);
  }
  expect(askedIn("… [PAUSE-SICHERN]")).toEqual({ fresh: false, binds: ["[PAUSE-SICHERN]"] });
  expect(askedIn("… [PAUSE-SICHERN] [PAUSE-NEU]")?.fresh).toBe(true);
});

test.each(["[PAUSE-FRESH]", "[PAUSE-NEU]", "pause save", saveTurnMark("a7f3")])("%s alone asks for nothing", (text) => {
  expect(askedIn(text)).toBeUndefined();
});

test("a reason of somebody else's is one line of a bounded length", () => {
  expect(shownReason(new Error("no\n\u001b[31msuch session"))).toBe("no [31msuch session");
  expect(shownReason("x".repeat(500))).toHaveLength(120);
});

test.each(["en", "de"] as const)(
  "what the fresh session reads has no markup, so that it finds its phrase: %s",
  (language) => {
    for (const carryOn of ["yes", "no", "unclear"] as const) {
      expect(textsIn(language).afterRestart(carryOn)).not.toContain("<");
    }
  },
);

/** All texts of a language, those with blanks filled in. */
function all(texts: Texts): string[] {
  const anchor = { phrase: "shop pickup", file: "/m/shop.md" };
  const stays = [
    "only-save",
    "typed",
    "stopped",
    "cancelled",
    "not-clean",
    "not-written",
    "no-file",
    "draft",
    "subagents",
    "turn-began",
    "mid-turn",
  ] as const;
  return [
    ...Object.values(texts).filter((text): text is string => typeof text === "string"),
    ...stays.map((why) => texts.stay(why, "shop.md")),
    texts.unreadable("x"),
    texts.summary(1, 0, "10:00"),
    texts.warmth({ state: "cold", sinceMs: 1 }),
    texts.noPickup(anchor),
    texts.noPickup({ phrase: "", file: "" }),
    texts.noPickup({ phrase: "x", file: "", isAmbiguous: true }),
    texts.startsFresh("shop.md", "shop pickup"),
    texts.startsFreshAlone("shop.md", "shop pickup"),
    texts.savesOnly(""),
    texts.savesUnlisted(anchor),
    texts.askSelf(anchor),
    texts.askSelfAuto(anchor, "a7f3"),
    texts.target(anchor),
  ];
}

test("every text is there in both languages, and they differ", () => {
  const [en, de] = [all(textsIn("en")), all(textsIn("de"))];
  expect(en).toHaveLength(de.length);
  const same = en.filter((text, index) => text === de[index]);
  expect(same.every((text) => text.length < 12)).toBe(true);
  expect([...en, ...de].every((text) => text.trim() !== "" && !text.includes("undefined"))).toBe(true);
});

test("the texts speak of the user, and of no one by name", () => {
  for (const text of [...all(textsIn("en")), ...all(textsIn("de"))]) expect(text).not.toMatch(/\bMike\b/);
});

test("the request to save names the file and the phrase, in words of memory", () => {
  const anchor = { phrase: "shop pickup", file: "/m/shop.md" };
  for (const language of ["en", "de"] as const) {
    const { askSelf, askSelfAuto, askOthers } = textsIn(language);
    for (const text of [askSelf(anchor), askSelfAuto(anchor, "a7f3")]) {
      expect(text).toContain("/m/shop.md");
      expect(text).toContain("shop pickup");
    }
    expect(askOthers.toLowerCase()).toContain("memory");
    expect(askSelfAuto(anchor, "a7f3")).toContain("[a7f3]");
  }
});

test.each(["8f35bb66-43e8-4bf8-ba0e-00436e2b8c22", "..", ".hidden", "a/b", "ä b", "CON", "a:b"])(
  "a session's folder is named like its file elsewhere: %s",
  (id) => {
    expect(`${nameOfId(id)}.json`).toBe(sessionFileName(id));
  },
);

test("an id that can be no name is none", () => {
  expect(nameOfId("")).toBeUndefined();
  expect(nameOfId("ä".repeat(100))).toBeUndefined();
});

test.each([
  [undefined, "/home/dev/.agent-sessions"],
  ["  ", "/home/dev/.agent-sessions"],
  [" /srv/sessions/ ", "/srv/sessions"],
  ["~", "/home/dev"],
  ["~/sessions", "/home/dev/sessions"],
  ["sessions", "/home/dev/sessions"],
  ["C:\\sessions", "C:\\sessions"],
])("AGENT_SESSIONS_HOME=%j is %s", (asked, home) => {
  expect(homeOf(asked, "/home/dev")).toBe(home);
});

test("a project's folder is named as Claude Code names it; what it would cut is not known", () => {
  expect(projectFolderName("/home/dev/my.work_1")).toBe("-home-dev-my-work-1");
  expect(projectFolderName(`/${"a".repeat(200)}`)).toBeUndefined();
});

test.each([
  ["composer", "user", true, false],
  ["bridge", "user", true, false],
  ["sdk", "sdk", false, false],
  ["scheduled-trigger", "schedule_wakeup", false, false],
  ["peer", "system", false, true],
  ["peer-send-message", "system", false, true],
  ["task-notification", "system", false, false],
  ["plugin", "system", false, false],
  ["auto-continuation", "system", false, false],
])("a prompt from %s counts as %s", (origin, source, isHere, isPeer) => {
  expect(promptSource(origin)).toBe(source);
  expect(isUserHere(origin)).toBe(isHere);
  expect(isFromSession(origin)).toBe(isPeer);
});
