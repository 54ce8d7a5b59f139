import fc from "fast-check";
import { isSamePath, namesFile } from "../../assets/claude-plugin/core/file-path";
import { credited, isProven } from "../../assets/claude-plugin/core/proof";
import { propertyRuns } from "../property-runs";

test("lines that a tool added are the proof", () => {
  expect(credited([], "# Shop\n- one", "# Shop\n- one\n- two\n")).toEqual(["- two"]);
});

test("a file that is new is all proof", () => {
  expect(credited([], "", "# Shop\n\n- one\n")).toEqual(["# Shop", "- one"]);
});

test("reading changes nothing and proves nothing", () => {
  expect(credited([], "- one", "- one")).toEqual([]);
});

test("blanks and rules are no proof", () => {
  expect(credited([], "- one", "  - one  \n\n---\n")).toEqual([]);
});

test("what the session took out again counts no more", () => {
  const first = credited([], "", "- draft\n- fact");
  expect(credited(first, "- draft\n- fact", "- fact\n- final")).toEqual(["- fact", "- final"]);
});

test("at most fifty lines are remembered, the last ones", () => {
  const text = Array.from({ length: 80 }, (_, index) => `- line ${index}`).join("\n");
  const proof = credited([], "", text);
  expect(proof).toHaveLength(50);
  expect(proof.at(-1)).toBe("- line 79");
});

test("a save is proven while all its lines stand", () => {
  expect(isProven(["- one", "- two"], "# Shop\n  - two\n- one")).toBe(true);
  expect(isProven(["- one", "- two"], "# Shop\n- one")).toBe(false);
  // A part of a longer line is not the line.
  expect(isProven(["- one"], "- one hundred")).toBe(false);
});

test("nothing added, nothing proven", () => {
  expect(isProven([], "- one")).toBe(false);
});

test("what was there before is never proof, whatever happens to the file", () => {
  const line = fc.constantFrom("- a", "- b", "- c", "- d", "---", "");
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const proof of credited([], before, after)) {
        expect(before.split("\n")).not.toContain(proof);
        expect(after.split("\n")).toContain(proof);
      }
    }),
    propertyRuns(500),
  );
});

test.each([
  ["echo x >> shop.md", true],
  ["echo x >>shop.md", true],
  ["printf '%s' x > /m/shop.md", true],
  ["cat > 'shop.md' <<EOF", true],
  ['tee -a "/m/shop.md"; ls', true],
  ["sed -i s/a/b/ m/shop.md&&true", true],
  ["F=shop.md; echo x >> $F", true],
  ["echo x >> my_shop.md", false],
  ["echo x >> project-shop.md", false],
  ["echo x >> shop.md.bak", false],
  ["echo x >> shopxmd", false],
  ["echo shop", false],
])("a command names the file: %s → %s", (command, names) => {
  expect(namesFile(command, "/m/shop.md")).toBe(names);
});

test("separators of paths may differ", () => {
  expect(isSamePath("C:\\m\\shop.md", "C:/m/shop.md")).toBe(true);
  expect(isSamePath("/m/shop.md", "/m/other.md")).toBe(false);
});
