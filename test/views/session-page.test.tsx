import type { ReactElement } from "react";
import * as live from "../../src/observe/live";
import {
  action,
  actions,
  all,
  cleanup,
  eventually,
  host,
  one,
  render,
  run,
  titleOf,
  type Node,
  type View,
} from "../host";
import { launch } from "../host/launch";
import { deliver } from "../inbox-file";
import { AgentFiles, now } from "./agent-files";
import { FirstLook } from "./first-look";
import { open, row, rows } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

noteTimers();

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
  jest.restoreAllMocks();
});

/** Opens the page of a row's session: over the list, which stays open beneath. */
async function openPage(root: Node, title: string): Promise<View> {
  await run(action(row(root, title), "Open Details"));
  const page = host.pushed.at(-1) as ReactElement;
  return render(() => page);
}

const markdown = (root: Node) => String(one(root, "Detail").props.markdown);

function facts(root: Node): Record<string, unknown> {
  return Object.fromEntries(all(root, "Metadata.Label").map((label) => [titleOf(label), label.props.text]));
}

function send(id: string, event: string, ago: number, more: Record<string, unknown> = {}): void {
  const payload = { session_id: id, hook_event_name: event, ...more };
  deliver(files.places.home, { agent: "claude", event, at: now() - ago, payload });
}

test("has what the pane has, on a page", async () => {
  const at = now();
  files.status("s1", "waiting", {
    title: "Asking",
    message: "May I?",
    tool: "Bash",
    activity: "npm test",
    cwd: "/w/api",
    ts: at - 400,
    background: { b1: { at: at - 130, command: "npm run dev" } },
  });
  const { root } = await openPage(await open(), "Asking");
  expect(one(root, "Detail").props.isLoading).toBe(false);
  expect(markdown(root)).toBe(
    "```\nAsking\n```\n\n**What It Wants**\n\n```\nMay I?\n```\n\n**What It Does**\n\n```\nBash: npm test\n```",
  );
  expect(facts(root)).toMatchObject({
    Since: expect.stringMatching(/^6m ago \(/) as string,
    Agent: "Claude Code",
    Folder: "/w/api",
    ID: "s1",
    "Background Command": "npm run dev, 2m ago",
    "Status File": "Waiting, 6m ago",
  });
  expect(facts(root)).not.toHaveProperty("Last Known");
  expect(all(root, "Metadata.TagList.Item").map(({ props }) => props.text)).toEqual(["Waiting"]);
});

test("has the session's actions, but for the pane beside a list", async () => {
  files.status("s1", "working", { title: "Busy", cwd: "/w/api" });
  const { root } = await openPage(await open(), "Busy");
  expect(actions(root).map(titleOf)).toEqual([
    ...["Go to Session", "Open Folder", "Send Message…", "Pause", "Pause and Restart", "Stop"],
    ...["Copy ID", "Copy Path", "Refresh"],
  ]);
  await run(action(root, "Copy ID"));
  expect(host.clipboard).toBe("s1");
});

test("is live, and costs no second following of the sources", async () => {
  const follow = jest.spyOn(live, "follow");
  files.status("s1", "working", { title: "Busy" });
  const list = await open();
  const { root } = await openPage(list, "Busy");
  files.status("s1", "waiting", { title: "Busy", message: "May I?" });
  await eventually(() => expect(markdown(root)).toContain("**What It Wants**\n\n```\nMay I?\n```"));
  expect(facts(root)["Status File"]).toMatch(/^Waiting/);
  expect(follow).toHaveBeenCalledTimes(1);
});

test("goes on when the list is closed beneath it, and the list when the page is", async () => {
  files.status("s1", "working", { title: "Busy" });
  const list = await launch("search-sessions");
  const page = await openPage(list.root, "Busy");
  const other = await openPage(list.root, "Busy");
  await other.unmount();
  files.status("s1", "waiting", { title: "Busy", message: "First" });
  await eventually(() => expect(markdown(page.root)).toContain("First"));
  await list.unmount();
  files.status("s1", "waiting", { title: "Busy", message: "Second" });
  await eventually(() => expect(markdown(page.root)).toContain("Second"));
  await page.unmount();
  await everythingClosed();
});

test("stands alone in a launcher that keeps nothing beneath it", async () => {
  files.status("s1", "working", { title: "Busy" });
  const list = await launch("search-sessions");
  await run(action(row(list.root, "Busy"), "Open Details"));
  const page = host.pushed.at(-1) as ReactElement;
  await list.unmount();
  const { root } = await render(() => page);
  await eventually(() => expect(one(root, "Detail").props.isLoading).toBe(false));
  files.status("s1", "idle", { title: "Busy" });
  await eventually(() => expect(facts(root)["Status File"]).toMatch(/^Idle/));
});

test("has the last twenty events, live", async () => {
  send("s1", "UserPromptSubmit", 3000, { prompt: "Fix the build" });
  for (let n = 0; n < 24; n += 1) {
    send("s1", "PostToolUse", 2900 - n * 100, { tool_name: "Bash", tool_use_id: `t${n}`, tool_input: {} });
  }
  const { root } = await openPage(await open(), "Fix the build");
  const lines = () => markdown(root).split("**Last Events**")[1]?.trim().split("\n").slice(1, -1) ?? [];
  expect([lines().length, lines()[0]]).toEqual([20, "10m ago: PostToolUse (Bash), Working"]);
  send("s1", "Stop", 1);
  await eventually(() => expect(lines()[0]).toBe("just now: Stop, Working → Done · Answer unread"));
  expect(lines()).toHaveLength(20);
});

test("Show Events leads to all of them, where there are any; else it says what to open", async () => {
  send("s1", "UserPromptSubmit", 60, { prompt: "Fix the build" });
  files.status("s2", "working", { title: "Of others" });
  const list = await open();
  expect(actions(row(list, "Of others")).map(titleOf)).not.toContain("Show Events");
  const { root } = await openPage(list, "Fix the build");
  await run(action(root, "Show Events"));
  expect(host.launched).toEqual([{ name: "session-events", type: "userInitiated", context: { id: "claude:s1" } }]);
  host.launchFailures.set("session-events", "not enabled");
  await run(action(row(list, "Fix the build"), "Show Events"));
  expect(host.toasts).toMatchObject([{ title: "Open Session Events in the Launcher" }]);
});

test("a session that vanishes keeps what was known of it last, and says so", async () => {
  files.status("s1", "working", { title: "Busy" });
  const list = await open();
  const { root } = await openPage(list, "Busy");
  files.remove("s1");
  await eventually(() => expect(rows(list)).toEqual([]));
  const gone = /^\*\*No Source Tells of It Any More\*\*\n\nThis is what was known of it last\.\n\n```\nBusy\n```/;
  await eventually(() => expect(markdown(root)).toMatch(gone));
  expect(facts(root)).toMatchObject({ "Last Known": expect.stringMatching(/^just now/) as string, ID: "s1" });
  files.status("s1", "idle", { title: "Busy" });
  await eventually(() => expect(markdown(root)).toMatch(/^```\nBusy/));
});

test("opened at a row of the last opening, it says how old that is until the present one is there", async () => {
  files.status("s1", "working", { title: "Busy" });
  const first = await launch("search-sessions");
  await first.unmount();
  files.status("s1", "idle", { title: "Busy" });
  const look = new FirstLook();
  const { root } = await openPage(await open(), "Busy");
  expect(one(root, "Detail").props.isLoading).toBe(true);
  expect(facts(root)).toHaveProperty("Last Known");
  expect(all(root, "Metadata.TagList.Item").map(({ props }) => props.text)).toEqual(["Working"]);
  expect(actions(root).map(titleOf)).not.toContain("End Process");
  look.goOn();
  await eventually(() => expect(all(root, "Metadata.TagList.Item").map(({ props }) => props.text)).toEqual(["Idle"]));
  expect(facts(root)).not.toHaveProperty("Last Known");
});

test("sessions that cannot be read are said, with the reason, above what was known last", async () => {
  files.status("s1", "working", { title: "Busy" });
  await (await launch("search-sessions")).unmount();
  const look = new FirstLook();
  const list = await open();
  look.fail(new Error("The disk is gone ```."));
  await eventually(() => expect(one(list, "List").props.isLoading).toBe(false));
  const { root } = await openPage(list, "Busy");
  await eventually(() => expect(markdown(root)).toMatch(/^\*\*Sessions Cannot Be Read\*\*\n\n````\nThe disk is gone/));
  expect(facts(root)).toHaveProperty("Last Known");
  look.goOn();
  await run(action(root, "Refresh"));
  await eventually(() => expect(markdown(root)).toMatch(/^```\nBusy/));
  await eventually(() => expect(rows(list)).toEqual(["Busy"]));
});
