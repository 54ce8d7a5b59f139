import { host, LaunchType } from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { launchNoView } from "../host/launch";
import { AgentFiles, now } from "../views/agent-files";
import { FakeCommand } from "../views/fake-command";

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
  files.status("busy", "working");
});

test("marks every answer on disk, those of ended sessions too, and says how many", async () => {
  const at = now();
  files.status("s1", "done", { done_at: at - 50 });
  files.status("s2", "dormant", { done_at: at - 60 });
  files.signal({ s3: { signal: "done", agent: "gemini", updated_at: Math.floor(at) - 70 } });
  await launchNoView("mark-all-as-read");
  expect(files.marks().sessions).toEqual({
    "claude:s1": { read_until: at - 50 },
    "claude:s2": { read_until: at - 60 },
    "gemini:s3": { read_until: Math.floor(at) - 70 },
  });
  expect(host.huds).toEqual(["Marked 3 Answers as Read"]);
});

test("one answer is one", async () => {
  files.status("s1", "done", { done_at: now() - 50 });
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["Marked 1 Answer as Read"]);
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["Marked 1 Answer as Read", "No Unread Answers"]);
});

test("without an unread answer nothing is written", async () => {
  const before = files.marks();
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["No Unread Answers"]);
  expect(files.marks()).toEqual(before);
});

test("has the menu bar show it at once, and does without one", async () => {
  files.status("s1", "done", { done_at: now() - 50 });
  await launchNoView("mark-all-as-read");
  expect(host.launched).toEqual(MENU_BAR_REFRESH);
  host.launchFailures.set("sessions-in-menu-bar", "must be activated before it can be run in the background");
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["Marked 1 Answer as Read", "No Unread Answers"]);
});

test("needs no window: it runs in the background as well", async () => {
  files.status("s1", "done", { done_at: now() - 50 });
  await launchNoView("mark-all-as-read", { type: LaunchType.Background });
  expect(host.huds).toEqual(["Marked 1 Answer as Read"]);
});

test("what fails is said with its reason", async () => {
  files.status("s1", "done", { done_at: now() - 50 });
  files.closeHome();
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual([
    expect.stringMatching(/^Could Not Mark All as Read: .*(belongs to another user|Cannot create the lock)/),
  ]);
  expect(host.launched).toEqual([]);
});

test("a command that the user named and that fails is said as well", async () => {
  const { path } = new FakeCommand({ read: { err: "agent-sessions: the disk is full\n", code: 1 } });
  files.prefer({ commandPath: path });
  await launchNoView("mark-all-as-read");
  expect(host.huds).toEqual(["Could Not Mark All as Read: the disk is full"]);
});
