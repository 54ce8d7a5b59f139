import fc from "fast-check";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alfredAnswer, alfredFailure } from "../../../src/cli/bars/alfred";
import { propertyRuns } from "../../property-runs";
import { hostileSnapshot, isCalm, PROBLEM, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

const WORKFLOW = join(__dirname, "../../../assets/alfred");

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTextOrTexts: Check = (value) => isText(value) || (Array.isArray(value) && value.every(isText));
const isBoolean: Check = (value) => typeof value === "boolean";

function shape(keys: Record<string, Check>, required: readonly string[] = []): Check {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    required.every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, each]) => Object.hasOwn(keys, key) && keys[key]?.(each) === true);
}

/** The keys of Alfred's help, "Script Filter JSON Format". */
const icon = shape({ path: isText, type: (value) => value === "fileicon" || value === "filetype" }, ["path"]);
const variables: Check = (value) => typeof value === "object" && value !== null && Object.values(value).every(isText);
const mod = shape({ valid: isBoolean, arg: isTextOrTexts, subtitle: isText, icon, variables });
const MOD_KEYS = ["cmd", "alt", "ctrl", "shift", "fn"];
const mods: Check = (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).every(([key, each]) => key.split("+").every((part) => MOD_KEYS.includes(part)) && mod(each));
const item = shape(
  {
    uid: isText,
    title: (value) => isText(value) && value !== "",
    subtitle: isText,
    arg: isTextOrTexts,
    icon,
    valid: isBoolean,
    match: isText,
    autocomplete: isText,
    type: (value) => ["default", "file", "file:skipcheck"].includes(String(value)),
    mods,
    action: (value) =>
      isTextOrTexts(value) || shape({ text: isTextOrTexts, url: isText, file: isText, auto: isText })(value),
    text: shape({ copy: isText, largetype: isText }),
    quicklookurl: isText,
    variables,
  },
  ["title"],
);
const document = shape(
  {
    items: (value) => Array.isArray(value) && value.every(item),
    rerun: (value) => typeof value === "number" && value >= 0.1 && value <= 5,
    skipknowledge: isBoolean,
    variables,
    cache: shape({ seconds: (value) => typeof value === "number", loosereload: isBoolean }),
  },
  ["items"],
);

test("the check itself refuses what is not documented", () => {
  expect(document({ items: [{ title: "a" }] })).toBe(true);
  for (const bad of [{}, { items: [{}] }, { items: [], rerun: 6 }, { items: [{ title: "a", color: "red" }] }])
    expect(document(bad)).toBe(false);
});

test.each(SIZES)("%i sessions hold to Alfred's format, one row each", (count) => {
  const answer = alfredAnswer(snapshotOf(sessionsOf(count)), { needsMe: false });
  expect(document(JSON.parse(JSON.stringify(answer)))).toBe(true);
  expect(answer.items.filter(({ arg }) => arg?.[1] === "--")).toHaveLength(count);
});

test("a row says what its session wants, and calls the command with argument lists", () => {
  const asks = session("waiting", "a1", {
    title: "Clean up",
    project: "shop",
    message: "Bash: rm -r x",
    cwd: "/w/shop",
  });
  expect(alfredAnswer(snapshotOf([asks]), { needsMe: false }).items[0]).toMatchObject({
    uid: "claude:a1",
    title: "Clean up",
    subtitle: "Waiting · shop · claude · Bash: rm -r x · 5m",
    arg: ["focus", "--", "claude:a1"],
    icon: { path: "icons/state-waiting.png" },
    mods: {
      cmd: { valid: false, subtitle: "No unread answer" },
      alt: { valid: true, arg: ["pause", "--", "claude:a1"] },
    },
    text: { copy: "claude:a1" },
    action: { text: "Clean up", file: "/w/shop" },
  });
});

test("an unread answer can be marked as read, also of an ended session, which cannot be paused", () => {
  const ended = session("dormant", "a1", { unread: true });
  const { items } = alfredAnswer(snapshotOf([ended]), { needsMe: false });
  expect(items[0]).toMatchObject({
    subtitle: "Ended, unread · claude · 5m",
    arg: ["resume", "--", "claude:a1"],
    icon: { path: "icons/state-done.png" },
    mods: { cmd: { valid: true, arg: ["read", "--", "claude:a1"] }, alt: { valid: false } },
  });
  expect(items.map(({ title }) => title)).toContain("Mark All as Read");
});

test("only those that need the user, when asked for", () => {
  const snapshot = snapshotOf([
    session("working", "a"),
    session("failed", "b"),
    session("done", "c", { unread: true }),
  ]);
  const { items } = alfredAnswer(snapshot, { needsMe: true });
  expect(items.map(({ uid }) => uid)).toEqual(["claude:b"]);
  expect(alfredAnswer(snapshotOf([session("idle", "a")]), { needsMe: true }).items).toMatchObject([
    { title: "No Session Needs You", valid: false },
  ]);
});

test("without sessions there is a row that says so, and what to do when nothing reports", () => {
  const none = snapshotOf([]);
  expect(alfredAnswer(none, { needsMe: false }).items[0]).toMatchObject({ title: "No Sessions", valid: false });
  const found = { ...none.found, events: false, statusDirectory: false };
  expect(alfredAnswer({ ...none, found }, { needsMe: false }).items[0]?.subtitle).toContain("agent-sessions setup");
});

test("problems and the pause have rows", () => {
  const titles = (paused: boolean) =>
    alfredAnswer(snapshotOf([], { paused, problems: [PROBLEM, PROBLEM] }), { needsMe: false }).items.map(
      ({ title, arg }) => [title, arg?.join(" ")],
    );
  expect(titles(false)).toContainEqual(["1 Problem", undefined]);
  expect(titles(false)).toContainEqual(["Pause Monitoring", "monitoring pause"]);
  expect(titles(true)).toContainEqual(["Resume Monitoring", "monitoring resume"]);
});

test("a failure is a row, with its reason", () => {
  const answer = alfredFailure("Another user owns\n/tmp/x.");
  expect(document(answer)).toBe(true);
  expect(answer.items).toMatchObject([{ title: "Sessions Cannot Be Read", subtitle: "Another user owns /tmp/x." }]);
});

test("no text of a session breaks the format or steers the launcher", () => {
  fc.assert(
    fc.property(hostileSnapshot, (snapshot) => {
      const answer = alfredAnswer(snapshot, { needsMe: false });
      expect(document(JSON.parse(JSON.stringify(answer)))).toBe(true);
      snapshot.sessions.forEach(({ id, state }, index) => {
        const row = answer.items[index];
        expect(row?.arg).toEqual([state === "dormant" ? "resume" : "focus", "--", id]);
        for (const text of [row?.title, row?.subtitle, row?.match, row?.text?.copy, row?.action?.file ?? ""]) {
          expect(text).not.toContain("\n");
          expect(isCalm(text ?? "\0")).toBe(true);
        }
      });
    }),
    propertyRuns(300),
  );
});

test("every icon is in the workflow's folder", () => {
  const paths = new Set(
    [...sessionsOf(99), session("done", "x", { unread: true })].flatMap((each) =>
      [false, true].flatMap((paused) =>
        alfredAnswer(snapshotOf([each], { paused, problems: [PROBLEM] }), { needsMe: false }).items.map(
          ({ icon: { path } }) => path,
        ),
      ),
    ),
  );
  expect(paths.size).toBe(12);
  for (const path of paths) {
    expect([path, existsSync(join(WORKFLOW, path))]).toEqual([path, true]);
    expect(readFileSync(join(WORKFLOW, path)).subarray(1, 4).toString("latin1")).toBe("PNG");
  }
});
