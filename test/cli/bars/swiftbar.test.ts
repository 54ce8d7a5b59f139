import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { swiftbarFailure, swiftbarText, type MenuBarHost, type SwiftbarStyle } from "../../../src/cli/bars/swiftbar";
import type { Snapshot } from "../../../src/observe/snapshot";
import { sectionOf, SECTIONS } from "../../../src/session/section";
import { propertyRuns } from "../../property-runs";
import { hostileSnapshot, hostileText, isCalm, PROBLEM, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

/** The parameters of SwiftBar's and of xbar's documentation; xbar takes an unknown one for an error. */
const KEYS: Readonly<Record<MenuBarHost, RegExp>> = {
  swiftbar:
    /^(color|sfcolor\d*|font|size|length|trim|ansi|emojize|symbolize|dropdown|alternate|image|templateImage|sfimage|sfconfig|checked|tooltip|refresh|href|bash|shell|terminal|param\d+|shortcut|badge|md)$/,
  xbar: /^(key|href|color|font|size|shell|bash|param[1-9]\d*|terminal|refresh|dropdown|length|trim|alternate|templateImage|image|emojize|ansi|disabled)$/,
};

interface Line {
  depth: number;
  text: string;
  parameters: Record<string, string>;
  isSeparator: boolean;
}

/** Reads a plugin's output as the documentation tells: header and menu; a parameter nobody knows fails. */
function parse(output: string, host: MenuBarHost): { header: Line[]; menu: Line[] } {
  expect(output.endsWith("\n")).toBe(true);
  const lines = output
    .slice(0, -1)
    .split("\n")
    .map((each) => parseLine(each, host));
  const end = lines.findIndex(({ isSeparator }) => isSeparator);
  return { header: lines.slice(0, end), menu: lines.slice(end + 1) };
}

function parseLine(line: string, host: MenuBarHost): Line {
  if (line === "---") return { depth: 0, text: "", parameters: {}, isSeparator: true };
  const bar = line.indexOf("|");
  const title = bar < 0 ? line : line.slice(0, bar);
  const depth = /^(--)*/.exec(title)?.[0].length ?? 0;
  const parameters: Record<string, string> = {};
  let rest = bar < 0 ? "" : line.slice(bar + 1);
  while (rest.trim() !== "") {
    const found = /^ ([A-Za-z0-9]+)=(?:"([^"\\]*)"|([^\s"']+))(?= |$)/.exec(rest);
    if (found === null) throw new Error(`not a parameter: ${rest}`);
    const [whole, key = "", quoted, bare] = found;
    if (!KEYS[host].test(key) || key in parameters) throw new Error(`parameter: ${key}`);
    parameters[key] = quoted ?? bare ?? "";
    rest = rest.slice(whole.length);
  }
  return { depth: depth / 2, text: title.slice(depth).trim(), parameters, isSeparator: false };
}

/** What a click runs: SwiftBar gives a shell the words with spaces between them, xbar runs a list of arguments. */
function argvOf({ parameters }: Line, host: MenuBarHost): string[] | undefined {
  if (parameters.bash === undefined) return undefined;
  const names = Object.keys(parameters).filter((key) => key.startsWith("param"));
  expect(names).toEqual(names.map((_, index) => `param${index + 1}`));
  const words = names.map((name) => parameters[name] ?? "");
  if (host === "xbar") return [parameters.bash, ...words];
  const program = parameters.bash.includes(" ") ? `'${parameters.bash}'` : parameters.bash;
  const script = `for word in ${[program, ...words].join(" ")}; do printf '%s\\n' "$word"; done`;
  return spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout.slice(0, -1).split("\n");
}

const HOSTS: MenuBarHost[] = ["swiftbar", "xbar"];
const COMMAND = ["/opt/node/bin/node", "/opt/agent sessions/build/agent-sessions.js"] as const;

function style(host: MenuBarHost, more: Partial<SwiftbarStyle> = {}): SwiftbarStyle {
  return { host, countUnread: false, command: COMMAND, ...more };
}

function menuOf(snapshot: Snapshot, host: MenuBarHost = "swiftbar", more: Partial<SwiftbarStyle> = {}) {
  return parse(swiftbarText(snapshot, style(host, more)), host);
}

test("the check itself refuses what is not documented", () => {
  expect(() => parse("a | sparkle=1\n---\n", "swiftbar")).toThrow("parameter: sparkle");
  expect(() => parse("a | sfimage=bolt\n---\n", "xbar")).toThrow("parameter: sfimage");
  expect(() => parse("a | b | c=1\n---\n", "swiftbar")).toThrow("not a parameter");
});

describe.each(HOSTS)("%s", (host) => {
  test.each(SIZES)("%i sessions hold to the format, at most ten rows a section", (count) => {
    const snapshot = snapshotOf(sessionsOf(count));
    const { header, menu } = menuOf(snapshot, host);
    expect(header).toHaveLength(1);
    const expected = SECTIONS.map((section) => snapshot.sessions.filter((each) => sectionOf(each) === section).length)
      .map((size) => Math.min(10, size))
      .reduce((sum, size) => sum + size, 0);
    const rows = menu.filter(({ parameters }) => ["focus", "resume"].includes(parameters.param2 ?? ""));
    expect(rows).toHaveLength(expected);
    expect(menu.some(({ text }) => text === "No Sessions")).toBe(count === 0);
  });

  test("a row goes to its session; with the option key it marks an answer as read, or pauses", () => {
    const snapshot = snapshotOf([
      session("waiting", "a1", { title: "Clean up", project: "shop" }),
      session("done", "b1", { unread: true, title: "Answer" }),
    ]);
    const { menu } = menuOf(snapshot, host);
    const clicks = menu.flatMap((line) => {
      const argv = argvOf(line, host);
      return argv === undefined ? [] : [[line.parameters.alternate, ...argv].join(" ")];
    });
    const own = COMMAND.join(" ");
    expect(clicks).toEqual([
      ` ${own} focus -- claude:a1`,
      `true ${own} pause -- claude:a1`,
      ` ${own} focus -- claude:b1`,
      `true ${own} read -- claude:b1`,
      ` ${own} read --all`,
      ` ${own} monitoring pause`,
    ]);
    for (const { parameters } of menu.filter((line) => "bash" in line.parameters))
      expect(parameters).toMatchObject({ terminal: "false", refresh: "true" });
    const titles = menu.map(({ text }) => text.replace(/^[!✓] /, ""));
    expect(titles).toContain("Clean up – shop – Asks for permission");
    expect(titles).toContain("Mark as Read: Answer");
    expect(titles.slice(0, 1)).toEqual(["Needs You (1)"]);
  });

  test("calm sections are submenus", () => {
    const { menu } = menuOf(snapshotOf([session("idle", "a"), session("dormant", "b"), session("working", "c")]), host);
    const depths = menu.map(({ depth, text }) => `${depth} ${text.replace(/^[▶·–] /, "")}`);
    expect(depths).toEqual(
      expect.arrayContaining(["0 Title c", "0 Idle (1)", "1 Title a", "0 Ended (1)", "1 Title b"]),
    );
    const ended = menu.find(({ text }) => text.endsWith("Title b"));
    expect(ended && argvOf(ended, host)?.slice(2)).toEqual(["resume", "--", "claude:b"]);
    // An ended session cannot be paused, and xbar has no alternates in a submenu.
    expect(depths.includes("1 Pause: Title a")).toBe(host === "swiftbar");
    expect(depths).not.toContain("1 Pause: Title b");
  });

  test("problems and the pause are lines", () => {
    const { menu, header } = menuOf(snapshotOf([], { paused: true, problems: [PROBLEM] }), host);
    const texts = menu.map(({ text }) => text);
    expect(texts).toEqual(
      expect.arrayContaining(["Monitoring Is Paused", "No Sessions", "1 Problem", "Resume Monitoring"]),
    );
    expect(texts.find((text) => text.includes("is not JSON"))).toBe('/s/a│b.json: is not JSON: "<│>"');
    expect(header[0]?.parameters.sfimage ?? header[0]?.text).toMatch(/^pause/);
  });

  test("a failure is a menu", () => {
    const { header, menu } = parse(swiftbarFailure("No |\nentry", { host }), host);
    expect(header).toHaveLength(1);
    expect(menu.map(({ text }) => text)).toEqual(["Sessions Cannot Be Read", "No │ entry"]);
  });

  test("no text of a session breaks the format, and no id reaches a shell", () => {
    fc.assert(
      fc.property(hostileSnapshot, (snapshot) => {
        const output = swiftbarText(snapshot, style(host));
        expect(isCalm(output)).toBe(true);
        const { header, menu } = parse(output, host);
        expect(header).toHaveLength(1);
        // As many lines as with harmless texts, and as deep, but for actions that an id cannot have.
        const ids = new Set(snapshot.sessions.map(({ id }) => id));
        for (const line of menu) {
          expect(line.text).not.toMatch(/^-|\\/);
          expect(line.parameters.emojize).toBe(line.isSeparator ? undefined : "false");
          const { bash, ...rest } = line.parameters;
          if (bash === undefined) continue;
          expect(bash).toBe(COMMAND[0]);
          const words = Object.entries(rest).flatMap(([key, value]) => (/^param([2-9])$/.test(key) ? [value] : []));
          for (const word of words) expect(word).toMatch(/^[A-Za-z0-9_./:@%+,=-]+$/);
          const [verb, , id = ""] = words;
          if (verb === "focus" || verb === "resume" || verb === "pause" || (verb === "read" && words[1] === "--"))
            expect(ids.has(id)).toBe(true);
        }
        const plain = snapshot.sessions.map((each) => session(each.state, each.sessionId, { unread: each.unread }));
        const rows = (lines: Line[]) =>
          lines.filter(({ parameters, text }) => parameters.alternate === undefined && !/^\d+ Problems?$/.test(text));
        const shape = (lines: Line[]) => rows(lines).map(({ depth, isSeparator }) => `${depth}${isSeparator}`);
        const problems = snapshot.problems.map((each) => ({ ...each, reason: "x" }));
        const paused = snapshot.aggregate.displayState === "paused";
        const harmless = { ...snapshotOf(plain, { paused, problems }) };
        expect(shape(menu).sort()).toEqual(shape(menuOf(harmless, host).menu).sort());
      }),
      propertyRuns(300),
    );
  });
});

test("the number is of those that need the user, with unread answers only when asked for", () => {
  const snapshot = snapshotOf([session("waiting", "a"), session("done", "b", { unread: true })]);
  expect(menuOf(snapshot).header[0]?.text).toBe("1");
  expect(menuOf(snapshot, "swiftbar", { countUnread: true }).header[0]?.text).toBe("2");
  expect(menuOf(snapshotOf([session("idle", "a")])).header[0]).toMatchObject({
    text: "",
    parameters: { sfimage: "circle" },
  });
  expect(menuOf(snapshot, "xbar").header[0]?.text).toBe("! 1");
});

test("an id that a shell would not take as it is has no action", () => {
  const snapshot = snapshotOf([session("waiting", "a;touch x")]);
  const { menu } = menuOf(snapshot);
  const row = menu.find(({ text }) => text.startsWith("Title"));
  expect(row?.parameters).not.toHaveProperty("bash");
});

test("a command whose path a shell would not take even in quotes has no actions", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (one, other) => {
      const snapshot = snapshotOf([session("waiting", "a")]);
      const { menu } = menuOf(snapshot, "swiftbar", { command: [`/n${one}`, `/c${other}`] });
      const isPlain = /^[\w ./:@%+,=-]*$/.test(one + other);
      expect(menu.some(({ parameters }) => "bash" in parameters)).toBe(isPlain);
    }),
    propertyRuns(200),
  );
});

test("without a command there are no actions but to refresh", () => {
  const output = swiftbarText(snapshotOf(sessionsOf(30)), { host: "swiftbar", countUnread: false });
  expect(output).not.toContain("bash=");
  expect(output).toContain("Refresh | refresh=true");
});
