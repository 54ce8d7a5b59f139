import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";

const PROJECT = resolve(__dirname, "..");

const schema = z.array(
  z.strictObject({
    what: z.string().min(1),
    file: z.string().min(1),
    before: z.string().min(1),
    after: z.string(),
    tests: z.array(z.string()).min(1),
    only: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
);

const mutations = schema.parse(JSON.parse(readFileSync(join(__dirname, "mutations.json"), "utf8")));

/** What `npm run test:mutations` breaks: here only that the table still fits the project. */
test("at least twenty-five things are broken, each under a name of its own", () => {
  expect(mutations.length).toBeGreaterThanOrEqual(25);
  expect(new Set(mutations.map(({ what }) => what)).size).toBe(mutations.length);
});

test.each(mutations.map((mutation) => [mutation.what, mutation] as const))(
  "the text to break stands just once, and its tests are there: %s",
  (_what, { file, before, after, tests, only }) => {
    expect(readFileSync(join(PROJECT, file), "utf8").split(before)).toHaveLength(2);
    expect(after).not.toBe(before);
    expect(tests.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
    expect(() => new RegExp(only ?? "")).not.toThrow();
  },
);
