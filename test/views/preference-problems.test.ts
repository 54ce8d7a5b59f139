import * as fc from "fast-check";
import { parseTtl } from "../../src/session/cache";
import type { Standing } from "../../src/store/standing";
import {
  CHOICES,
  PREFERENCE_TITLES,
  preferenceProblems,
  type PreferenceName,
  type PreferenceValues,
} from "../../src/views/preference-problems";
import { MANIFEST } from "../host/manifest";
import { propertyRuns } from "../property-runs";

const UNSET: PreferenceValues = {
  statusDirectory: "",
  signalStateFile: "",
  homeDirectory: "",
  claudeDirectories: "",
  cacheTtl: "",
  commandPath: "",
  terminal: "",
  countUnread: "",
};

/** A made-up disk; whatever is not on it is missing. */
const DISK: Readonly<Record<string, Standing>> = {
  "/folder": "folder",
  "/home/dev/status": "folder",
  "/file": "file",
  "/file/under": "under-file",
  "/locked": "unknown",
};

const COMMANDS: Readonly<Record<string, string>> = { "/broken": "cannot be run", "/gone": "does not exist" };

function judged(values: Partial<PreferenceValues>) {
  return preferenceProblems(
    { ...UNSET, ...values },
    {
      user: "/home/dev",
      standingAt: (path) => DISK[path] ?? "missing",
      commandFault: (path) => COMMANDS[path],
    },
  );
}

const correct = (title: string) => `Correct ${title} in the extension's preferences, or leave it empty.`;

test("nothing is wrong with what is not set", () => {
  expect(judged({})).toEqual([]);
  expect(judged({ statusDirectory: "  ", claudeDirectories: " , ", commandPath: " " })).toEqual([]);
});

test.each<[PreferenceName, string]>([
  ["statusDirectory", "/folder"],
  ["statusDirectory", "~/status, Work=/folder"],
  // It is made with the first report; one of several that is missing is told where the sessions are.
  ["statusDirectory", "/not/yet"],
  ["statusDirectory", '"/a, b"'],
  // What is wrong with it is told where its files are.
  ["statusDirectory", "/locked"],
  ["signalStateFile", "/file"],
  ["signalStateFile", "/not/yet.json"],
  ["homeDirectory", "/folder"],
  ["homeDirectory", "~"],
  ["claudeDirectories", "Work=/folder"],
  ["cacheTtl", "auto"],
  ["cacheTtl", "5m"],
  ["cacheTtl", "90s"],
  ["commandPath", "/bin/agent-sessions"],
  ["commandPath", "~/bin/agent-sessions"],
  ["terminal", "ghostty"],
  ["countUnread", "nothing"],
])("%s may be %j", (preference, value) => {
  expect(judged({ [preference]: value })).toEqual([]);
});

const RELATIVE = "is a relative path: write it in full, or from ~ on";

test.each<[PreferenceName, string, "reading" | "acting" | "nothing", string]>([
  ["statusDirectory", "status", "reading", `"status" ${RELATIVE}`],
  ["statusDirectory", "./status", "reading", `"./status" ${RELATIVE}`],
  ["statusDirectory", "~bob/status", "reading", `"~bob/status" ${RELATIVE}`],
  ["statusDirectory", "/file", "reading", "/file is a file, not a folder"],
  ["statusDirectory", "/folder, Work=/file", "reading", "/file is a file, not a folder"],
  ["statusDirectory", "/file/under", "reading", "/file/under lies under a file"],
  ["statusDirectory", "Work=", "reading", '"Work=" names no folder'],
  ["statusDirectory", '"/folder', "reading", '""/folder" has a quotation mark that nothing closes'],
  ["statusDirectory", "/a, b/c", "reading", `"b/c" ${RELATIVE} (a path with a comma goes in double quotes)`],
  ["statusDirectory", "Work=,/file", "reading", '"Work=" names no folder; /file is a file, not a folder'],
  ["signalStateFile", "status.json", "reading", `"status.json" ${RELATIVE}`],
  ["signalStateFile", "/folder", "reading", "/folder is a folder, not a file: name the file in it"],
  ["signalStateFile", "/file/under", "reading", "/file/under lies under a file"],
  ["homeDirectory", "sessions", "reading", `"sessions" ${RELATIVE}`],
  ["homeDirectory", "/file", "reading", "/file is a file, not a folder"],
  ["homeDirectory", "/file/under", "reading", "/file/under lies under a file"],
  ["claudeDirectories", "Work=", "reading", '"Work=" names no folder'],
  ["claudeDirectories", "work", "reading", `"work" ${RELATIVE}`],
  ["claudeDirectories", "/folder,/file", "reading", "/file is a file, not a folder"],
  ["claudeDirectories", "/folder, Work=~/typo", "nothing", "/home/dev/typo does not exist"],
  ["commandPath", "agent-sessions", "acting", `"agent-sessions" ${RELATIVE}`],
  ["commandPath", "/gone", "acting", "/gone does not exist"],
  ["commandPath", "/broken", "acting", "/broken cannot be run"],
])("%s may not be %j: it stops %s", (preference, value, stops, what) => {
  const title = PREFERENCE_TITLES[preference];
  expect(judged({ [preference]: value })).toEqual([{ preference, title, stops, reason: `${what}. ${correct(title)}` }]);
});

test.each<[PreferenceName, string, "acting" | "nothing"]>([
  ["cacheTtl", "a while", "acting"],
  ["cacheTtl", "0m", "acting"],
  ["terminal", "emacs", "acting"],
  ["countUnread", "42", "nothing"],
])("%s may not be %j, which is none of its choices: it stops %s", (preference, value, stops) => {
  const title = PREFERENCE_TITLES[preference];
  const reason = `${title} is set to "${value}", which is none of its choices. Choose one in the extension's preferences.`;
  expect(judged({ [preference]: value })).toEqual([{ preference, title, stops, reason }]);
});

test("each wrong preference is told, in the order of the preferences", () => {
  const problems = judged({ terminal: "emacs", commandPath: "/gone", statusDirectory: "x", homeDirectory: "/file" });
  expect(problems.map(({ preference }) => preference)).toEqual([
    "statusDirectory",
    "homeDirectory",
    "commandPath",
    "terminal",
  ]);
});

test("a value is data: it steers no window, and a long one is cut", () => {
  for (const preference of Object.keys(UNSET) as PreferenceName[]) {
    for (const { reason } of judged({ [preference]: `a\u001b[2J\u202e\ud800${"x".repeat(999)}` })) {
      expect(reason.isWellFormed()).toBe(true);
      for (const mark of ["\u001b", "\u202e"]) expect(reason).not.toContain(mark);
      expect(reason.length).toBeLessThan(400);
    }
  }
});

test("whatever is set, it is judged without an error, and each reason names its preference", () => {
  const value = fc.string({ unit: fc.constantFrom(...'a~/,="\n '), maxLength: 20 });
  const names = Object.keys(UNSET) as PreferenceName[];
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (preference, text) => {
      for (const { reason } of judged({ [preference]: text })) {
        expect(reason).toContain(PREFERENCE_TITLES[preference]);
        expect(reason).toMatch(/\.$/);
      }
    }),
    propertyRuns(300),
  );
});

describe("the manifest", () => {
  const named = new Map(MANIFEST.preferences.map((each) => [each.name, each]));

  test("has the titles by which problems name the preferences", () => {
    const titles = Object.keys(PREFERENCE_TITLES).map((name) => [name, named.get(name)?.title]);
    expect(Object.fromEntries(titles)).toEqual(PREFERENCE_TITLES);
  });

  test("has no preference that is not judged, but boxes to tick", () => {
    const judgedOnes = Object.keys(PREFERENCE_TITLES);
    const others = MANIFEST.preferences.filter(({ name }) => !judgedOnes.includes(name));
    expect(others.map(({ type }) => type)).toEqual(others.map(() => "checkbox"));
  });

  test.each(Object.entries(CHOICES))("has the choices of %s", (name, choices) => {
    const data = named.get(name)?.data;
    expect(Array.isArray(data) && data.map(({ value }: { value: unknown }) => value)).toEqual([...choices]);
    if (name === "cacheTtl") expect(choices.filter((each) => parseTtl(each) === undefined)).toEqual(["auto"]);
  });

  test("describes each preference in one or two sentences", () => {
    for (const { description } of MANIFEST.preferences) {
      expect(description.match(/\.(?= |$)/g)?.length).toBeLessThanOrEqual(2);
    }
  });
});
