import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { action, actions, all, cleanup, eventually, host, LaunchType, one, render, run, titleOf } from "../host";
import { launch, launchNoView } from "../host/launch";
import { callTool } from "../host/tools";
import { AgentFiles, now } from "./agent-files";
import { FakeCommand } from "./fake-command";
import { row, rows, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

// A command's code is compiled when it is launched first.
jest.setTimeout(30_000);

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
  files.status("s1", "waiting", { title: "Asking" });
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

const IN = "in the extension's preferences";

/** Each preference with which nothing can be shown as it is meant: a value, its title and what is said of it. */
const STOPPING: [Record<string, string>, string, string][] = [
  [
    { statusDirectory: "status" },
    "Status Directories",
    `"status" is a relative path: write it in full, or from ~ on. Correct Status Directories ${IN}, or leave it empty.`,
  ],
  [
    { statusDirectory: "Work=" },
    "Status Directories",
    `"Work=" names no folder. Correct Status Directories ${IN}, or leave it empty.`,
  ],
  [
    { signalStateFile: "/" },
    "Agent Signal State File",
    `/ is a folder, not a file: name the file in it. Correct Agent Signal State File ${IN}, or leave it empty.`,
  ],
  [
    { homeDirectory: __filename },
    "Agent Sessions Folder",
    `${__filename} is a file, not a folder. Correct Agent Sessions Folder ${IN}, or leave it empty.`,
  ],
  [
    { claudeDirectories: `Work=${__filename}` },
    "Claude Config Folders",
    `${__filename} is a file, not a folder. Correct Claude Config Folders ${IN}, or leave it empty.`,
  ],
];

/** Each preference with which sessions show, but nothing is done. */
const HINDERING: [Record<string, string>, string, string][] = [
  [
    { commandPath: "/nowhere/agent-sessions" },
    "Command Path",
    `/nowhere/agent-sessions does not exist. Correct Command Path ${IN}, or leave it empty.`,
  ],
  [
    { commandPath: __filename },
    "Command Path",
    `${__filename} cannot be run. Correct Command Path ${IN}, or leave it empty.`,
  ],
  [
    { cacheTtl: "a while" },
    "Prompt Cache",
    `Prompt Cache is set to "a while", which is none of its choices. Choose one ${IN}.`,
  ],
  [{ terminal: "emacs" }, "Terminal", `Terminal is set to "emacs", which is none of its choices. Choose one ${IN}.`],
];

const VIEWS = ["search-sessions", "session-events", "pause-sessions", "set-up-agents"];

const NO_VIEWS: [string, string][] = [
  ["mark-all-as-read", "Could Not Mark All as Read"],
  ["next-session", "Could Not Go to Session"],
  ["restart-this-session", "Could Not Restart This Session"],
];

describe.each(STOPPING)("%j", (wrong, preference, reason) => {
  beforeEach(() => files.prefer(wrong));

  test.each(VIEWS)("%s says so in place of everything, and opens the preferences", async (name) => {
    const { root } = await launch(name);
    expect(rows(root)).toEqual([]);
    const view = one(root, "List.EmptyView");
    expect(one(root, "List").props.isLoading).not.toBe(true);
    expect([titleOf(view), view.props.description]).toEqual([`${preference} Cannot Be Used`, reason]);
    expect(actions(view).map(titleOf)).toEqual(["Open Extension Preferences", "Refresh"]);
    await run(action(view, "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
    expect(host.toasts).toEqual([]);
  });

  test("the menu bar says so in an item that opens the preferences, and counts nothing", async () => {
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    const bar = one(root, "MenuBarExtra");
    expect(bar.props).toMatchObject({ isLoading: false, title: undefined, icon: { source: "state-unknown.png" } });
    const item = one(root, "MenuBarExtra.Item", `${preference} Cannot Be Used`);
    expect(item.props.tooltip).toBe(reason);
    expect(reason.startsWith(String(item.props.subtitle).replace(/…$/, ""))).toBe(true);
    expect(all(root, "MenuBarExtra.Item").map(titleOf)).not.toContain("Asking");
    await run(item);
    expect(host.opened).toEqual(["extension preferences"]);
    expect([host.toasts, host.huds]).toEqual([[], []]);
  });

  test.each(NO_VIEWS)("%s says so in a toast that opens the preferences", async (name, title) => {
    await saysSo(name, title, reason);
  });

  test.each([
    ["list-sessions", {}],
    ["show-session", { session: "Asking" }],
    ["mark-as-read", { all: true }],
    ["pause-sessions", { all: true }],
  ])("the tool %s answers with the reason", async (tool, input) => {
    await expect(callTool(tool, input)).rejects.toThrow(reason);
  });
});

describe.each(HINDERING)("%j", (wrong, preference, reason) => {
  beforeEach(() => files.prefer(wrong));

  test("the list shows the sessions, and the preference as a problem that opens the preferences", async () => {
    const { root } = await launch("search-sessions");
    expect(sections(root)).toEqual({ "Needs You": ["Asking"], Problems: [preference] });
    expect(String(row(root, preference).props.subtitle).slice(0, 100)).toBe(reason.slice(0, 100));
    await run(action(row(root, preference), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
  });

  test("without a session it is a problem all the same", async () => {
    files.remove("s1");
    const { root } = await launch("search-sessions");
    expect(sections(root)).toEqual({ Problems: [preference] });
  });

  test("with the detail pane it says the whole reason", async () => {
    const { root } = await launch("search-sessions");
    await run(action(row(root, "Asking"), "Show Details"));
    expect(one(row(root, preference), "List.Item.Detail").props.markdown).toContain(reason);
  });

  test("an action says so in a toast that opens the preferences, and nothing is marked", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
    const before = files.marks();
    const { root } = await launch("search-sessions");
    for (const title of ["Mark as Read", "Mark All as Read", "Go to Session", "Pause"]) {
      host.toasts = [];
      await run(action(row(root, "Answered"), title));
      expect(host.toasts).toMatchObject([
        { style: "FAILURE", message: reason, primaryAction: { title: "Open Extension Preferences" } },
      ]);
      await pressed();
    }
    expect(files.marks()).toEqual(before);
  });

  test("the menu bar counts, and has an item that opens the preferences", async () => {
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    await eventually(() => expect(one(root, "MenuBarExtra").props).toMatchObject({ title: "1", isLoading: false }));
    const titles = all(root, "MenuBarExtra.Item").map(titleOf);
    expect(titles).toEqual(expect.arrayContaining([`${preference} Cannot Be Used`, "Asking"]));
    await run(one(root, "MenuBarExtra.Item", `${preference} Cannot Be Used`));
    expect(host.opened).toEqual(["extension preferences"]);
  });

  test.each(NO_VIEWS)("%s says so in a toast that opens the preferences", async (name, title) => {
    await saysSo(name, title, reason);
  });

  test("the tools that only tell go on, and name it; those that act answer with the reason", async () => {
    const { answer } = await callTool("list-sessions", {});
    expect(answer).toMatchObject({ known: 1, problems: [`«${reason}»`] });
    await expect(callTool("show-session", { session: "Asking" })).resolves.toMatchObject({ answer: { session: {} } });
    await expect(callTool("mark-as-read", { all: true })).rejects.toThrow(reason);
    await expect(callTool("pause-sessions", { all: true })).rejects.toThrow(reason);
  });
});

describe("what is corrected", () => {
  test("shows on a refresh", async () => {
    const wrong = join(files.places.home, "wrong");
    writeFileSync(wrong, "");
    files.prefer({ statusDirectory: wrong });
    const { root } = await launch("search-sessions");
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    expect(titleOf(one(root, "List.EmptyView"))).toBe("Status Directories Cannot Be Used");
    rmSync(wrong);
    mkdirSync(wrong);
    writeFileSync(join(wrong, "s2.json"), JSON.stringify({ session_id: "s2", state: "idle", ts: 1, title: "There" }));
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["There"]));
  });

  test.each(VIEWS)("%s comes back on a refresh", async (name) => {
    files.prefer({ statusDirectory: "x" });
    const { root } = await launch(name);
    files.prefer();
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    expect(all(root, "List.EmptyView").map(titleOf)).not.toContain("Status Directories Cannot Be Used");
  });

  test("is no problem of the list any more", async () => {
    files.prefer({ commandPath: "/nowhere/agent-sessions" });
    const { root } = await launch("search-sessions");
    files.prefer();
    await run(action(row(root, "Asking"), "Refresh"));
    expect(sections(root)).toEqual({ "Needs You": ["Asking"] });
  });

  test("has the menu bar count again on a refresh", async () => {
    files.prefer({ statusDirectory: "x" });
    const { root } = await launch("sessions-in-menu-bar");
    files.prefer();
    await run(one(root, "MenuBarExtra.Item", "Refresh"));
    await eventually(() => expect(one(root, "MenuBarExtra").props).toMatchObject({ title: "1", isLoading: false }));
  });
});

test("a preference that went wrong while the list is open takes its place on a refresh", async () => {
  const { root } = await launch("search-sessions");
  files.prefer({ statusDirectory: "x" });
  await run(action(row(root, "Asking"), "Refresh"));
  expect(rows(root)).toEqual([]);
  expect(titleOf(one(root, "List.EmptyView"))).toBe("Status Directories Cannot Be Used");
});

test("a folder that became a file: the menu bar shows nothing of what was read before", async () => {
  const menu = async () => {
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    await eventually(() => expect(one(root, "MenuBarExtra").props.isLoading).toBe(false));
    return all(root, "MenuBarExtra.Item").map(titleOf);
  };
  expect(await menu()).toContain("Asking");
  rmSync(files.places.statusDirectory, { recursive: true });
  writeFileSync(files.places.statusDirectory, "");
  const titles = await menu();
  expect(titles).toContain("Status Directories Cannot Be Used");
  expect(titles).not.toContain("Asking");
});

test("the view of a change that can no longer be told says why, and opens the preferences", async () => {
  const { ChangeView } = await import("../../src/views/agents/change-view");
  files.prefer({ homeDirectory: "x" });
  const change = { agent: "claude", part: "set-up", removes: false } as const;
  const { root } = await render(() => (
    <ChangeView change={change} title="Claude Code" onDone={async () => undefined} />
  ));
  await eventually(() => expect(one(root, "Detail").props.isLoading).toBe(false));
  expect(one(root, "Detail").props.markdown).toContain('"x" is a relative path');
  await run(action(one(root, "Detail"), "Open Extension Preferences"));
  expect(host.opened).toEqual(["extension preferences"]);
});

test("several wrong preferences: the first gives the title, and each is told", async () => {
  files.prefer({ statusDirectory: "x", homeDirectory: "y" });
  const { root } = await launch("search-sessions");
  const { title, description } = one(root, "List.EmptyView").props;
  expect(title).toBe("Status Directories Cannot Be Used");
  expect(description).toMatch(/"x" is a relative path.*"y" is a relative path/);
  const menu = (await launch("sessions-in-menu-bar", { type: LaunchType.Background })).root;
  expect(all(menu, "MenuBarExtra.Item").map(titleOf)).toEqual(
    expect.arrayContaining(["Status Directories Cannot Be Used", "Agent Sessions Folder Cannot Be Used"]),
  );
});

test.each([
  [{ claudeDirectories: "Work=/nowhere/claude" }, "Claude Config Folders"],
  [{ countUnread: "42" }, "Menu Bar Count"],
])("%j is told, and hinders nothing", async (wrong, preference) => {
  files.status("s2", "done", { title: "Answered", done_at: now() - 50 });
  files.prefer(wrong);
  const { root } = await launch("search-sessions");
  expect(sections(root)).toMatchObject({ "Needs You": ["Asking"], Problems: [preference] });
  await run(action(row(root, "Answered"), "Mark as Read"));
  expect(host.toasts).toMatchObject([{ style: "SUCCESS", title: "Marked as Read" }]);
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["No Unread Answers"]);
  const menu = (await launch("sessions-in-menu-bar", { type: LaunchType.Background })).root;
  await eventually(() => expect(one(menu, "MenuBarExtra").props).toMatchObject({ title: "1", isLoading: false }));
  expect(all(menu, "MenuBarExtra.Item").map(titleOf)).toContain(`${preference} Cannot Be Used`);
});

test("a command that lost its interpreter opens the preferences as well", async () => {
  files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
  const { path } = new FakeCommand();
  writeFileSync(path, "#!/nowhere/node\n", { mode: 0o755 });
  files.prefer({ commandPath: path });
  const { root } = await launch("search-sessions");
  await run(action(row(root, "Answered"), "Mark as Read"));
  expect(host.toasts).toMatchObject([
    { message: expect.stringContaining("Correct Command Path") as string, primaryAction: expect.anything() as object },
  ]);
  await pressed();
});

test("what fails for another reason offers no preferences", async () => {
  files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
  files.prefer({ commandPath: new FakeCommand({ read: { err: "agent-sessions: the disk is full\n", code: 1 } }).path });
  const { root } = await launch("search-sessions");
  await run(action(row(root, "Answered"), "Mark as Read"));
  expect(host.toasts).toMatchObject([{ style: "FAILURE", message: "the disk is full" }]);
  expect(host.toasts[0]?.primaryAction?.title).not.toBe("Open Extension Preferences");
});

/** Presses the action of the toast that shows. */
async function pressed(): Promise<void> {
  const [toast] = host.toasts;
  host.opened = [];
  if (toast !== undefined) toast.primaryAction?.onAction(toast);
  await eventually(() => expect(host.opened).toEqual(["extension preferences"]));
}

async function saysSo(name: string, title: string, reason: string): Promise<void> {
  await launchNoView(name);
  expect(host.toasts).toMatchObject([
    { style: "FAILURE", title, message: reason, primaryAction: { title: "Open Extension Preferences" } },
  ]);
  expect([host.huds, host.alerts]).toEqual([[], []]);
  await pressed();

  // In the background there are no toasts.
  const { preferences } = host;
  host.reset();
  host.preferences = preferences;
  await launchNoView(name, { type: LaunchType.Background });
  expect([host.huds, host.toasts]).toEqual([[`${title}: ${reason}`], []]);
}
