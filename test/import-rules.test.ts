import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const SRC = resolve(__dirname, "..", "src");

/** The rooms from top to bottom; an import goes down, or stays in its room. */
const FLOORS: readonly (readonly string[])[] = [
  ["tools"],
  ["commands", "cli"],
  ["views"],
  ["invoke"],
  ["observe", "control", "terminals"],
  ["store", "agents"],
  ["files"],
  ["session"],
];

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** The room of a source: its folder; files of `src` itself are commands; what actions call through is `invoke`. */
function roomOf(path: string): string {
  const [first = "", ...rest] = relative(SRC, path).split(sep);
  if (rest.length === 0) return "commands";
  const isInvoke = first === "cli" && (rest[0] === "invoke.ts" || INVOKED.has(rest.join("/")));
  return isInvoke ? "invoke" : first;
}

/** What carries out an action in this process: the verbs that act and what they need; the rest of `cli` only prints. */
const INVOKED = new Set([
  "verbs/read-marks.ts",
  "find-session.ts",
  "verbs/wanted-session.ts",
  "problem-lines.ts",
  "io.ts",
  "take-snapshot.ts",
  "verbs/ask-sessions.ts",
  "control-watch.ts",
  "control-module.ts",
  "verbs/monitoring.ts",
  "verbs/focus.ts",
  "verbs/resume.ts",
  "invoker.ts",
  "installed-command.ts",
  "invoke-focus.ts",
  "invoke-request.ts",
  "invoke-front.ts",
  "signal/io.ts",
]);

function floorOf(room: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  if (floor < 0) throw new Error(`no floor for the room ${room}`);
  return floor;
}

/** What a source imports, static or not, types too: a type is knowledge as well. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  return Array.from(text.matchAll(/(?:from\s+|import\s+|import\(|require\()"([^"]+)"/g), ([, name = ""]) => name);
}

function target(from: string, name: string): string {
  const base = resolve(dirname(from), name);
  const found = [`${base}.ts`, `${base}.tsx`, join(base, "index.ts")].find((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (found === undefined) throw new Error(`${from} imports ${name}, which is no source`);
  return found;
}

const all = sources(SRC);

test("there are sources, and every room has its floor", () => {
  expect(all.length).toBeGreaterThan(30);
  for (const path of all) floorOf(roomOf(path));
});

test.each(all.map((path) => [relative(SRC, path), path]))("%s imports only what lies below", (_name, path) => {
  const room = roomOf(path);
  for (const name of importsOf(path).filter((each) => each.startsWith("."))) {
    const other = roomOf(target(path, name));
    const goesDown = floorOf(other) > floorOf(room) || other === room;
    expect([room, goesDown ? "may import" : "may not import", other]).toEqual([room, "may import", other]);
  }
});

test("the domain is pure: it imports nothing but itself", () => {
  for (const path of all.filter((each) => roomOf(each) === "session")) {
    expect(importsOf(path).filter((name) => !name.startsWith("./"))).toEqual([]);
  }
});

test("the domain has no clock, no chance and no environment", () => {
  for (const path of all.filter((each) => roomOf(each) === "session")) {
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/Date\.now|new Date\(\)|Math\.random|process\./);
  }
});

test("only commands and views know the launcher", () => {
  const users = all.filter((path) => importsOf(path).some((name) => name.startsWith("@raycast/")));
  expect(Array.from(new Set(users.map(roomOf))).sort()).toEqual(["commands", "views"]);
});

test("no file is called after nothing", () => {
  expect(all.filter((path) => /(^|[/-])(utils?|helpers?|common|misc)([.-]|$)/.test(relative(SRC, path)))).toEqual([]);
});
