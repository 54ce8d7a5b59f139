import type { Tool } from "@raycast/api";
import { existsSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import pauseSessions, { confirmation } from "../../src/tools/pause-sessions";
import { host } from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { callTool } from "../host/tools";
import { AgentFiles, now } from "../views/agent-files";
import { pause } from "./answers";
import { ClaudeHome } from "./claude-home";
import { HOSTILE, UNSEEN } from "./hostile";

/** The launcher's own type of a confirmation: what it takes is what the tool takes. */
const typed: Tool.Confirmation<Parameters<typeof pauseSessions>[0]> = confirmation;

let files: AgentFiles;
let at: number;
let home: ClaudeHome;

beforeEach(() => {
  files = new AgentFiles();
  at = now();
  home = new ClaudeHome();
});

afterEach(() => home.leave());

/** A session of Claude at its prompt that last answered a while ago. */
function answered(id: string, ago: number, { title = id, tokens = 84_000, state = "idle", ...more } = {}): void {
  files.status(id, state, { title, cwd: "/w/shop", done_at: at - ago, ts: at - ago, ...more });
  home.answered(id, at - ago, tokens);
}

/** Has our plugin run in a session, in this test's own process. */
function plugin(id: string): void {
  const folder = join(files.places.home, "plugin");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mark = { version: 1, at, pickup: "shop pickup", file: "/memory/shop.md", pid: process.pid };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(mark), { mode: 0o600 });
}

/** The kinds of the requests that lie in our home for a session. */
function requestsTo(id: string): string[] {
  const folder = join(files.places.home, "control", "claude", id);
  if (!existsSync(folder)) return [];
  const request = z.object({ kind: z.string() });
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => request.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))).kind);
}

/** A warm one and a cold one with the plugin, and a warm one that nothing leads to. */
function several(): void {
  answered("warm", 300, { title: "Release notes" });
  plugin("warm");
  answered("cold", 3 * 3600, { title: "Tidy the tests", tokens: 180_000 });
  plugin("cold");
  answered("far", 300, { title: "Far away" });
}

describe("the confirmation", () => {
  test("all warm ones: whom it reaches, whom it leaves asleep at which price, whom not and why", async () => {
    several();
    files.status("asks", "waiting", { title: "Fix the login" });
    files.status("over", "dormant", { title: "Old one" });
    const question = await typed({ all: true });
    expect(question?.message).toBe("Have 1 session save where it stands?");
    expect(question?.info).toEqual([
      { name: "Saves", value: expect.stringMatching(/^Release notes: claude, warm, 5[45]m left$/) },
      {
        name: "Left Asleep",
        value: expect.stringMatching(
          /^Fix the login: whether its context is still cached is not known; waking it reads its whole context again$/,
        ),
      },
      { name: "Left Asleep", value: "Tidy the tests: cold for 3h: waking it reads about 180k tokens again" },
      { name: "Not Reached", value: expect.stringMatching(/^Far away: it runs without the plugin; /) },
    ]);
  });

  test("cold ones that are named to be woken: what that costs, together and each", async () => {
    several();
    answered("cold2", 2 * 3600, { title: "Translate", tokens: 20_000 });
    plugin("cold2");
    const question = await typed({ ids: ["cold", "cold2", "warm"], includeCold: true });
    expect(question?.message).toBe(
      "Have 3 sessions save where they stand? Waking the 2 cold ones reads about 200k tokens again.",
    );
    expect(question?.info).toContainEqual({
      name: "Wakes",
      value: "Tidy the tests: claude, cold for 3h, reads about 180k tokens again",
    });
  });

  test("a restart says that a context is cleared", async () => {
    several();
    const question = await typed({ ids: ["warm"], restart: true });
    expect(question?.message).toBe(
      "Have 1 session save where it stands, then start fresh? A context is cleared once its save is proven.",
    );
    expect(question?.info).toEqual([{ name: "Saves, Starts Fresh", value: expect.stringContaining("Release notes") }]);
  });

  test("a dialog and an end are reasons", async () => {
    files.status("asks", "waiting", { title: "Fix the login" });
    files.status("over", "dormant", { title: "Old one" });
    const question = await typed({ ids: ["asks", "over"] });
    expect(question?.message).toBe("No session can be asked to save now. The reasons stand below. Try all the same?");
    expect(question?.info).toEqual([
      { name: "Not Reached", value: "Fix the login: it waits for you at a dialog: answer that first" },
      { name: "Not Reached", value: "Old one: it has ended" },
    ]);
  });

  test("is there with nobody to ask as well: it never goes without", async () => {
    expect(await typed({ all: true })).toEqual({
      message: "No session can be asked to save now. There is no open session. Try all the same?",
      info: [],
    });
  });

  test("30 sessions: not more than are read, and how many more", async () => {
    for (let index = 0; index < 30; index += 1) answered(`s${index}`, 3 * 3600);
    const { info = [] } = (await typed({ all: true })) ?? {};
    expect(info).toHaveLength(13);
    expect(info.at(-1)).toEqual({ name: "Left Asleep", value: "And 18 more" });
  });

  test("a hostile title is one line beside our words, and hides nothing", async () => {
    answered("evil", 300, { title: HOSTILE.toWellFormed() });
    const { info = [] } = (await typed({ ids: ["evil"] })) ?? {};
    expect(info[0]?.name).toBe("Not Reached");
    expect(info[0]?.value).not.toMatch(UNSEEN);
    expect(info[0]?.value).not.toContain("\n");
    expect(info[0]?.value?.indexOf(": it runs without the plugin")).toBeLessThanOrEqual(60);
  });
});

describe("pausing", () => {
  test("a no asks nobody", async () => {
    several();
    host.confirm = false;
    const { asked, answer } = await callTool("pause-sessions", { all: true });
    expect(asked?.message).toMatch(/^Have 1 session/);
    expect(answer).toBeUndefined();
    expect(existsSync(join(files.places.home, "control"))).toBe(false);
  });

  test("a yes asks the warm ones, and tells whom it reached, whom not and why", async () => {
    several();
    const { answer } = await pause({ all: true });
    expect(answer.reached).toEqual([
      { id: "claude:warm", title: "«Release notes»", outcome: "«queued»", by: "plugin" },
    ]);
    expect(answer.left_asleep).toEqual([
      {
        id: "claude:cold",
        title: "«Tidy the tests»",
        reason: "«cold for 3h: waking it reads about 180k tokens again»",
        context_tokens: 180_000,
      },
    ]);
    expect(answer.not_reached).toMatchObject([
      { id: "claude:far", reason: expect.stringMatching(/^«it runs without the plugin; .*»$/) },
    ]);
    expect(requestsTo("warm")).toEqual(["save"]);
    expect(requestsTo("cold")).toEqual([]);
    expect(host.launched).toEqual(MENU_BAR_REFRESH);
  });

  test("a restart asks for that, a cold one only when it is named and meant to be woken", async () => {
    several();
    const { answer } = await pause({ ids: ["tidy tests"], restart: true });
    expect(answer).toMatchObject({
      reached: [],
      left_asleep: [{ id: "claude:cold" }],
      hint: expect.stringMatching(/^Nobody/),
    });
    await pause({ ids: ["tidy tests"], restart: true, includeCold: true });
    expect(requestsTo("cold")).toEqual(["save-restart"]);
  });

  test("one that was asked just now is not asked again, and the confirmation says so", async () => {
    several();
    await pause({ ids: ["warm"] });
    const { asked, answer } = await pause({ ids: ["warm"] });
    expect(asked.info).toEqual([
      { name: "Not Reached", value: "Release notes: it was asked already, and that still runs (queued)" },
    ]);
    expect(answer.not_reached).toMatchObject([{ reason: "«it was asked already, and that still runs (queued)»" }]);
  });

  test("1,000 sessions: all are told of, 50 of a kind by name", async () => {
    for (let index = 0; index < 1000; index += 1) files.status(`s${index}`, "idle", { done_at: at - 7200 });
    const { answer } = await pause({ all: true });
    expect([answer.left_asleep.length, answer.left_out]).toEqual([50, 950]);
  });
});

test("what the confirmation foretells is what comes of it, of every kind of session", async () => {
  several();
  answered("busy", 300, { state: "working" });
  answered("asks", 300, { state: "waiting" });
  answered("chose", 300, { state: "decision" });
  files.status("fails", "failed");
  files.status("plan", "scheduled", { wakeup_at: at + 600, done_at: at - 60 });
  files.status("new", "idle");
  files.status("gone", "dormant");
  files.status("alone", "idle", { done_at: at - 60, headless: true });
  for (const agent of ["codex", "opencode", "gemini"]) {
    files.status(`${agent}-1`, "idle", { agent, done_at: at - 60 });
    files.status(`${agent}-2`, "working", { agent });
  }
  const names = ["busy", "asks", "chose", "fails", "plan", "new", "gone", "alone", "warm", "cold", "far"];
  const others = ["codex-1", "codex-2", "opencode-1", "opencode-2", "gemini-1", "gemini-2"];
  const { asked, answer } = await pause({ ids: [...names, ...others] });
  const foretold = (asked.info ?? []).map(({ name, value = "" }) => [name, value.replace(/^(.*?): /, "")]);
  const reasons = (each: readonly { reason: string }[]) => each.map(({ reason }) => reason.slice(1, -1));
  const told = (name: string) => foretold.filter(([kind]) => kind === name).map(([, text]) => text);
  expect(told("Left Asleep")).toEqual(reasons(answer.left_asleep));
  // What does not fit into the confirmation is counted there.
  expect(told("Not Reached").slice(0, 12)).toEqual(reasons(answer.not_reached).slice(0, 12));
  expect(told("Saves")).toHaveLength(answer.reached.length);
  expect(answer.reached.map(({ id }) => id)).toEqual(["claude:warm"]);
});

test.each<[what: string, input: unknown, code: string, message: string]>([
  ["nobody", {}, "usage", "Neither ids nor all is given."],
  ["both", { ids: ["warm"], all: true }, "usage", "Both ids and all are given."],
  ["all cold ones at once", { all: true, includeCold: true }, "usage", "All is for warm sessions only."],
  ["a text for a flag", { ids: ["warm"], restart: "no" }, "usage", "restart has to be true or false."],
  ["an unknown one", { ids: ["warm", "zzz"] }, "not-found", 'No session matches "zzz".'],
  ["an ambiguous one", { ids: ["a"] }, "ambiguous", "fits 3 sessions"],
])("refuses %s before the user is asked", async (_what, input, code, message) => {
  several();
  const failure = { name: "SessionsError", code, message: expect.stringContaining(message) };
  await expect(callTool("pause-sessions", input)).rejects.toMatchObject(failure);
  // The tool itself does not rely on having been asked about.
  await expect(Promise.resolve().then(() => Reflect.apply(pauseSessions, undefined, [input]))).rejects.toMatchObject(
    failure,
  );
  expect(existsSync(join(files.places.home, "control"))).toBe(false);
});
