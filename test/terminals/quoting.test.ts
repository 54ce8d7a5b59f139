import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { commandLine, posixWord, powershellQuoted, powershellWord } from "../../src/terminals/quoting";
import { HOSTILE } from "./fake-machine";

const shells = ["sh", "bash", "dash", "zsh", "ksh", "busybox"].filter(
  (shell) => spawnSync("which", [shell]).status === 0,
);

/** What a shell takes for its words, which it prints with a NUL after each. */
function wordsOf(shell: string, line: string): string[] {
  const given = shell === "busybox" ? ["sh", "-c"] : ["-c"];
  const output = execFileSync(shell, [...given, `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return output.split("\0").slice(0, -1);
}

/** The single word fish reads, by its language page: within single quotes `\'` and `\\` are escapes, all else is not. */
function fishWord(text: string): string {
  let word = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const [char = "", next = ""] = [text[at], text[at + 1]];
    if (char === "\\" && (!quoted || next === "'" || next === "\\")) {
      word += next;
      at++;
    } else if (char === "'") quoted = !quoted;
    else if (!quoted && /[\s;&|<>$*?~#(){}"]/.test(char)) throw new Error(`${char} is read by fish in ${text}`);
    else word += char;
  }
  if (quoted) throw new Error(`the quote is open in ${text}`);
  return word;
}

/** The literal PowerShell reads: any of its single quotes, doubled, stands for itself. */
function powershellLiteral(text: string): string {
  const quotes = "'\u2018\u2019\u201a\u201b";
  const chars = Array.from(text);
  expect(quotes).toContain(chars[0]);
  let word = "";
  for (let at = 1; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (!quotes.includes(char)) word += char;
    else if (at === chars.length - 1) return word;
    else if (quotes.includes(chars[at + 1] ?? "")) word += chars[at++];
    else throw new Error(`the literal ends early in ${text}`);
  }
  throw new Error(`the literal is open in ${text}`);
}

// eslint-disable-next-line no-control-regex
const hasControls = (text: string) => /[\u0000-\u001f\u007f-\u009f]/.test(text);

const plainText = fc.string({ unit: "binary" }).filter((text) => !hasControls(text) && text.isWellFormed());
const sharpText = fc.string({
  unit: fc.constantFrom("'", '"', "\\", "$", "`", " ", ";", "!", "#", "-", "a", "\u2019", "~", "="),
});

test("there is a shell to ask", () => {
  expect(shells).toContain("sh");
});

test.each(shells)("%s reads hostile words as they are", (shell) => {
  const words = HOSTILE.filter((word) => !hasControls(word));
  expect(words.length).toBeGreaterThan(15);
  expect(wordsOf(shell, commandLine(words))).toEqual(words);
});

test("any word is read as it is by sh, and by fish", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(plainText, sharpText), { minLength: 1, maxLength: 20 }), (words) => {
      expect(wordsOf("sh", commandLine(words))).toEqual(words);
      expect(words.map((word) => fishWord(posixWord(word)))).toEqual(words);
    }),
    { numRuns: 40 },
  );
});

test("any text is one literal of PowerShell", () => {
  fc.assert(
    fc.property(fc.oneof(plainText, sharpText), (text) => expect(powershellLiteral(powershellQuoted(text))).toBe(text)),
  );
  expect(powershellQuoted("a\u2019; Remove-Item ~; \u2019")).toBe("'a\u2019\u2019; Remove-Item ~; \u2019\u2019'");
});

test.each([
  ["plain words stay readable", "/Users/ada/shop-2", "/Users/ada/shop-2"],
  ["a blank", "/Users/ada/my shop", "'/Users/ada/my shop'"],
  ["a quote", "it's", "'it'\\''s'"],
  ["a home is not expanded", "~/x", "'~/x'"],
  ["an assignment is a word", "A=b", "'A=b'"],
  ["an option with a value stays readable", "--resume=4f2e", "--resume=4f2e"],
  ["nothing", "", "''"],
])("POSIX: %s", (_name, word, quoted) => expect(posixWord(word)).toBe(quoted));

test.each([
  ["plain words stay readable", "C:\\Users\\ada", "C:\\Users\\ada"],
  ["what could be a parameter is quoted", "-Force", "'-Force'"],
  ["a variable is no variable", "$env:PATH", "'$env:PATH'"],
])("PowerShell: %s", (_name, word, quoted) => expect(powershellWord(word)).toBe(quoted));

test.each(HOSTILE.filter(hasControls))("a control character is refused: %j", (word) => {
  for (const quote of [posixWord, powershellWord, powershellQuoted]) {
    expect(() => quote(word)).toThrow("control characters");
  }
});

test("half a character is refused", () => expect(() => posixWord("a\ud83d")).toThrow("control characters"));
