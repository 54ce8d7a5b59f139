import { claudeRegistry } from "../../../src/agents/claude/registry";

const place = claudeRegistry("/home/dev/.claude-work");

test("lies in the configuration folder", () => {
  expect(place).toMatchObject({ agent: "claude", path: "/home/dev/.claude-work/sessions" });
});

test.each(["1.json", "13582.json", "2147483647.json"])("%s is an entry", (name) => {
  expect(place.isEntry(name)).toBe(true);
});

test.each([
  "13582.b0c09d52f4d3f40c1331062d1528248a4dddda470b3a0545c4d637b2f7266eec.key",
  "13582.json.tmp",
  ".13582.json",
  "-1.json",
  "0.json",
  "007.json",
  "1e3.json",
  "settings.json",
  ".json",
  "1.json\n",
])("%j is none", (name) => {
  expect(place.isEntry(name)).toBe(false);
});
