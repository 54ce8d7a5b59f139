import { saveText, textLanguageOf } from "../../src/control/save-text";

const target = { phrase: "webshop pickup", file: "/memory/webshop.md" };

test.each([
  [{ LANG: "de_CH.UTF-8" }, "de"],
  [{ LANG: "en_US.UTF-8", LC_ALL: "de_DE" }, "de"],
  [{ LANG: "de_DE", LC_ALL: "C" }, "en"],
  [{ LANG: " ", LC_MESSAGES: "de" }, "de"],
  [{ LANG: "den_CA" }, "en"],
  [{}, "en"],
])("%j speaks %s", (environment, language) => {
  expect(textLanguageOf(environment)).toBe(language);
});

test.each(["en", "de"] as const)("in %s it names the file and what to do afterwards, on one line", (language) => {
  const busy = saveText({ language, target, isBusy: true });
  const idle = saveText({ language, target, isBusy: false });
  for (const text of [busy, idle]) {
    expect(text).toContain(target.file);
    expect(text).toContain(target.phrase);
    expect(text).not.toMatch(/\n/);
    // Typed, it must be no command of an agent.
    expect(text).toMatch(/^Pause/);
  }
  expect(busy).not.toBe(idle);
});

test("without a target it leaves the file to the session", () => {
  expect(saveText({ language: "en", isBusy: false })).toContain("the memory file responsible");
  expect(saveText({ language: "de", isBusy: false })).toContain("die Memory-Datei, die");
});
