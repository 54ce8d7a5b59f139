import { writeFileSync } from "node:fs";
import { Icon } from "../host/names";
import { action, all, cleanup, eventually, one, run, tell, titleOf } from "../host";
import { launch } from "../host/launch";
import { deliver } from "../inbox-file";
import { AgentFiles, now } from "./agent-files";
import { accessories, open, row, rows, says, sections } from "./list-window";
import { everythingClosed, noteTimers, openResources } from "./open-resources";

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

describe("while it is open", () => {
  test("a file that is replaced changes its row, a new one adds a row, and one that goes takes its row along", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    const root = await open();
    expect(sections(root)).toEqual({ Working: ["Refactoring"] });

    files.status("s1", "waiting", { title: "Refactoring", message: "May I?" });
    await eventually(() => expect(sections(root)).toEqual({ "Needs You": ["Refactoring"] }));
    expect(row(root, "Refactoring").props.subtitle).toBe("May I?");

    files.status("s2", "idle", { title: "Resting" });
    await eventually(() => expect(sections(root)).toEqual({ "Needs You": ["Refactoring"], Idle: ["Resting"] }));

    files.remove("s1");
    await eventually(() => expect(sections(root)).toEqual({ Idle: ["Resting"] }));
  });

  test("the signal document counts as well, when it appears and when it changes", async () => {
    const root = await open();
    files.signal({ s1: { signal: "working", agent: "gemini" } });
    await eventually(() => expect(sections(root)).toEqual({ Working: ["s1"] }));
    files.signal({ s1: { signal: "permission_request", agent: "gemini" } });
    await eventually(() => expect(sections(root)).toEqual({ "Needs You": ["s1"] }));
  });

  test("what agents report to us counts, event by event", async () => {
    const report = (event: string, at: number, more: Record<string, unknown> = {}) =>
      deliver(files.places.home, {
        agent: "claude",
        event,
        payload: { session_id: "4f2e", cwd: "/w/api", hook_event_name: event, ...more },
        at,
      });
    const at = now();
    report("UserPromptSubmit", at - 130, { prompt: "Add an index" });
    const root = await open();
    expect(sections(root)).toEqual({ Working: ["Add an index"] });
    expect(row(root, "Add an index").props.subtitle).toBe("api");

    report("Stop", at - 70);
    await eventually(() => expect(sections(root)).toEqual({ "Unread Answers": ["Add an index"] }));
    await run(action(row(root, "Add an index"), "Show Details"));
    const facts = all(root, "Metadata.Label").map((label) => [titleOf(label), label.props.text]);
    expect(facts).toContainEqual(["Reported Events", "Done, Stop, 1m ago"]);
    await run(action(row(root, "Add an index"), "Mark as Read"));
    expect(sections(root)).toEqual({ Idle: ["Add an index"] });
  });

  test("a mark that another program sets is seen", async () => {
    const at = now() - 9;
    files.status("s1", "done", { title: "Answered", done_at: at });
    const root = await open();
    expect(sections(root)).toEqual({ "Unread Answers": ["Answered"] });
    files.status("s2", "idle", { title: "Resting" });
    await eventually(() => expect(rows(root)).toEqual(["Answered", "Resting"]));
    writeFileSync(
      files.marksFile,
      JSON.stringify({ version: 1, baseline: 0, sessions: { "claude:s1": { read_until: at } } }),
    );
    await eventually(() => expect(sections(root)).toEqual({ Idle: expect.arrayContaining(["Answered"]) }));
  });

  test("ages go on although nothing happens", async () => {
    files.status("s1", "idle", { title: "Resting", ts: now() - 59 });
    const root = await open();
    await eventually(() => expect(says(row(root, "Resting")).at(-1)).toBe("1m"));
  });

  test("so do the times in the detail pane", async () => {
    files.status("s1", "idle", { title: "Resting", ts: now() - 59 });
    files.status("s2", "idle", { title: "Answered", ts: now() - 9000, done_at: now() - 59.3 });
    const root = await open();
    await files.settle();
    await run(action(row(root, "Resting"), "Refresh"));
    await run(action(row(root, "Resting"), "Show Details"));
    const answered = () => all(row(root, "Answered"), "Metadata.Label").find((label) => titleOf(label) === "Answered");
    await eventually(() => expect(answered()?.props.text).toMatch(/^1m ago/));
  });

  test("a file that breaks keeps its last good row, marked, and is named among the problems", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    const root = await open();
    files.raw("s1.json", '{"session_id":"s1","sta');
    await eventually(() => expect(sections(root)).toEqual({ "Needs You": ["Asking"], Problems: ["s1.json"] }));
    expect(accessories(row(root, "Asking"))[0]).toMatchObject({
      icon: { source: Icon.ExclamationMark },
      tooltip: expect.stringMatching(/^Its file cannot be read since .*: this is the last good state$/),
    });
    files.status("s1", "working", { title: "Asking" });
    await eventually(() => expect(sections(root)).toEqual({ Working: ["Asking"] }));
  });

  test("a change renders its own row anew, and no other", async () => {
    files.status("s1", "working", { title: "One" });
    files.status("s2", "working", { title: "Two", ts: now() - 900 });
    const root = await open();
    await files.settle();
    await run(action(row(root, "Two"), "Refresh"));
    const { props } = row(root, "Two");
    files.status("s1", "working", { title: "One more" });
    await eventually(() => expect(rows(root)).toEqual(["One more", "Two"]));
    expect(row(root, "Two").props).toBe(props);
  });

  test("the selection stays on its row when others move around it", async () => {
    files.status("s1", "working", { title: "One", ts: now() - 100 });
    files.status("s2", "working", { title: "Two", ts: now() - 200 });
    const root = await open();
    await tell(one(root, "List"), "onSelectionChange", "claude:s2");
    expect(one(root, "List").props.selectedItemId).toBeUndefined();

    const selections: unknown[] = [];
    files.status("s3", "waiting", { title: "Three" });
    await eventually(() => {
      selections.push(one(root, "List").props.selectedItemId);
      expect(rows(root)).toEqual(["Three", "One", "Two"]);
    });
    expect(selections.at(-1)).toBe("claude:s2");

    files.remove("s2");
    await eventually(() => expect(rows(root)).toEqual(["Three", "One"]));
    expect(one(root, "List").props.selectedItemId).toBeUndefined();
  });

  test("closing it closes its watches and timers", async () => {
    files.status("s1", "working", { title: "One" });
    const { root, unmount } = await launch("search-sessions");
    files.status("s1", "idle", { title: "One" });
    await eventually(() => expect(sections(root)).toEqual({ Idle: ["One"] }));
    expect(openResources().length).toBeGreaterThan(3);
    await unmount();
    await everythingClosed();
  });

  test("closing it before its watches began closes them as well", async () => {
    const { unmount } = await launch("search-sessions");
    await unmount();
    await everythingClosed();
  });
});
