import { utimesSync } from "node:fs";
import { join } from "node:path";
import { all, eventually, host, LaunchType, one, run, titleOf, type Node } from "../host";
import { launch } from "../host/launch";
import { AgentFiles, now } from "./agent-files";

/** Reading ends when this does. */
let mockReading = Promise.resolve();

jest.mock("../../src/observe/observer", () => {
  const actual = jest.requireActual<typeof import("../../src/observe/observer")>("../../src/observe/observer");
  const observe: typeof actual.observe = (surroundings) => mockReading.then(() => actual.observe(surroundings));
  return { ...actual, observe };
});

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
  mockReading = Promise.resolve();
});

/** Runs the command as the launcher does at its interval, until it is done. */
async function start(): Promise<Node> {
  const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
  await eventually(() => expect(all(root, "MenuBarExtra").every(({ props }) => props.isLoading === false)).toBe(true));
  return root;
}

/** What the bar shows beside its icon; null when there is no bar at all. */
function shown(root: Node): unknown {
  const [bar] = all(root, "MenuBarExtra");
  return bar === undefined ? null : bar.props.title;
}

describe("the count", () => {
  beforeEach(() => {
    files.status("s1", "waiting", { done_at: now() - 9 });
    files.status("s2", "done", { done_at: now() - 9 });
    files.status("s3", "dormant", { done_at: now() - 9 });
    files.status("s4", "working");
  });

  test.each<[unknown, string | undefined]>([
    ["needs-you", "1"],
    ["needs-you-and-unread", "3"],
    ["nothing", undefined],
    // What the checkbox that it was once had kept.
    [true, "3"],
    [false, "1"],
    // A launcher that has not read the manifest anew gives none.
    [undefined, "1"],
    [null, "1"],
    ["", "1"],
    // Told as wrong, and counted as by default.
    ["42", "1"],
  ])("%j: %j", async (countUnread, title) => {
    files.prefer({ countUnread });
    expect(shown(await start())).toBe(title);
  });

  test.each([[true], [false], [undefined], [null], [""]])("%j is no wrong value", async (countUnread) => {
    files.prefer({ countUnread });
    const titles = all(await start(), "MenuBarExtra.Item").map(titleOf);
    expect(titles.filter((each) => each.endsWith("Cannot Be Used"))).toEqual([]);
  });

  test("with nothing counted the icon still tells, and the menu has everything", async () => {
    files.prefer({ countUnread: "nothing" });
    const root = await start();
    expect(one(root, "MenuBarExtra").props).toMatchObject({
      icon: { source: "state-waiting.png" },
      tooltip: "1 needs you, 3 unread, 1 working, 4 in all",
    });
    expect(all(root, "MenuBarExtra.Item").map(titleOf)).toContain("s1");
  });
});

describe("hiding while nothing is up", () => {
  const at = now() - 50;

  test.each<[string, () => void]>([
    ["there is no session", () => undefined],
    ["all are idle, ended or scheduled", () => quiet()],
    ["answers are read", () => files.status("s1", "idle", { done_at: 1 })],
  ])("hides while %s", async (_what, report) => {
    files = new AgentFiles(at);
    report();
    files.prefer({ hideMenuBar: true });
    expect(shown(await start())).toBeNull();
    files.prefer();
    expect(shown(await start())).toBeUndefined();
  });

  function quiet(): void {
    files.status("s1", "idle");
    files.status("s2", "dormant");
    files.status("s3", "idle", { wakeup_at: now() + 500 });
  }

  test.each<[string, Record<string, unknown>]>([
    ["waiting", {}],
    ["decision", {}],
    ["failed", {}],
    ["working", {}],
    ["compacting", {}],
    ["idle", { subagents: 1 }],
    // It may be up: nothing is known of it.
    ["unknown", {}],
  ])("shows while a session is %s %j", async (state, fields) => {
    quiet();
    files.status("s9", state, fields);
    files.prefer({ hideMenuBar: true });
    expect(shown(await start())).not.toBeNull();
  });

  test.each<[string, "done" | "dormant", boolean]>([
    ["needs-you", "done", true],
    ["needs-you", "dormant", true],
    ["nothing", "done", true],
    ["needs-you-and-unread", "done", false],
    ["needs-you-and-unread", "dormant", false],
  ])("counting %s, an unread answer of one that is %s hides: %j", async (countUnread, state, hides) => {
    quiet();
    files.status("s9", state, { done_at: now() - 9 });
    files.prefer({ hideMenuBar: true, countUnread });
    expect(shown(await start()) === null).toBe(hides);
  });

  test("shows while monitoring is paused: that is something to tell", async () => {
    quiet();
    files.signal({ s8: { signal: "paused" } });
    files.prefer({ hideMenuBar: true });
    expect(shown(await start())).not.toBeNull();
  });

  test("shows while a file is broken", async () => {
    quiet();
    files.raw("broken.json", "{");
    utimesSync(join(files.places.statusDirectory, "broken.json"), 1, 1);
    files.prefer({ hideMenuBar: true });
    expect(all(await start(), "MenuBarExtra.Item").map(titleOf)).toContain("1 Problem");
  });

  test.each([
    [{ statusDirectory: "x" }, "Status Directories"],
    [{ commandPath: "/nowhere/x" }, "Command Path"],
    [{ claudeDirectories: "/nowhere/x" }, "Claude Config Folders"],
    [{ countUnread: "42" }, "Menu Bar Count"],
  ])("shows while a preference is wrong: %j", async (wrong, preference) => {
    quiet();
    files.prefer({ hideMenuBar: true, ...wrong });
    expect(all(await start(), "MenuBarExtra.Item").map(titleOf)).toContain(`${preference} Cannot Be Used`);
  });

  test("shows while it cannot be read, whatever was read before", async () => {
    files.prefer({ hideMenuBar: true });
    expect(shown(await start())).toBeNull();
    const clock = jest.spyOn(Date, "now").mockImplementation(() => {
      throw new Error("The clock is broken.");
    });
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    await eventually(() => expect(one(root, "MenuBarExtra").props.isLoading).toBe(false));
    clock.mockRestore();
    expect(all(root, "MenuBarExtra.Item").map(titleOf)).toContain("Sessions Cannot Be Read");
  });

  test("a run that does not know yet is not over: it draws, and hides only then", async () => {
    files.prefer({ hideMenuBar: true });
    expect(shown(await start())).toBeNull();
    let end = () => undefined as void;
    mockReading = new Promise((resolve) => (end = resolve));
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    // What was read last is quiet. Drawing nothing, the launcher would end it, and nothing would show again.
    expect(one(root, "MenuBarExtra").props.isLoading).toBe(true);
    end();
    await eventually(() => expect(all(root, "MenuBarExtra")).toEqual([]));
  });

  test("hides once the last answer that counts is marked as read from its own menu", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 9 });
    files.prefer({ hideMenuBar: true, countUnread: "needs-you-and-unread" });
    const root = await start();
    await run(one(root, "MenuBarExtra.Item", "Mark All as Read"));
    await eventually(() => expect(all(root, "MenuBarExtra")).toEqual([]));
    expect(host.huds).toEqual(["Marked 1 Answer as Read"]);
  });
});
