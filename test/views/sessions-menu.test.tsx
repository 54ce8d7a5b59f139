import { chownSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { readPaused, setPaused } from "../../src/store/paused-flag";
import { Color, Icon } from "../host/names";
import { all, eventually, host, LaunchType, one, render, run, titleOf, type Node, type View } from "../host";
import { launch } from "../host/launch";
import { isTitleCase } from "../host/title-case";
import { AgentFiles, now } from "./agent-files";

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

/** Runs the command as the launcher does at its interval, until it is done. */
async function start(type = LaunchType.Background): Promise<View> {
  const view = await launch("sessions-in-menu-bar", { type });
  await done(view);
  return view;
}

async function done({ root }: View): Promise<void> {
  await eventually(() => expect(bar(root).isLoading).toBe(false));
}

/** Has the next look take a moment: it looks again at a file that is half written. */
function slow(): void {
  files.raw("half.json", '{"session_id":"half"');
}

function bar(root: Node): Record<string, unknown> {
  return one(root, "MenuBarExtra").props;
}

function item(root: Node, title: string): Node {
  return one(root, "MenuBarExtra.Item", title);
}

/** The items of a section or submenu, without the alternates. */
function itemsOf(node: Node): Node[] {
  return node.children.filter(({ type }) => type === "MenuBarExtra.Item");
}

/** What the menu has from top to bottom: sections, submenus marked by >, and their items. */
function menu(root: Node): [string, string[]][] {
  return one(root, "MenuBarExtra").children.map((child) => {
    const name = child.props.title === undefined ? "" : titleOf(child);
    return [child.type === "MenuBarExtra.Submenu" ? `> ${name}` : name, itemsOf(child).map(titleOf)];
  });
}

const always = ["Pause Monitoring", "Search Sessions", "Refresh", "Configure Command"];

describe("the bar", () => {
  test.each<[string, string, string, () => void]>([
    ["nothing", "state-idle.png", Color.PrimaryText ?? "", () => undefined],
    ["ready", "state-idle.png", Color.PrimaryText ?? "", () => files.status("s1", "idle")],
    ["completed", "state-done.png", Color.Green ?? "", () => files.status("s1", "done", { done_at: now() })],
    ["active", "state-working.png", Color.Blue ?? "", () => files.status("s1", "working")],
    ["stale", "state-unknown.png", Color.Yellow ?? "", () => files.status("s1", "unknown")],
    [
      "needs_review",
      "state-waiting.png",
      Color.Orange ?? "",
      () => files.status("s1", "waiting", { waiting_for: "input" }),
    ],
    [
      "permission",
      "state-waiting.png",
      Color.Red ?? "",
      () => files.status("s1", "waiting", { waiting_for: "permission" }),
    ],
    ["blocked", "state-failed.png", Color.Red ?? "", () => files.status("s1", "failed")],
    ["paused", "state-paused.png", Color.PrimaryText ?? "", () => files.signal({ s1: { signal: "paused" } })],
  ])("%s: its icon in its color", async (_state, source, tintColor, report) => {
    report();
    const { root } = await start();
    expect(bar(root).icon).toEqual({ source, tintColor });
  });

  test("the most urgent session gives the icon", async () => {
    files.status("s1", "working");
    files.status("s2", "done", { done_at: now() });
    files.status("s3", "idle");
    expect(bar((await start()).root).icon).toEqual({ source: "state-working.png", tintColor: Color.Blue });
    files.status("s4", "failed");
    expect(bar((await start()).root).icon).toEqual({ source: "state-failed.png", tintColor: Color.Red });
  });

  test("the title counts those that need the user, and is none when none does", async () => {
    files.status("s1", "working");
    files.status("s2", "done", { done_at: now() });
    expect(bar((await start()).root).title).toBeUndefined();
    files.status("s3", "waiting");
    files.status("s4", "decision");
    const { title, tooltip } = bar((await start()).root);
    expect([title, tooltip]).toEqual(["2", "2 need you, 1 unread, 1 working, 4 in all"]);
  });

  test("counts unread answers too when the user wants it, and each session once", async () => {
    files.status("s1", "waiting", { done_at: now() - 9 });
    files.status("s2", "done", { done_at: now() - 9 });
    files.status("s3", "dormant", { done_at: now() - 9 });
    files.status("s4", "working");
    const { title, tooltip } = bar((await start()).root);
    expect([title, tooltip]).toEqual(["1", "1 needs you, 3 unread, 1 working, 4 in all"]);
    files.status("s5", "waiting");
    files.prefer({ countUnread: "needs-you-and-unread" });
    expect(bar((await start()).root).title).toBe("4");
  });

  test("the run ends: loading goes from true to false", async () => {
    files.status("s1", "working");
    slow();
    const view = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    expect(bar(view.root).isLoading).toBe(true);
    await done(view);
    expect(titleOf(item(view.root, "s1"))).toBe("s1");
    expect(host.toasts).toEqual([]);
  });

  test("a file that is half written does not keep the run from its end", async () => {
    files.raw("s1.json", '{"session_id":"s1","st');
    const { root } = await start();
    expect(menu(root)).toEqual([["", ["No Sessions", "1 Problem", ...always]]]);
  });

  test("what was seen last shows while a run begins, and not that of another folder", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    await (await start()).unmount();
    files.status("s2", "waiting", { title: "Asking too" });
    slow();
    const again = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    expect(bar(again.root)).toMatchObject({ title: "1", isLoading: true });
    expect(menu(again.root)[0]).toEqual(["Needs You (1)", ["Asking"]]);
    await done(again);
    expect(bar(again.root).title).toBe("2");
    await again.unmount();

    files = new AgentFiles();
    slow();
    const elsewhere = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    expect(bar(elsewhere.root)).toMatchObject({ title: undefined, tooltip: "Agent Sessions", isLoading: true });
    await done(elsewhere);
  });
});

describe("the menu", () => {
  test("has sections by urgency, and a submenu for each calm one", async () => {
    const at = now();
    files.status("q1", "decision", { title: "Which way" });
    files.status("w1", "waiting", { title: "Deploy" });
    files.status("d1", "done", { title: "Answered", done_at: at - 9 });
    files.status("r1", "working", { title: "Refactoring" });
    files.status("p1", "scheduled", { title: "Tomorrow", wakeup_at: at + 900 });
    files.status("i1", "idle", { title: "Resting" });
    files.status("i2", "idle", { title: "Resting too", ts: at - 900 });
    files.status("o1", "dormant", { title: "Over" });
    files.status("u1", "unknown", { title: "Who knows" });
    const { root } = await start();
    expect(menu(root)).toEqual([
      ["Needs You (2)", ["Which way", "Deploy"]],
      ["Unread Answers (1)", ["Answered"]],
      ["Working (1)", ["Refactoring"]],
      ["> Scheduled (1)", ["Tomorrow"]],
      ["> Idle (2)", ["Resting", "Resting too"]],
      ["> Ended (1)", ["Over"]],
      ["> Unknown (1)", ["Who knows"]],
      ["", ["Mark All as Read", ...always]],
    ]);
    expect(all(root, "MenuBarExtra.Submenu").map(({ props }) => props.icon)).toEqual(
      ["scheduled", "idle", "dormant", "unknown"].map((state) => ({
        source: `state-${state}.png`,
        tintColor: Color.SecondaryText,
      })),
    );
    expect([...always, "Mark All as Read", "No Sessions", "Monitoring Is Paused"].every(isTitleCase)).toBe(true);
  });

  test("an item has its state's icon, where it works and what it wants, and the whole as a tooltip", async () => {
    files.status("w1", "waiting", { title: "Deploy", cwd: "/w/api", message: `May I? ${"x".repeat(200)}` });
    files.status("r1", "working", { title: "Refactoring", cwd: "/w/web", done_at: now() - 9 });
    files.status("i1", "idle", { cwd: "/w/blog" });
    const { root } = await start();
    expect(item(root, "Deploy").props).toMatchObject({
      subtitle: expect.stringMatching(/^api – May I\? x+…$/),
      icon: { source: "state-waiting.png", tintColor: Color.Red },
      tooltip: expect.stringMatching(/^Waiting since .* · May I\? x+.* · \/w\/api$/),
    });
    expect(String(item(root, "Deploy").props.subtitle).length).toBeLessThanOrEqual(60);
    expect(item(root, "Refactoring").props).toMatchObject({
      subtitle: "web",
      icon: { source: "state-working.png", tintColor: Color.Green },
      tooltip: expect.stringMatching(/^Working since .* · Unread answer · \/w\/web$/),
    });
    expect(item(root, "blog").props.subtitle).toBeUndefined();
  });

  test("a section shows ten, and how many more there are", async () => {
    for (let index = 0; index < 13; index += 1) {
      files.status(`w${index}`, "waiting", { title: `Asking ${index}`, ts: now() - 1000 + index });
    }
    for (let index = 0; index < 10; index += 1) files.status(`i${index}`, "idle", { title: `Resting ${index}` });
    const { root } = await start();
    const [needsYou, idle] = menu(root);
    expect(needsYou?.[0]).toBe("Needs You (13)");
    expect(needsYou?.[1]).toEqual([...Array.from({ length: 10 }, (_, index) => `Asking ${index}`), "3 More…"]);
    expect(idle?.[1]).toHaveLength(10);
    await run(item(root, "3 More…"));
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
  });

  test("sessions that look the same are told apart, and each opens its own", async () => {
    const id = "x".repeat(100);
    for (const each of [`${id}1`, `${id}2`, "other"]) {
      files.status(each, "working", { title: "Refactoring", cwd: "/w/api" });
    }
    files.status("idle", "idle", { title: "Refactoring", cwd: "/w/api" });
    const { root } = await start();
    const [working] = all(root, "MenuBarExtra.Section");
    const subtitles = itemsOf(working as Node).map(({ props }) => props.subtitle);
    expect(new Set(subtitles).size).toBe(3);
    expect(subtitles).toContain(`api [claude:${id}1]`);
    expect(itemsOf(one(root, "MenuBarExtra.Submenu"))[0]?.props.subtitle).toBe("api");
    for (const each of itemsOf(working as Node)) await run(each);
    expect(new Set(host.launched.map(({ context }) => JSON.stringify(context)))).toEqual(
      new Set([`${id}1`, `${id}2`, "other"].map((each) => JSON.stringify({ id: `claude:${each}` }))),
    );
  });

  test("without sessions it says so, and still leads to the list, a refresh and the settings", async () => {
    const { root } = await start(LaunchType.UserInitiated);
    expect(menu(root)).toEqual([["", ["No Sessions", ...always]]]);
    await run(item(root, "Search Sessions"));
    await run(item(root, "Configure Command"));
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
    expect(host.opened).toEqual(["command preferences"]);

    files.status("s1", "working", { title: "Refactoring" });
    await run(item(root, "Refresh"));
    await eventually(() => expect(menu(root)[0]).toEqual(["Working (1)", ["Refactoring"]]));
    expect(bar(root).isLoading).toBe(false);
  });

  test.each<[string, () => void]>([
    ["Agent Signal", () => files.signal({ s1: { signal: "paused" } })],
    ["the user", () => setPaused(files.places, now())],
  ])("says that monitoring is paused, by %s", async (_who, pause) => {
    pause();
    files.status("s2", "working", { title: "Refactoring" });
    const { root } = await start();
    expect(titleOf(one(root, "MenuBarExtra").children[0] as Node)).toBe("Monitoring Is Paused");
    expect(bar(root).tooltip).toMatch(/^Monitoring is paused\. /);
    expect(item(root, "Refactoring")).toBeDefined();
  });
});

describe("monitoring", () => {
  test("is paused and resumed: the flag, Agent Signal's document, the icon and the HUD follow", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    files.signal({});
    const { root } = await start(LaunchType.UserInitiated);
    await run(item(root, "Pause Monitoring"));
    expect(readPaused(files.places)).toMatchObject({ paused: true });
    expect(JSON.parse(readFileSync(files.places.signalStateFile, "utf8"))).toMatchObject({ aggregate: "off" });
    await eventually(() => expect(bar(root).icon).toMatchObject({ source: "state-paused.png" }));
    await run(item(root, "Resume Monitoring"));
    expect(readPaused(files.places)).toEqual({ paused: false });
    expect(JSON.parse(readFileSync(files.places.signalStateFile, "utf8"))).toMatchObject({ aggregate: "idle" });
    await eventually(() => expect(bar(root).icon).toMatchObject({ source: "state-working.png" }));
    expect(host.huds).toEqual(["Monitoring Is Paused", "Monitoring Goes On"]);
  });

  test("a pause outlives the next signal of a session", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    const { root } = await start(LaunchType.UserInitiated);
    await run(item(root, "Pause Monitoring"));
    files.signal({ s2: { signal: "working" } });
    await run(item(root, "Refresh"));
    await eventually(() => expect(titleOf(item(root, "Resume Monitoring"))).toBe("Resume Monitoring"));
    expect(bar(root).icon).toMatchObject({ source: "state-paused.png" });
  });
});

describe("marking", () => {
  beforeEach(() => {
    files.status("s1", "done", { title: "One", done_at: now() - 50 });
    files.status("s2", "dormant", { title: "Two", done_at: now() - 60 });
  });

  test("Mark All as Read marks all on disk, says so, and the menu shows it before the run ends", async () => {
    const { root } = await start(LaunchType.UserInitiated);
    await run(item(root, "Mark All as Read"));
    expect(Object.keys(files.marks().sessions).sort()).toEqual(["claude:s1", "claude:s2"]);
    expect(host.huds).toEqual(["Marked 2 Answers as Read"]);
    expect(menu(root)).toEqual([
      ["> Idle (1)", ["One"]],
      ["> Ended (1)", ["Two"]],
      ["", always],
    ]);
    expect(bar(root).isLoading).toBe(false);
  });

  test("with the option key an item marks its own answer", async () => {
    const { root } = await start(LaunchType.UserInitiated);
    const alternate = item(root, "Mark as Read: One");
    expect(alternate.props.icon).toBe(Icon.CheckCircle);
    await run(alternate);
    expect(Object.keys(files.marks().sessions)).toEqual(["claude:s1"]);
    expect(host.huds).toEqual(["Marked as Read"]);
    expect(menu(root)[0]).toEqual(["Unread Answers (1)", ["Two"]]);
    expect(all(root, "MenuBarExtra.Item").map(titleOf)).not.toContain("Mark as Read: One");
  });

  test("what fails is said with its reason", async () => {
    const { root } = await start(LaunchType.UserInitiated);
    files.closeHome();
    await run(item(root, "Mark All as Read"));
    await run(item(root, "Mark as Read: One"));
    expect(host.huds).toEqual([
      expect.stringMatching(/^Could Not Mark All as Read: .*(belongs to another user|Cannot create the lock)/),
      expect.stringMatching(/^Could Not Mark as Read: .*(belongs to another user|Cannot create the lock)/),
    ]);
    expect(menu(root)[0]).toEqual(["Unread Answers (2)", ["One", "Two"]]);
  });
});

describe("what is wrong", () => {
  test("the list that is not enabled is said", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    host.launchFailures.set("search-sessions", "Command is not enabled");
    const { root } = await start(LaunchType.UserInitiated);
    await run(item(root, "Asking"));
    expect(host.huds).toEqual(["Enable Search Sessions in the Extension's Settings"]);
  });

  test("broken files are counted, named in the tooltip, and lead to the list", async () => {
    files.raw("a.json", '{"state":"idle"}');
    files.raw("b.json", "[]");
    const { root } = await start();
    const problems = item(root, "2 Problems");
    expect(problems.props.tooltip).toMatch(/a\.json: session_id: is missing; .*b\.json: is not a JSON object/);
    await run(problems);
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
  });

  test("a directory that is refused is a problem as well", async () => {
    rmSync(files.places.statusDirectory, { recursive: true });
    writeFileSync(files.places.statusDirectory, "");
    files.nameByEnvironment();
    const { root } = await start();
    expect(item(root, "1 Problem").props.tooltip).toContain("is not a folder");
  });

  test("an error stands as an item that tries again, beside what was seen last", async () => {
    const { SessionsMenu } = await import("../../src/views/sessions-menu");
    files.status("s1", "working", { title: "Refactoring" });
    const view = await render(SessionsMenu);
    await done(view);
    // A clock that fails stands for whatever may fail in reading.
    const clock = jest.spyOn(Date, "now").mockImplementation(() => {
      throw new Error("The clock is broken\u001b[2J");
    });
    await run(item(view.root, "Refresh"));
    clock.mockRestore();
    await eventually(() =>
      expect(item(view.root, "Sessions Cannot Be Read").props).toMatchObject({
        subtitle: "The clock is broken�[2J",
        icon: Icon.ExclamationMark,
      }),
    );
    expect(bar(view.root)).toMatchObject({
      icon: { source: "state-unknown.png", tintColor: Color.Yellow },
      isLoading: false,
    });
    expect(item(view.root, "Refactoring")).toBeDefined();
    expect(host.toasts).toEqual([]);

    await run(item(view.root, "Sessions Cannot Be Read"));
    await eventually(() => expect(bar(view.root).icon).toEqual({ source: "state-working.png", tintColor: Color.Blue }));
    expect(all(view.root, "MenuBarExtra.Item").map(titleOf)).not.toContain("Sessions Cannot Be Read");
  });

  const asRoot = process.geteuid?.() === 0 ? test : test.skip;

  asRoot("another user's home: the sessions show, nothing is unread, and the problem is named", async () => {
    rmSync(files.marksFile);
    chownSync(files.places.home, 12_345, 12_345);
    files.status("s1", "done", { title: "Answered", done_at: now() - 9 });
    const { root } = await start();
    expect(menu(root)).toEqual([
      ["> Idle (1)", ["Answered"]],
      ["", ["1 Problem", ...always]],
    ]);
    expect(item(root, "1 Problem").props.tooltip).toMatch(/belongs to another user, so nothing is marked unread/);
  });
});
