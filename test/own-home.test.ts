import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sources of the tests themselves. */
const sources = readdirSync(__dirname, { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.(tsx?|mjs)$/.test(path),
);

test("no test asks the system for a home folder: within the tests it is the real one of whoever runs them", () => {
  const asking = sources.filter((path) => /\bhomedir\(/.test(readFileSync(join(__dirname, path), "utf8")));
  expect(asking).toEqual([]);
});

test("the home that tests see is their own", () => {
  expect(process.env.HOME).toMatch(/agent-sessions-home-/);
});
