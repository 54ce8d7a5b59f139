import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
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
  tell as call,
  titleOf,
  Toast,
  type Node,
} from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { AgentFiles, now } from "./agent-files";
import { filed, tell } from "./control-files";
import { FakeCommand } from "./fake-command";
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

type Answer = ConstructorParameters<typeof FakeCommand>[0];

function answering(answer: Answer): FakeCommand {
  const command = new FakeCommand(answer);
  files.prefer({ commandPath: command.path });
  return command;
}

/** What the command reports of one session that was reached. */
function reached(kind: Parameters<typeof filed>[0], request = filed(kind)) {
  return { kind, reached: [{ id: "claude:s1", title: "Shop", request }], leftOut: [], refused: [] };
}

function refusing(kind: Parameters<typeof filed>[0], reason: string) {
  return { out: { kind, reached: [], leftOut: [], refused: [{ id: "claude:s1", title: "Shop", reason }] }, code: 1 };
}

function shown() {
  return host.toasts.map(({ style, title, message }) => ({ style, title, message }));
}

const titles = (root: Node, title: string) => actions(row(root, title)).map(titleOf);

const CONTROLS = ["Send Message…", "Pause", "Pause and Restart", "Cancel Restart", "Stop", "End Process"];

test("each session has what can be asked of it", async () => {
  files.status("s1", "idle", { title: "Idle" });
  files.status("s2", "working", { title: "Busy" });
  files.status("s3", "dormant", { title: "Ended" });
  const root = await open();
  const controls = (title: string) => titles(root, title).filter((each) => CONTROLS.includes(each));
  expect(controls("Idle")).toEqual(["Send Message…", "Pause", "Pause and Restart"]);
  expect(controls("Busy")).toEqual(["Send Message…", "Pause", "Pause and Restart", "Stop"]);
  expect(controls("Ended")).toEqual([]);
});

describe("Pause", () => {
  test("follows the request to its outcome", async () => {
    files.status("s1", "idle", { title: "Shop" });
    const command = answering({ pause: { out: reached("save") } });
    tell(files, "s1", filed("save"), "queued", "delivered", {
      outcome: "saved",
      proof: { file: "/m/MEMORY.md", lines: 2 },
    });
    await run(action(row(await open(), "Shop"), "Pause"));
    expect(command.calls).toEqual([["pause", "--json", "--", "claude:s1"]]);
    expect(host.alerts).toEqual([]);
    expect(shown()).toEqual([{ style: Toast.Style.Success, title: "Saved", message: "2 lines in MEMORY.md" }]);
    expect(host.launched).toEqual(MENU_BAR_REFRESH);
  });

  test("shows how far it is meanwhile", async () => {
    files.status("s1", "idle", { title: "Shop" });
    answering({ pause: { out: reached("save") } });
    const root = await open();
    const paused = run(action(row(root, "Shop"), "Pause"));
    await eventually(() => expect(shown()).toMatchObject([{ style: Toast.Style.Animated, title: "Asking to Save…" }]));
    tell(files, "s1", filed("save"), "queued", "saving");
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(host.toasts[0]?.message).toBe("saving …");
    tell(files, "s1", filed("save"), "queued", "saving", { outcome: "failed", reason: "nothing was added" });
    await paused;
    expect(shown()).toEqual([{ style: Toast.Style.Failure, title: "Not Saved", message: "Nothing was added." }]);
  });

  test("who cannot be reached is said with the reason", async () => {
    files.status("s1", "waiting", { title: "Shop" });
    answering({ pause: refusing("save", "it waits for you at a dialog: answer that first") });
    await run(action(row(await open(), "Shop"), "Pause"));
    expect(shown()).toEqual([
      {
        style: Toast.Style.Failure,
        title: "Not Saved",
        message: "It waits for you at a dialog: answer that first.",
      },
    ]);
  });

  test("in this process: at a dialog nothing is sent", async () => {
    files.status("s1", "waiting", { title: "Shop", agent: "claude", done_at: now() - 60 });
    await run(action(row(await open(), "Shop"), "Pause"));
    expect(shown()).toMatchObject([
      { title: "Not Saved", message: "It waits for you at a dialog: answer that first." },
    ]);
  });

  test("a cold one asks first, and is woken only then", async () => {
    const at = now() - 7200;
    files.status("s1", "idle", { title: "Shop", agent: "claude", done_at: at, ts: at });
    const command = answering({ pause: refusing("save", "no way") });
    const root = await open();
    host.confirm = false;
    await run(action(row(root, "Shop"), "Pause"));
    expect(host.alerts).toMatchObject([
      { title: "Pause Shop?", message: "Saving sends its whole context anew: it has been cold for 2h." },
    ]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    await run(action(row(root, "Shop"), "Pause"));
    expect(command.calls).toEqual([["pause", "--json", "--include-cold", "--", "claude:s1"]]);
  });

  test("what fails is said, and nothing is left animated", async () => {
    files.status("s1", "idle", { title: "Shop" });
    files.prefer({ commandPath: "/nowhere/agent-sessions" });
    await run(action(row(await open(), "Shop"), "Pause"));
    expect(shown()).toMatchObject([
      { style: Toast.Style.Failure, title: "Not Saved", message: expect.stringContaining("does not exist") as string },
    ]);
  });
});

describe("Pause and Restart", () => {
  test("asks first, and says what it needs and costs", async () => {
    const at = now() - 7200;
    files.status("s1", "idle", { title: "Shop", agent: "claude", done_at: at, ts: at });
    const command = answering({ pause: { out: reached("save-restart") } });
    const root = await open();
    host.confirm = false;
    await run(action(row(root, "Shop"), "Pause and Restart"));
    expect(host.alerts).toMatchObject([
      {
        title: "Save and Restart Shop?",
        message:
          "It saves where it stands; once that is proven, its context is cleared and it starts fresh. " +
          "Without the plugin in it, it only saves. Waking it sends its whole context anew: it has been cold for 2h.",
      },
    ]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    tell(files, "s1", filed("save-restart"), "queued", "saved", "restarted");
    await run(action(row(root, "Shop"), "Pause and Restart"));
    expect(command.calls).toEqual([["pause", "--json", "--restart", "--include-cold", "--", "claude:s1"]]);
    expect(shown().at(-1)).toMatchObject({ style: Toast.Style.Success, title: "Saved and Restarted" });
  });
});

describe("Cancel Restart", () => {
  test("is there only while one is armed, and takes it back", async () => {
    files.status("s1", "idle", { title: "Shop" });
    tell(files, "s1", filed("save-restart"), "queued", "saving");
    const command = answering({
      cancel: { out: reached("cancel", { ...filed("cancel", "id-2") }) },
    });
    const root = await open();
    await eventually(() => expect(titles(root, "Shop")).toContain("Cancel Restart"));
    tell(files, "s1", filed("cancel", "id-2"), "delivered");
    await run(action(row(root, "Shop"), "Cancel Restart"));
    expect(command.calls).toEqual([["cancel", "--json", "--", "claude:s1"]]);
    expect(shown()).toMatchObject([{ style: Toast.Style.Success, title: "Restart Canceled" }]);
  });

  test.each([
    ["a save without a restart", "save", ["queued", "saving"]],
    ["a restart that is over", "save-restart", ["queued", "saved", "restarted"]],
  ] as const)("not for %s", async (_name, kind, outcomes) => {
    files.status("s1", "idle", { title: "Shop" });
    tell(files, "s1", filed(kind), ...outcomes);
    const root = await open();
    await run(action(row(root, "Shop"), "Refresh"));
    expect(titles(root, "Shop")).not.toContain("Cancel Restart");
  });
});

describe("Stop", () => {
  test("asks first, then stops the turn", async () => {
    files.status("s1", "working", { title: "Shop" });
    const command = answering({ stop: { out: reached("interrupt") } });
    tell(files, "s1", filed("interrupt"), "delivered");
    const root = await open();
    host.confirm = false;
    await run(action(row(root, "Shop"), "Stop"));
    expect(host.alerts).toMatchObject([{ title: "Stop Shop?", primaryAction: { style: "DESTRUCTIVE" } }]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    await run(action(row(root, "Shop"), "Stop"));
    expect(command.calls).toEqual([["stop", "--json", "--", "claude:s1"]]);
    expect(shown()).toMatchObject([{ style: Toast.Style.Success, title: "Stopped" }]);
  });

  test("in this process: without a certain way it says why", async () => {
    files.status("s1", "working", { title: "Shop", agent: "claude" });
    await run(action(row(await open(), "Shop"), "Stop"));
    expect(shown()).toMatchObject([{ style: Toast.Style.Failure, title: "Could Not Stop" }]);
    expect(host.toasts[0]?.message).toBeTruthy();
  });
});

describe("End Process", () => {
  const registry = join(process.env.HOME ?? "", ".claude", "sessions");

  /** A session that Claude's registry tells of: this process, so that it runs and is certain. */
  function running(): void {
    mkdirSync(registry, { recursive: true });
    const at = Date.now();
    const entry = {
      pid: process.pid,
      sessionId: "5f0cbd4c-0b4c-4b57-9a5a-0f5a3f5f0001",
      cwd: "/w/shop",
      name: "shop-1",
      status: "busy",
      startedAt: at,
      statusUpdatedAt: at,
      updatedAt: at,
    };
    writeFileSync(join(registry, `${process.pid}.json`), JSON.stringify(entry));
  }

  afterEach(() => rmSync(registry, { recursive: true, force: true }));

  async function openRunning(): Promise<Node> {
    running();
    const root = await open();
    await eventually(() => expect(titles(root, "shop-1")).toContain("End Process"));
    return root;
  }

  test("is red, and asks first with the process's number", async () => {
    const command = answering({ stop: { out: { id: "x", outcome: "ended", by: "SIGTERM" } } });
    const root = await openRunning();
    expect(action(row(root, "shop-1"), "End Process").props.style).toBe("destructive");
    host.confirm = false;
    await run(action(row(root, "shop-1"), "End Process"));
    expect(host.alerts).toMatchObject([
      {
        title: "End the Process of shop-1?",
        message: `Process ${process.pid} is ended. What it has not saved is lost.`,
        primaryAction: { title: "End Process", style: "DESTRUCTIVE" },
      },
    ]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    await run(action(row(root, "shop-1"), "End Process"));
    expect(command.calls).toEqual([
      ["stop", "--kill", "--yes", "--json", "--", "claude:5f0cbd4c-0b4c-4b57-9a5a-0f5a3f5f0001"],
    ]);
    expect(shown()).toMatchObject([{ style: Toast.Style.Success, title: "Process Ended" }]);
  });

  test("that is refused is said with the reason", async () => {
    answering({ stop: { out: { id: "x", outcome: "refused", reason: "its process has ended already" }, code: 1 } });
    await run(action(row(await openRunning(), "shop-1"), "End Process"));
    expect(shown()).toMatchObject([
      {
        style: Toast.Style.Failure,
        title: "Could Not End Process",
        message: "Nothing was ended: its process has ended already.",
      },
    ]);
  });

  test("is not there where the process is not certain", async () => {
    files.status("s1", "working", { title: "Shop" });
    expect(titles(await open(), "Shop")).not.toContain("End Process");
  });
});

describe("Send Message…", () => {
  /** The form that was pushed, in a window of its own. */
  async function form(): Promise<Node> {
    const element = host.pushed.at(-1) as ReactElement;
    return (await render(() => element)).root;
  }

  test("is written in a form, and sent as it is", async () => {
    files.status("s1", "idle", { title: "Shop" });
    const command = answering({ send: { out: reached("prompt") } });
    tell(files, "s1", filed("prompt"), "delivered");
    await run(action(row(await open(), "Shop"), "Send Message…"));
    const root = await form();
    expect(one(root, "Form.Description").props).toMatchObject({ title: "To", text: "Shop" });
    await run(action(root, "Send Message"), { text: "--kill $(x)\nline two\u001b[2J\u0000" });
    expect(command.calls).toEqual([["send", "--json", "--", "claude:s1", "--kill $(x)\nline two[2J"]]);
    expect(shown()).toMatchObject([{ style: Toast.Style.Success, title: "Message Sent" }]);
    expect(host.popped).toBe(1);
  });

  test.each([
    ["waiting", "dialog"],
    ["decision", "question"],
  ])("is not even written to one that is %s", async (state, word) => {
    files.status("s1", state, { title: "Shop" });
    await run(action(row(await open(), "Shop"), "Send Message…"));
    expect(host.pushed).toEqual([]);
    expect(shown()).toMatchObject([
      {
        style: Toast.Style.Failure,
        title: "Cannot Send a Message Now",
        message: expect.stringContaining(word) as string,
      },
    ]);
  });

  test("one that came to a dialog meanwhile is refused by the verb; the form stays with its text", async () => {
    files.status("s1", "idle", { title: "Shop", agent: "claude" });
    await run(action(row(await open(), "Shop"), "Send Message…"));
    const root = await form();
    files.status("s1", "waiting", { title: "Shop", agent: "claude" });
    await run(action(root, "Send Message"), { text: "yes" });
    expect(shown()).toMatchObject([{ title: "Not Sent", message: "It waits for you at a dialog: answer that first." }]);
    expect(host.popped).toBe(0);
  });

  test.each([[""], [" \n "], [null], [undefined], ["\u0007"]])(
    "an empty text says so at the field: %j",
    async (text) => {
      files.status("s1", "idle", { title: "Shop" });
      const command = answering({});
      await run(action(row(await open(), "Shop"), "Send Message…"));
      const root = await form();
      await run(action(root, "Send Message"), { text });
      expect(one(root, "Form.TextArea").props.error).toBe("There is no text to send.");
      expect([command.calls, host.toasts, host.popped]).toEqual([[], [], 0]);
      await call(one(root, "Form.TextArea"), "onChange", "x");
      expect(one(root, "Form.TextArea").props.error).toBeUndefined();
    },
  );

  test("a text that is too long says so at the field", async () => {
    files.status("s1", "idle", { title: "Shop" });
    await run(action(row(await open(), "Shop"), "Send Message…"));
    const root = await form();
    await run(action(root, "Send Message"), { text: "x".repeat(20_000) });
    expect(one(root, "Form.TextArea").props.error).toMatch(/at most 16384/);
  });

  test("what waking a cold one costs stands in the form", async () => {
    const at = now() - 7200;
    files.status("s1", "idle", { title: "Shop", agent: "claude", done_at: at, ts: at });
    await run(action(row(await open(), "Shop"), "Send Message…"));
    const root = await form();
    expect(all(root, "Form.Description").map(({ props }) => props.text)).toEqual([
      "Shop",
      "It has been cold for 2h: a message sends its whole context anew.",
    ]);
  });
});

test("a title that steers stays a title everywhere", async () => {
  files.status("s1", "working", { title: "a\u001b[2J\u202e\nb" });
  answering({ stop: refusing("interrupt", "no\u001b[2J way") });
  const root = await open();
  await run(action(all(root, "List.Item")[0] ?? root, "Stop"));
  expect(JSON.stringify([host.alerts, shown()])).not.toMatch(/\\u001b|\\u202e|\u202e/);
});
