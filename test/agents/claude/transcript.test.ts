import { claudeTranscripts, slugOf } from "../../../src/agents/claude/transcript";

const kindWith = (environment: Record<string, string> = {}) =>
  claudeTranscripts({ environment, user: "/home/dev", platform: "linux" });

test.each([
  ["/home/dev/shop", "-home-dev-shop"],
  ["/home/dev/My Shop_2.0", "-home-dev-My-Shop-2-0"],
  ["/tmp/größe-😀", "-tmp-gr--e---"],
  ["C:\\Users\\dev", "C--Users-dev"],
  ["/", "-"],
])("the project folder of %s", (cwd, slug) => {
  expect(slugOf(cwd)).toBe(slug);
});

test("a long one is cut, and its hash appended: the name that Claude Code 2.1.332 gave", () => {
  const parts = [1, 2, 3, 4, 5, 6].map((number) => `Ein.Ordner_mit-Äöü_und_noch_mehr_Zeichen_${number}`);
  const slug = slugOf(`/tmp/tsx-ra/work-long/${parts.join("/")}`);
  expect(slug).toBe(
    "-tmp-tsx-ra-work-long-Ein-Ordner-mit-----und-noch-mehr-Zeichen-1-Ein-Ordner-mit-----und-noch-mehr-Zeichen-2" +
      "-Ein-Ordner-mit-----und-noch-mehr-Zeichen-3-Ein-Ordner-mit-----und-noch-mehr-Zeichen-4-Ein-Or-7st956",
  );
});

test("200 characters are not too long, 201 are", () => {
  expect(slugOf(`/${"a".repeat(199)}`)).toHaveLength(200);
  expect(slugOf(`/${"a".repeat(200)}`)).toMatch(/^-a{199}-[0-9a-z]+$/);
});

describe("where it lies by rule", () => {
  const session = { sessionId: "s-1", cwd: "/home/dev/shop" };

  test("in the usual folder", () => {
    expect(kindWith().likely(session)).toEqual(["/home/dev/.claude/projects/-home-dev-shop/s-1.jsonl"]);
  });

  test("in the folder that the environment names first, since the agent may have another environment", () => {
    expect(kindWith({ CLAUDE_CONFIG_DIR: "~/work" }).likely(session)).toEqual([
      "/home/dev/work/projects/-home-dev-shop/s-1.jsonl",
      "/home/dev/.claude/projects/-home-dev-shop/s-1.jsonl",
    ]);
  });

  test("only in the folder that the session's source told", () => {
    const kind = kindWith({ CLAUDE_CONFIG_DIR: "/work" });
    expect(kind.likely({ ...session, configDirectory: "/other" })).toEqual([
      "/other/projects/-home-dev-shop/s-1.jsonl",
    ]);
  });

  test.each(["../../etc/passwd", "a/b", ".hidden", "", "a\0b", "x".repeat(300)])(
    "nowhere for the id %j",
    (sessionId) => {
      expect(kindWith().likely({ ...session, sessionId })).toEqual([]);
    },
  );
});

test("it is searched in the folders of all projects", () => {
  const folders: Record<string, string[]> = {
    "/home/dev/.claude/projects": ["one", "two"],
    "/home/dev/.claude/projects/two": ["s-1.jsonl"],
  };
  const names = (folder: string) => new Set(folders[folder] ?? []);
  expect(kindWith().search?.({ sessionId: "s-1" }, names)).toBe("/home/dev/.claude/projects/two/s-1.jsonl");
  expect(kindWith().search?.({ sessionId: "s-2" }, names)).toBeUndefined();
  expect(kindWith().search?.({ sessionId: "s-1", configDirectory: "/other" }, names)).toBeUndefined();
});
