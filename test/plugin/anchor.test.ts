import fc from "fast-check";
import { anchorOf, anchorsIn, comparable, firstPrompts } from "../../assets/claude-plugin/core/anchor";
import { propertyRuns } from "../property-runs";

const FOLDER = "/home/dev/memory";

const anchorFor = (index: string, ...prompts: string[]) => anchorOf(prompts, anchorsIn(index, FOLDER));

test.each([
  ["the phrase right after the key", "- [Web](web.md) 🔑 `webshop pickup`: the shop"],
  ["a magic word", "- [Web](web.md) 🔑 Magic-Word: `webshop pickup`"],
  ["a text between link and key", "- [Web](web.md): the shop 🔑 `webshop pickup`"],
  ["another list mark", "  * [Web](web.md) 🔑 `webshop pickup`"],
  ["an alternative in English", "- [Web](web.md) 🔑 `something else` (also `webshop pickup`)"],
  ["an alternative in German", "- [Web](web.md) 🔑 `something else` (auch `webshop pickup`)"],
])("the index gives a phrase's file: %s", (_what, index) => {
  expect(anchorFor(index, "webshop pickup please")).toEqual({ phrase: "webshop pickup", file: `${FOLDER}/web.md` });
});

test.each([
  ["no key", "- [Web](web.md) `webshop pickup`"],
  ["no key, but another name", "- [Web](web.md) (also `webshop pickup`)"],
  ["a code span that is no phrase", "- [Web](web.md) 🔑 see `webshop pickup`"],
  ["no link", "- Web 🔑 `webshop pickup`"],
  ["a link that is no memory file", "- [Web](web.txt) 🔑 `webshop pickup`"],
  ["a link out of the folder", "- [Web](../../etc/web.md) 🔑 `webshop pickup`"],
  ["a link out of the folder and back", "- [Web](a/../../web.md) 🔑 `webshop pickup`"],
])("an entry is no anchor: %s", (_what, index) => {
  expect(anchorFor(index, "webshop pickup").file).toBe("");
});

test("a phrase without letters or digits is none", () => {
  expect(anchorsIn("- [Web](web.md) 🔑 `!?`", FOLDER).size).toBe(0);
});

test("spelling, blanks and case of a phrase do not matter", () => {
  expect(anchorFor("- [Web](web.md) 🔑 `webshop pickup`", "  Web-Shop PICKUP, where are we?").file).toBe(
    `${FOLDER}/web.md`,
  );
  // "ü" as one letter and as "u" with a mark.
  expect(comparable("f\u00fcr")).toBe(comparable("fu\u0308r"));
});

test("a phrase of two files is ambiguous and has none", () => {
  const index = "- [One](one.md) 🔑 `the pickup`\n- [Two](two.md) 🔑 `The Pickup`\n- [One](one.md) 🔑 `the pickup`";
  expect(anchorFor(index, "the pickup")).toEqual({ phrase: "the pickup", file: "", isAmbiguous: true });
});

test("a phrase that stands twice for one file is not ambiguous", () => {
  const index = "- [One](one.md) 🔑 `the pickup`\n- [One](one.md) 🔑 `other` (also `the pickup`)";
  expect(anchorFor(index, "the pickup").file).toBe(`${FOLDER}/one.md`);
});

test("the longest phrase a prompt begins with decides, wherever it stands", () => {
  const long = "- [Long](long.md) 🔑 `shop pickup checkout`";
  const short = "- [Short](short.md) 🔑 `shop pickup`";
  for (const index of [`${long}\n${short}`, `${short}\n${long}`]) {
    expect(anchorFor(index, "shop pickup checkout: go").file).toBe(`${FOLDER}/long.md`);
    expect(anchorFor(index, "shop pickup").file).toBe(`${FOLDER}/short.md`);
  }
});

test("when the longest one is ambiguous, neither a shorter one nor a later prompt steps in", () => {
  const index = [
    "- [Short](short.md) 🔑 `shop`",
    "- [One](one.md) 🔑 `shop checkout`",
    "- [Two](two.md) 🔑 `shop checkout`",
  ].join("\n");
  expect(anchorFor(index, "shop checkout", "shop")).toEqual({ phrase: "shop checkout", file: "", isAmbiguous: true });
});

test("a phrase in the middle of a prompt is none", () => {
  expect(anchorFor("- [Web](web.md) 🔑 `webshop`", "tell me about the webshop").file).toBe("");
});

test("a phrase that the index does not have is told without a file", () => {
  expect(anchorFor("", "Garden pickup, please")).toEqual({ phrase: "Garden pickup", file: "" });
  expect(anchorFor("", `${"word ".repeat(10)}pickup`)).toEqual({ phrase: "", file: "" });
});

test("a later prompt may hold the phrase", () => {
  expect(anchorFor("- [Web](web.md) 🔑 `webshop`", "hello", "webshop").file).toBe(`${FOLDER}/web.md`);
});

test("prompts are the user's, among the first fifteen rows, and hold no markup", () => {
  const rows = [
    { role: "user", text: "<local-command>webshop" },
    { role: "assistant", text: "webshop" },
    { role: "user", text: "one" },
    ...Array.from({ length: 12 }, () => ({ role: "assistant", text: "…" })),
    { role: "user", text: "the sixteenth" },
  ];
  expect(firstPrompts(rows)).toEqual(["one"]);
});

test("whatever the index says, no file leads out of its folder", () => {
  const piece = fc.constantFrom("..", "/", "a", ".md", "🔑", "`p`", "- [", "](", ")", " ", "\n", "(also `q`)");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const { file } of anchorsIn(pieces.join(""), FOLDER).values()) {
        if (file !== "") expect(file.startsWith(`${FOLDER}/`) && !file.includes("..")).toBe(true);
      }
    }),
    propertyRuns(500),
  );
});
