import { basename } from "node:path";
import { rmSync, writeFileSync } from "node:fs";
import { action, actions, all, cleanup, eventually, host, one, run, titleOf, Toast, type Node } from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { AgentFiles, now } from "./agent-files";
import { open, row } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

/** The section a row stands in. */
function sectionOf(root: Node, title: string): string | undefined {
  const section = all(root, "List.Section").find((each) => all(each, "List.Item").map(titleOf).includes(title));
  return section === undefined ? undefined : titleOf(section);
}

function tagsOf(item: Node): unknown[] {
  return (item.props.accessories as { tag?: { value: string } }[]).flatMap(({ tag }) => (tag ? [tag.value] : []));
}

/** The toasts with what they say. */
function toasts(): { style: string; title: string; message?: string }[] {
  return host.toasts.map(({ style, title, message }) => ({ style, title, ...(message ? { message } : {}) }));
}

describe("marking", () => {
  test("Mark as Read marks the answer on disk, and the row moves", async () => {
    const at = now() - 50.123456;
    files.status("s1", "done", { title: "Answered", done_at: at });
    const root = await open();
    await run(action(row(root, "Answered"), "Mark as Read"));
    expect(files.marks().sessions).toEqual({ "claude:s1": { read_until: at } });
    expect(toasts()).toEqual([{ style: Toast.Style.Success, title: "Marked as Read" }]);
    expect(sectionOf(root, "Answered")).toBe("Idle");
    expect(tagsOf(row(root, "Answered"))).toEqual(["Idle"]);
  });

  test("Mark as Unread takes it back", async () => {
    const at = now() - 50;
    files.status("s1", "done", { title: "Answered", done_at: at });
    const root = await open();
    await run(action(row(root, "Answered"), "Mark as Read"));
    await run(action(row(root, "Answered"), "Mark as Unread"));
    expect(files.marks().sessions).toEqual({ "claude:s1": { read_until: at, kept_unread: at } });
    expect(toasts().at(-1)).toEqual({ style: Toast.Style.Success, title: "Marked as Unread" });
    expect(sectionOf(root, "Answered")).toBe("Unread Answers");
  });

  test("an ended session's answer is unread until it is marked", async () => {
    files.status("s1", "dormant", { title: "Ended", done_at: now() - 50 });
    const root = await open();
    expect([sectionOf(root, "Ended"), tagsOf(row(root, "Ended"))]).toEqual(["Unread Answers", ["Unread", "Ended"]]);
    await run(action(row(root, "Ended"), "Mark as Read"));
    expect([sectionOf(root, "Ended"), tagsOf(row(root, "Ended"))]).toEqual(["Ended", ["Ended"]]);
  });

  test("an answer that came after the one that is shown stays unread", async () => {
    const shown = now() - 50;
    files.status("s1", "done", { title: "Answered", done_at: shown });
    const root = await open();
    const markRead = action(row(root, "Answered"), "Mark as Read");
    files.status("s1", "done", { title: "Answered", done_at: shown + 20 });
    await run(markRead);
    expect(files.marks().sessions).toEqual({});
    expect(toasts()).toEqual([{ style: Toast.Style.Success, title: "Already Read" }]);
    expect(sectionOf(root, "Answered")).toBe("Unread Answers");
  });

  test("Mark All as Read marks all, and is there only while something is unread", async () => {
    files.status("s1", "done", { title: "One", done_at: now() - 50 });
    files.status("s2", "dormant", { title: "Two", done_at: now() - 60 });
    files.status("s3", "working", { title: "Three" });
    const root = await open();
    await files.settle();
    await run(action(row(root, "Three"), "Refresh"));
    await run(action(row(root, "Three"), "Mark All as Read"));
    expect(Object.keys(files.marks().sessions).sort()).toEqual(["claude:s1", "claude:s2"]);
    expect(toasts()).toEqual([{ style: Toast.Style.Success, title: "Marked 2 Answers as Read" }]);
    expect(actions(row(root, "Three")).map(titleOf)).not.toContain("Mark All as Read");
    expect(all(root, "List.Section").map(titleOf)).toEqual(["Working", "Idle", "Ended"]);
  });

  test("has the menu bar show it at once, where there is one", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
    const root = await open();
    await run(action(row(root, "Answered"), "Mark as Read"));
    expect(host.launched).toEqual(MENU_BAR_REFRESH);
    host.launchFailures.set("sessions-in-menu-bar", "must be activated before it can be run in the background");
    await run(action(row(root, "Answered"), "Mark as Unread"));
    expect(toasts().map(({ title }) => title)).toEqual(["Marked as Read", "Marked as Unread"]);
  });

  test("what cannot be marked says why, and stays as it is", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
    const root = await open();
    files.closeHome();
    await run(action(row(root, "Answered"), "Mark as Read"));
    expect(toasts()).toEqual([
      {
        style: Toast.Style.Failure,
        title: "Could Not Mark as Read",
        message: expect.stringMatching(/belongs to another user\. Remove it|Cannot create the lock/),
      },
    ]);
    expect(sectionOf(root, "Answered")).toBe("Unread Answers");
    expect(host.launched).toEqual([]);
  });

  test("a home that became a file: nothing counts as unread any more, and the list says why", async () => {
    files.nameByEnvironment();
    files.status("s1", "working", { title: "Answered", done_at: now() - 50 });
    const root = await open();
    files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
    await eventually(() => expect(sectionOf(root, "Answered")).toBe("Unread Answers"));
    rmSync(files.places.home, { recursive: true });
    writeFileSync(files.places.home, "");
    await run(action(row(root, "Answered"), "Mark All as Read"));
    expect(toasts()).toEqual([{ style: Toast.Style.Success, title: "No Unread Answers" }]);
    expect(sectionOf(root, "Answered")).toBe("Idle");
    expect(row(root, basename(files.places.home)).props.subtitle).toMatch(
      /^is not a folder, so nothing is marked unread/,
    );
  });

  test("a command that the user named and that is missing is said with the next step", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 50 });
    files.prefer({ commandPath: "/nowhere/agent-sessions" });
    const root = await open();
    await run(action(row(root, "Answered"), "Mark as Read"));
    expect(toasts()).toEqual([
      {
        style: Toast.Style.Failure,
        title: "Could Not Mark as Read",
        message:
          "/nowhere/agent-sessions does not exist. Correct Command Path in the extension's preferences, or leave it empty.",
      },
    ]);
  });
});

describe("the action panel", () => {
  test("has what fits the session, the likeliest first, in sections", async () => {
    files.status("s1", "done", { title: "Unread", done_at: now() - 50, cwd: "/w/api" });
    files.status("s2", "waiting", { title: "Asking", message: "May I?", cwd: "/w/api" });
    files.status("s3", "working", { title: "Bare" });
    files.status("s4", "dormant", { title: "Ended" });
    const root = await open();
    const panel = (title: string) =>
      all(row(root, title), "ActionPanel.Section").map((each) => actions(each).map(titleOf));
    expect(panel("Unread")).toEqual([
      ["Go to Session", "Show Details", "Open Details", "Mark as Read", "Open Folder"],
      ["Send Message…", "Pause", "Pause and Restart"],
      ["Copy ID", "Copy Path"],
      ["Mark All as Read", "Refresh"],
    ]);
    expect(panel("Asking")).toEqual([
      ["Go to Session", "Show Details", "Open Details", "Open Folder"],
      ["Send Message…", "Pause", "Pause and Restart"],
      ["Copy Message", "Copy ID", "Copy Path"],
      ["Mark All as Read", "Refresh"],
    ]);
    expect(panel("Bare")).toEqual([
      ["Go to Session", "Show Details", "Open Details"],
      ["Send Message…", "Pause", "Pause and Restart", "Stop"],
      ["Copy ID"],
      ["Mark All as Read", "Refresh"],
    ]);
    expect(panel("Ended")).toEqual([
      ["Resume Session", "Show Details", "Open Details"],
      ["Copy ID", "Copy Resume Command"],
      ["Mark All as Read", "Refresh"],
    ]);
  });

  test("copies the id, the path, and the message with its lines", async () => {
    files.status("s1", "waiting", {
      title: "Asking",
      message: "May I run\r\nrm -r build?\u001b[2J",
      cwd: "/w/my api",
    });
    const root = await open();
    const copied = async (title: string) => {
      await run(action(row(root, "Asking"), title));
      return host.clipboard;
    };
    expect(await copied("Copy ID")).toBe("s1");
    expect(await copied("Copy Path")).toBe("/w/my api");
    expect(await copied("Copy Message")).toBe("May I run\nrm -r build?�[2J");
  });

  test("opens the session's folder", async () => {
    files.status("s1", "working", { title: "Busy", cwd: "/w/my api" });
    await run(action(row(await open(), "Busy"), "Open Folder"));
    expect(host.opened).toEqual(["/w/my api"]);
  });

  test.each(["https://x.example", "raycast://extensions/a/b/c", "api", "~/api", "", "/w/\u202eapi"])(
    "what is no plain path is not opened: %j",
    async (cwd) => {
      files.status("s1", "working", { title: "Busy", cwd });
      const titles = actions(row(await open(), "Busy")).map(titleOf);
      expect(titles).not.toContain("Open Folder");
      expect(titles).toContain("Copy Path");
    },
  );

  test("Show Details shows them for every row, and Hide Details ends it", async () => {
    files.status("s1", "working", { title: "One" });
    files.status("s2", "working", { title: "Two" });
    const root = await open();
    await run(action(row(root, "One"), "Show Details"));
    expect(one(root, "List").props.isShowingDetail).toBe(true);
    expect(all(root, "List.Item.Detail")).toHaveLength(2);
    await run(action(row(root, "Two"), "Hide Details"));
    expect(one(root, "List").props.isShowingDetail).toBe(false);
  });

  test("Refresh looks at everything at once", async () => {
    files.status("s1", "working", { title: "One" });
    const root = await open();
    files.status("s1", "idle", { title: "One" });
    await eventually(() => expect(sectionOf(root, "One")).toBe("Idle"));
    files.status("s2", "working", { title: "Two", ts: now() - 900 });
    await run(action(row(root, "One"), "Refresh"));
    expect(all(root, "List.Item").map(titleOf)).toEqual(["Two", "One"]);
    expect(host.toasts).toEqual([]);
  });
});
