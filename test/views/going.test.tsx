import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { action, actions, all, cleanup, host, run, titleOf, Toast } from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { scratchFolder } from "../scratch";
import { AgentFiles, now } from "./agent-files";
import { FakeCommand } from "./fake-command";
import { open, row } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

const PATH = process.env.PATH;

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  process.env.PATH = PATH;
  await cleanup();
  await everythingClosed();
});

/** Has actions go through a command that answers so. */
function answering(
  answer: ConstructorParameters<typeof FakeCommand>[0],
  more: Record<string, unknown> = {},
): FakeCommand {
  const command = new FakeCommand(answer);
  files.prefer({ commandPath: command.path, ...more });
  return command;
}

function going(given: Record<string, unknown>, code = 1) {
  const outcome = { id: "claude:s1", what: "Nothing was brought forward.", reason: null, offers: [], ...given };
  return { focus: { out: outcome, code } };
}

function resuming(given: Record<string, unknown>, code = 0) {
  const outcome = { id: "claude:s1", what: "Resumed in kitty.", reason: null, text: "claude --resume s1", ...given };
  return { resume: { out: outcome, code } };
}

const RESUME = { kind: "resume", title: "Copy Resume Command", text: "cd /w && claude --resume s1" };
const APP = { kind: "open-app", title: "Open iTerm2", text: null };

/** The titles of the first actions of a row, which Enter and Command-Enter run. */
function firstTwo(root: Parameters<typeof row>[0], title: string): string[] {
  return actions(row(root, title)).slice(0, 2).map(titleOf);
}

function shown() {
  return host.toasts.map(({ style, title, message }) => ({ style, title, message }));
}

test("Enter goes to a live session and resumes an ended one; the details come second", async () => {
  files.status("s1", "waiting", { title: "Live" });
  files.status("s2", "dormant", { title: "Ended", cwd: "/w" });
  files.status("s3", "dormant", { title: "Of Aider", agent: "aider" });
  const root = await open();
  expect(firstTwo(root, "Live")).toEqual(["Go to Session", "Show Details"]);
  expect(firstTwo(root, "Ended")).toEqual(["Resume Session", "Show Details"]);
  expect(firstTwo(root, "Of Aider")).toEqual(["Show Details", "Open Details"]);
});

describe("going", () => {
  test("says where it went once the window is closed, and has the menu bar look", async () => {
    files.status("s1", "waiting", { title: "Live" });
    const command = answering(going({ outcome: "focused", what: "Focused pane %3 in tmux." }, 0));
    await run(action(row(await open(), "Live"), "Go to Session"));
    expect(command.calls).toEqual([["focus", "--json", "--", "claude:s1"]]);
    expect({ huds: host.huds, closed: host.closed, toasts: host.toasts }).toEqual({
      huds: ["Went to Live"],
      closed: 1,
      toasts: [],
    });
    expect(host.launched).toEqual(MENU_BAR_REFRESH);
  });

  test("as near as the terminal allows is said as that", async () => {
    files.status("s1", "waiting", { title: "Live" });
    answering(going({ outcome: "opened", what: "Opened Alacritty.", reason: "It can only be opened as a whole." }, 0));
    await run(action(row(await open(), "Live"), "Go to Session"));
    expect(host.huds).toEqual(["Opened Alacritty"]);
  });

  test("what is not certain stays open, with the reason, and offers what is: in the toast and in the panel", async () => {
    files.status("s1", "waiting", { title: "Live" });
    answering(going({ outcome: "uncertain", reason: "Its process is not known.", offers: [APP, RESUME, RESUME] }));
    const root = await open();
    await run(action(row(root, "Live"), "Go to Session"));
    expect(shown()).toEqual([
      {
        style: Toast.Style.Failure,
        title: "Not Certain Where It Runs",
        message: "Its process is not known. Nothing was brought forward.",
      },
    ]);
    const [toast] = host.toasts;
    expect([toast?.primaryAction?.title, toast?.secondaryAction?.title]).toEqual([
      "Open iTerm2",
      "Copy Resume Command",
    ]);
    expect({ closed: host.closed, huds: host.huds }).toEqual({ closed: 0, huds: [] });
    const offers = all(row(root, "Live"), "ActionPanel.Section").find((each) => titleOf(each) === "What Is Certain");
    expect(actions(offers ?? root).map(titleOf)).toEqual(["Open iTerm2", "Copy Resume Command"]);
    await run(action(row(root, "Live"), "Copy Resume Command"));
    expect(host.clipboard).toBe("cd /w && claude --resume s1");
  });

  test("the toast's own action copies as well, and the window closes", async () => {
    files.status("s1", "waiting", { title: "Live" });
    const attach = { kind: "attach", title: "Attach tmux Session", text: "tmux -S /tmp/t attach-session -t '$1'" };
    answering(going({ outcome: "uncertain", reason: "No terminal shows its tmux session.", offers: [attach] }));
    const root = await open();
    await run(action(row(root, "Live"), "Go to Session"));
    const [toast] = host.toasts;
    expect([toast?.primaryAction?.title, toast?.secondaryAction]).toEqual(["Copy Attach Command", undefined]);
    if (toast !== undefined) await toast.primaryAction?.onAction(toast);
    expect([host.clipboard, host.huds, host.closed]).toEqual([attach.text, ["Copied Attach Command"], 1]);
    host.clipboard = "";
    await run(action(row(root, "Live"), "Copy Attach Command"));
    expect(host.clipboard).toBe(attach.text);
  });

  test("offers are gone once it goes there, and once it has ended", async () => {
    files.status("s1", "waiting", { title: "Live" });
    answering(going({ outcome: "uncertain", reason: "It is not known.", offers: [APP] }));
    const root = await open();
    await run(action(row(root, "Live"), "Go to Session"));
    answering(going({ outcome: "focused" }, 0));
    await run(action(row(root, "Live"), "Go to Session"));
    expect(actions(row(root, "Live")).map(titleOf)).not.toContain("Open iTerm2");
    answering(going({ outcome: "uncertain", reason: "It is not known.", offers: [RESUME] }));
    await run(action(row(root, "Live"), "Go to Session"));
    files.status("s1", "dormant", { title: "Live", cwd: "/w" });
    await files.settle();
    await run(action(row(root, "Live"), "Refresh"));
    expect(
      actions(row(root, "Live"))
        .map(titleOf)
        .filter((title) => title === "Copy Resume Command"),
    ).toHaveLength(1);
  });

  test("an offer to resume gives way to the session's own action, in whatever section it stands", async () => {
    const at = now() - 60;
    files.status("s1", "done", { title: "Answered", cwd: "/w", done_at: at });
    answering(going({ outcome: "uncertain", reason: "It is not known.", offers: [RESUME, APP] }));
    const root = await open();
    await run(action(row(root, "Answered"), "Go to Session"));
    expect(actions(row(root, "Answered")).map(titleOf)).toContain("Open iTerm2");
    files.status("s1", "dormant", { title: "Answered", cwd: "/w", done_at: at });
    await files.settle();
    await run(action(row(root, "Answered"), "Refresh"));
    const titles = actions(row(root, "Answered")).map(titleOf);
    expect(titles[0]).toBe("Resume Session");
    expect(titles).not.toContain("Open iTerm2");
    expect(titles.filter((title) => title === "Copy Resume Command")).toHaveLength(1);
  });

  test("a terminal that refuses is said with its own reason", async () => {
    files.status("s1", "waiting", { title: "Live" });
    answering(going({ outcome: "failed", reason: "kitty refused: no such window\u001b[2J" }));
    await run(action(row(await open(), "Live"), "Go to Session"));
    expect(shown()).toMatchObject([
      { title: "Could Not Go to Session", message: "kitty refused: no such window�[2J Nothing was brought forward." },
    ]);
  });

  test("an offered terminal that does not open is said; one that nobody knows is not offered", async () => {
    files.status("s1", "waiting", { title: "Live" });
    const strange = { kind: "open-app", title: "Open /bin/sh", text: null };
    answering(going({ outcome: "uncertain", reason: "It is not known.", offers: [strange, APP] }));
    const root = await open();
    await run(action(row(root, "Live"), "Go to Session"));
    expect(actions(row(root, "Live")).map(titleOf)).not.toContain("Open /bin/sh");
    if (process.platform === "darwin") return;
    await run(action(row(root, "Live"), "Open iTerm2"));
    expect(shown().at(-1)).toMatchObject({
      style: Toast.Style.Failure,
      title: "Could Not Open iTerm2",
      message: expect.stringContaining("iTerm2 did not open") as string,
    });
    expect(host.closed).toBe(0);
  });

  test("in this process: a session of which nothing tells the terminal", async () => {
    files.status("s1", "idle", { title: "Live", agent: "claude", cwd: "/w" });
    const root = await open();
    await run(action(row(root, "Live"), "Go to Session"));
    expect(shown()).toMatchObject([
      {
        title: "Not Certain Where It Runs",
        message: expect.stringContaining("Nothing tells which terminal") as string,
      },
    ]);
    await run(action(row(root, "Live"), "Copy Resume Command"));
    expect(host.clipboard).toMatch(/cd \/w && claude --resume s1|Set-Location/);
  });

  test("what throws is said, and the window stays", async () => {
    files.status("s1", "idle", { title: "Live" });
    const root = await open();
    files.remove("s1");
    await run(action(row(root, "Live"), "Go to Session"));
    expect(shown()).toMatchObject([
      {
        style: Toast.Style.Failure,
        title: "Could Not Go to Session",
        message: expect.stringContaining("No session matches") as string,
      },
    ]);
    expect(host.closed).toBe(0);
  });
});

describe("resuming", () => {
  test("in the terminal that the user chose, and says where", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/w" });
    const command = answering(resuming({ outcome: "started" }), { terminal: "kitty" });
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect(command.calls).toEqual([["resume", "--json", "--terminal", "kitty", "--", "claude:s1"]]);
    expect([host.huds, host.closed, host.toasts, host.alerts]).toEqual([["Resumed in kitty"], 1, [], []]);
    expect(host.launched).toEqual(MENU_BAR_REFRESH);
  });

  test("Automatic leaves the choice to the command", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/w" });
    const command = answering(resuming({ outcome: "started" }));
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect(command.calls).toEqual([["resume", "--json", "--", "claude:s1"]]);
  });

  test("a cold one asks first, with the tokens it sends anew; a no does nothing", async () => {
    const at = now() - 3 * 3600;
    files.status("s1", "dormant", { title: "Ended", cwd: "/w", agent: "claude", done_at: at, ts: at });
    const command = answering(resuming({ outcome: "started" }));
    const root = await open();
    host.confirm = false;
    await run(action(row(root, "Ended"), "Resume Session"));
    expect(host.alerts).toMatchObject([
      {
        title: "Resume Ended?",
        message: "Resuming sends its whole context anew: it has been cold for 3h.",
        primaryAction: { title: "Resume" },
      },
    ]);
    expect([command.calls, host.huds, host.toasts]).toEqual([[], [], []]);
    host.confirm = true;
    await run(action(row(root, "Ended"), "Resume Session"));
    expect(host.huds).toEqual(["Resumed in kitty"]);
  });

  test("a terminal that takes no command: the command is copied to be pasted", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/w" });
    answering(resuming({ outcome: "opened", what: "Opened the folder in Warp.", reason: "Paste it." }));
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect(host.clipboard).toBe("claude --resume s1");
    expect(host.huds).toEqual(["Opened the folder in Warp: Paste the Copied Command"]);
  });

  test("what did not start is said, and the command is offered", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/w" });
    answering(resuming({ outcome: "failed", reason: "kitty is not installed." }, 1));
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect(shown()).toEqual([
      { style: Toast.Style.Failure, title: "Could Not Resume Session", message: "kitty is not installed." },
    ]);
    expect(host.toasts[0]?.primaryAction?.title).toBe("Copy Resume Command");
    expect([host.closed, host.huds]).toEqual([0, []]);
  });

  test("what is refused is said with the reason: its folder is gone", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/nowhere/shop" });
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect(shown()).toMatchObject([
      { title: "Could Not Resume Session", message: expect.stringMatching(/folder \/nowhere\/shop is gone/) as string },
    ]);
  });

  const onLinux = process.platform === "linux" ? test : test.skip;

  onLinux("in this process: a terminal of the PATH gets the command as arguments", async () => {
    const folder = join(scratchFolder(), "my $(shop)");
    mkdirSync(folder);
    files.status("s1", "dormant", { title: "Ended", cwd: folder });
    files.prefer({ terminal: "kitty" });
    const kitty = new FakeCommand({}, "kitty");
    process.env.PATH = [dirname(kitty.path), PATH].join(delimiter);
    await run(action(row(await open(), "Ended"), "Resume Session"));
    expect([host.huds, host.toasts]).toEqual([["Resumed in kitty"], []]);
    expect(kitty.calls).toHaveLength(1);
    expect(kitty.calls[0]?.at(-1)).toContain("claude --resume s1");
  });

  test("the command of an ended session can be copied without a try", async () => {
    files.status("s1", "dormant", { title: "Ended", cwd: "/w shop" });
    await run(action(row(await open(), "Ended"), "Copy Resume Command"));
    expect(host.clipboard).toContain("claude --resume s1");
  });

  test("a folder that a shell could misread cannot be resumed in, and nothing is offered", async () => {
    files.status("s1", "dormant", { title: "Broken", cwd: "/w/a\nrm -rf ~" });
    expect(firstTwo(await open(), "Broken")).toEqual(["Show Details", "Open Details"]);
  });
});

test.each(["--kill", "$(touch /tmp/x)", "a b", "-V"])("the id %j is an id to the command", async (id) => {
  files.signal({ [id]: { signal: "working", agent: "gemini" } });
  const command = answering(going({ outcome: "focused" }, 0));
  const root = await open();
  await run(action(all(root, "List.Item")[0] ?? root, "Go to Session"));
  expect(command.calls).toEqual([["focus", "--json", "--", `gemini:${id}`]]);
});
