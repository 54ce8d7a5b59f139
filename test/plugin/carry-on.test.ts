import fc from "fast-check";
import { carryOnIn } from "../../assets/claude-plugin/core/carry-on";
import { textsIn } from "../../assets/claude-plugin/core/texts";
import { freshToken, tokenOf } from "../../assets/claude-plugin/core/token";
import { propertyRuns } from "../property-runs";

const TOKEN = "a7f3";

test.each([
  ["plain", "Auto-continue: yes — do the checkout [a7f3]"],
  ["a list item", "- Auto-continue: yes — do it [a7f3]"],
  ["another list item", "  * Auto-continue: yes — do it [a7f3]"],
  ["a numbered item", "3. Auto-continue: yes — do it [a7f3]"],
  ["a heading", "## Auto-continue: yes — do it [a7f3]"],
  ["a quote", "> Auto-continue: yes — do it [a7f3]"],
  ["a quoted list item", "> - Auto-continue: yes — do it [a7f3]"],
  ["bold label", "**Auto-continue:** yes — do it [a7f3]"],
  ["bold label, colon outside", "**Auto-continue**: yes — do it [a7f3]"],
  ["bold value", "Auto-continue: **yes** — do it [a7f3]"],
  ["backticks", "`Auto-continue: yes — do it [a7f3]`"],
  ["a backticked value", "Auto-continue: `yes` – do it [a7f3]"],
  ["an en dash", "Auto-continue: yes – do it [a7f3]"],
  ["a hyphen", "Auto-continue: yes - do it [a7f3]"],
  ["a colon", "Auto-continue: yes: do it [a7f3]"],
  ["a full stop", "Auto-continue: yes. Do it [a7f3]"],
  ["nothing but the token", "Auto-continue: yes [a7f3]"],
  ["the token in capitals", "Auto-continue: yes — do it [A7F3]"],
  ["the label in another case", "auto-CONTINUE: YES — do it [a7f3]"],
  ["in German", "Auto-Weiter: ja — den Checkout bauen [a7f3]"],
  ["German bold", "- **Auto-Weiter:** ja — den Checkout bauen [a7f3]"],
  ["a bracket that is no blank", "Auto-continue: yes — keep the context <200k [a7f3]"],
  ["an element that is no blank", "Auto-continue: yes — draw the <Box> [a7f3]"],
  ["a word that holds the opposite", "Auto-continue: yes — note the notes of Nora [a7f3]"],
  ["a German word that holds the opposite", "Auto-Weiter: ja — keinen neinsager fragen [a7f3]"],
])("yes: %s", (_what, line) => {
  expect(carryOnIn(`# Shop\n\n${line}\n- more`, TOKEN)).toBe("yes");
});

test.each([
  ["plain", "Auto-continue: no — the user has to look [a7f3]"],
  ["in German", "**Auto-Weiter**: nein — braucht eine Entscheidung [a7f3]"],
])("no: %s", (_what, line) => {
  expect(carryOnIn(line, TOKEN)).toBe("no");
});

test.each([
  ["no line", "# Shop"],
  ["no token", "Auto-continue: yes — do it"],
  ["an old token", "Auto-continue: yes — do it [1111]"],
  ["the token without brackets", "Auto-continue: yes — do it a7f3"],
  ["two lines", "Auto-continue: yes — do it [a7f3]\nAuto-continue: no — wait [1111]"],
  ["two lines in two languages", "Auto-continue: yes — do it [a7f3]\nAuto-Weiter: ja — mach es [a7f3]"],
  ["both words", "Auto-continue: yes — or no, I am not sure [a7f3]"],
  ["both words, the other way round", "Auto-continue: no — or yes [a7f3]"],
  ["both German words", "Auto-Weiter: ja — oder nein [a7f3]"],
  ["a choice", "Auto-continue: yes/no — do it [a7f3]"],
  ["another choice", "Auto-continue: yes|no — do it [a7f3]"],
  ["a German choice", "Auto-Weiter: ja|nein [a7f3]"],
  ["another word", "Auto-continue: maybe — do it [a7f3]"],
  ["a longer word", "Auto-continue: yesterday we did it [a7f3]"],
  ["the blank of the request", "Auto-continue: yes — <next concrete step> [a7f3]"],
  ["a shortened blank", "Auto-continue: yes — <…> [a7f3]"],
  ["a dotted blank", "Auto-continue: yes — <...> [a7f3]"],
  ["the blank of the reason", "Auto-continue: no — <reason> [a7f3]"],
  ["the German blanks", "Auto-Weiter: ja — <nächster konkreter Schritt> [a7f3]"],
  ["the German reason", "Auto-Weiter: nein — <Grund> [a7f3]"],
  ["a line about it", "See Auto-continue: yes — do it [a7f3]"],
  ["the label twice", "Auto-continue: yes — as in Auto-Weiter: ja [a7f3]"],
])("unclear: %s", (_what, text) => {
  expect(carryOnIn(text, TOKEN)).toBe("unclear");
});

test("without a token nothing is clear", () => {
  expect(carryOnIn("Auto-continue: yes — do it []", "")).toBe("unclear");
});

test.each(["en", "de"] as const)("the request itself, copied into the file, is not clear: %s", (language) => {
  const request = textsIn(language).askSelfAuto({ phrase: "shop pickup", file: "/m/shop.md" }, TOKEN);
  expect(carryOnIn(request, TOKEN)).toBe("unclear");
  for (const part of request.split("`")) expect(carryOnIn(part, TOKEN)).toBe("unclear");
});

test("no text is clear without this save's token", () => {
  const piece = fc.constantFrom(
    "Auto-continue:",
    "Auto-Weiter:",
    " yes ",
    " ja ",
    " no ",
    "—",
    "[1111]",
    "\n",
    "- ",
    "**",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(carryOnIn(pieces.join(""), TOKEN)).toBe("unclear");
    }),
    propertyRuns(500),
  );
});

test("a token is four digits of base 16", () => {
  expect(tokenOf(Uint8Array.of(0xa7, 0x03, 0xff))).toBe("a703");
});

test("a token that stands in the file already is not taken, whatever its case", () => {
  const proposals = ["1111", "2222", "3333"];
  expect(freshToken("old [1111] and [2222]".toUpperCase(), () => proposals.shift() ?? "")).toBe("3333");
});

test("looking for a token ends, also when every one is taken", () => {
  expect(freshToken("[1111]", () => "1111")).toBe("1111");
});
