import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";

const ROOT = resolve(__dirname, "..");

/** The pages as scripts/figures.mjs makes them now, by their paths. */
function pages(): Record<string, string> {
  const script = pathToFileURL(join(ROOT, "scripts", "figures.mjs")).href;
  const print = `import(${JSON.stringify(script)}).then(({ pages }) => pages()).then((made) => console.log(JSON.stringify(made)))`;
  const text = execFileSync(process.execPath, ["-e", print], { encoding: "utf8" });
  return z.record(z.string(), z.string()).parse(JSON.parse(text));
}

test("the pages with figures are what the measurements left: no figure is typed", () => {
  const made = pages();
  expect(Object.keys(made)).toEqual(["docs/performance.md", "SECURITY.md"]);
  for (const [path, text] of Object.entries(made))
    expect([path, readFileSync(join(ROOT, path), "utf8")]).toEqual([path, text]);
});

test("each kind of figure was measured", () => {
  for (const [path, text] of Object.entries(pages()))
    expect([path, text.includes("Nothing was measured")]).toEqual([path, false]);
});
