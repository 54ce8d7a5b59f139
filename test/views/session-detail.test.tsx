import { List } from "@raycast/api";
import { appendFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../src/session/session";
import { EventLogs } from "../../src/store/event-log";
import { SessionDetail } from "../../src/views/session-detail";
import { Color } from "../host/names";
import { action, all, cleanup, eventually, one, render, run, tell, titleOf, type Node } from "../host";
import { launch } from "../host/launch";
import { deliver } from "../inbox-file";
import { AgentFiles, now } from "./agent-files";
import { open, row, sections } from "./list-window";
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

describe("the detail pane", () => {
  async function detailOf(title: string): Promise<{ root: Node; markdown: string; facts: [string, string][] }> {
    const root = await open();
    await run(action(row(root, title), "Show Details"));
    const detail = one(row(root, title), "List.Item.Detail");
    return {
      root,
      markdown: String(detail.props.markdown),
      facts: all(detail, "Metadata.Label").map((label) => [titleOf(label), String(label.props.text)]),
    };
  }

  test("has the message whole, in a block that shows it as it is", async () => {
    const message = "Look: ![pixel](https://spy.example/p.png) <img src=x> [link](https://x.example)\n```\n# heading";
    files.status("s1", "waiting", { title: "Asking", message });
    const { markdown } = await detailOf("Asking");
    expect(markdown).toBe(`\`\`\`\nAsking\n\`\`\`\n\n**What It Wants**\n\n\`\`\`\`\n${message}\n\`\`\`\``);
  });

  test("no text of a session leaves its block", async () => {
    files.status("s1", "waiting", {
      title: "`````\n![a](https://spy.example/a.png)",
      message: "~~~\n``````\n![b](https://spy.example/b.png)\r\n```",
      tool: "```",
      activity: "![c](https://spy.example/c.png)",
    });
    const { markdown } = await detailOf("````` ![a](https://spy.example/a.png)");
    let fence = "";
    const outside: string[] = [];
    for (const line of markdown.split("\n")) {
      if (fence === "" && /^`{3,}$/.test(line)) fence = line;
      else if (fence !== "" && new RegExp(`^\`{${fence.length},}$`).test(line)) fence = "";
      else if (fence === "") outside.push(line);
    }
    expect(fence).toBe("");
    expect(outside.filter((line) => line !== "")).toEqual(["**What It Wants**", "**What It Does**"]);
  });

  test("says what a session does", async () => {
    files.status("s1", "working", { title: "Busy", tool: "Bash", activity: "npm test" });
    expect((await detailOf("Busy")).markdown).toContain("**What It Does**\n\n```\nBash: npm test\n```");
  });

  test("has the times, both as a distance and exact", async () => {
    const at = now();
    files.status("s1", "scheduled", {
      title: "Later",
      ts: at - 7300,
      turn_started_at: at - 400,
      done_at: at - 130,
      wakeup_at: at + 1830,
    });
    const { facts } = await detailOf("Later");
    const exact = (seconds: number) =>
      new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
    expect(facts.slice(0, 4)).toEqual([
      ["Since", `2h ago (${exact(at - 7300)})`],
      ["Turn Began", `6m ago (${exact(at - 400)})`],
      ["Answered", `2m ago (${exact(at - 130)})`],
      ["Wake-Up", `in 30m (${exact(at + 1830)})`],
    ]);
  });

  test("has what runs beside, and what each source says", async () => {
    const at = now();
    files.status("s1", "working", {
      agent: "codex",
      title: "Busy",
      cwd: "/w/api",
      permission_mode: "plan",
      event: "PreToolUse",
      event_ts: at - 200,
      tool: "Bash",
      subagents: 1,
      background: {
        b1: { at: at - 130, command: "npm run dev" },
        b2: { at: at - 900, command: "npm test", exit_code: 2, failed_at: at - 70 },
      },
      monitors: { m1: ["the deploy", at - 190] },
    });
    files.signal({ "codex-cli:s1": { signal: "working", agent: "codex", updated_at: Math.floor(at - 130) } });
    const { facts, root } = await detailOf("Busy");
    expect(facts.slice(1)).toEqual([
      ["Agent", "Codex (codex-cli)"],
      ["Folder", "/w/api"],
      ["Permission Mode", "plan"],
      ["ID", "s1"],
      ["Subagents", "1"],
      ["Background Command", "npm run dev, 2m ago"],
      ["Failed Command", "npm test, exit code 2, 1m ago"],
      ["Monitor", "the deploy, 3m ago"],
      ["Status File", "Working, PreToolUse, 3m ago"],
      ["Agent Signal", "Working, 2m ago"],
    ]);
    expect(all(root, "Metadata.TagList.Item").map(({ props }) => props)).toEqual([
      { text: "Working", color: Color.Blue },
    ]);
  });

  test("takes the place of subtitles and accessories, and gives it back", async () => {
    files.status("s1", "waiting", { title: "Asking", cwd: "/w/api" });
    const { root } = await detailOf("Asking");
    expect(one(root, "List").props.isShowingDetail).toBe(true);
    expect(row(root, "Asking").props).toMatchObject({ subtitle: undefined, accessories: undefined });
    await run(action(row(root, "Asking"), "Hide Details"));
    expect(one(root, "List").props.isShowingDetail).toBe(false);
    expect(row(root, "Asking").props.accessories).toBeDefined();
    expect(all(root, "List.Item.Detail")).toEqual([]);
  });

  test("says how full the context is, and how long the provider keeps it", async () => {
    const at = now();
    const context = { tokens: 120_000, window: 200_000, model: "opus", lastAnswerAt: at - 570 };
    const { facts } = await detailOfSession({ state: "idle", context });
    expect(facts).toEqual(
      expect.arrayContaining([
        ["Model", "opus"],
        ["Context", "▰▰▰▰▰▰▱▱▱▱ 120k of 200k"],
        ["Cache", "Warm, 50m left"],
      ]),
    );
    expect(facts.find(([title]) => title === "Model Last Answered")?.[1]).toMatch(/^9m ago/);
  });

  test.each<[string, Partial<Session>, string | undefined, string]>([
    ["without a window", { context: { tokens: 950 } }, "950 tokens", "No answer yet"],
    ["more than fits", { context: { tokens: 9e5, window: 2e5 } }, "▰▰▰▰▰▰▰▰▰▰ 900k of 200k", "No answer yet"],
    ["no tokens", { context: { model: "opus" } }, undefined, "No answer yet"],
    ["cold", { doneAt: now() - 7200, context: {} }, undefined, "Cold for 2h"],
    ["at work", { state: "working", context: {} }, undefined, "Works"],
  ])("the context %s", async (_name, given, context, cache) => {
    const { facts } = await detailOfSession(given);
    const known = new Map(facts);
    expect([known.get("Context"), known.get("Cache")]).toEqual([context, cache]);
  });
});

/** The pane of a session that nobody reports: what a transcript tells is not to be had without one. */
async function detailOfSession(given: Partial<Session>): Promise<{ facts: [string, string][] }> {
  const session: Session = {
    id: "claude:s1",
    agent: "claude",
    sessionId: "s1",
    state: "idle",
    since: now() - 300,
    title: "One",
    unread: false,
    needsYou: false,
    subagents: 0,
    sources: [],
    evidence: [],
    ...given,
  };
  const { root } = await render(() => (
    <List isShowingDetail searchBarPlaceholder="Search">
      <List.Item title="One" detail={<SessionDetail session={session} now={now()} />} />
    </List>
  ));
  return { facts: all(root, "Metadata.Label").map((label) => [titleOf(label), String(label.props.text)]) };
}

describe("the last events", () => {
  const BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };

  function send(id: string, event: string, ago: number, more: Record<string, unknown> = {}): void {
    const payload = { session_id: id, hook_event_name: event, ...more };
    deliver(files.places.home, { agent: "claude", event, at: now() - ago, payload });
  }

  /** The lines under Last Events in a row's pane. */
  function events(root: Node, title: string): string[] {
    const markdown = String(one(row(root, title), "List.Item.Detail").props.markdown);
    return markdown.split("**Last Events**")[1]?.trim().split("\n").slice(1, -1) ?? [];
  }

  test("of the selected row stand below what it does, the newest first, five of them", async () => {
    send("s1", "UserPromptSubmit", 700, { prompt: "Fix the build" });
    for (let ago = 600; ago > 200; ago -= 100) send("s1", "PreToolUse", ago, BASH);
    send("s1", "PermissionRequest", 130, BASH);
    send("s2", "UserPromptSubmit", 60, { prompt: "Add an index" });
    const root = await open();
    await run(action(row(root, "Fix the build"), "Show Details"));
    expect(events(root, "Fix the build")).toEqual([
      expect.stringMatching(/^2m ago: PermissionRequest \(Bash\), Working → Waiting · Began waiting: .*npm test$/),
      ...[5, 6, 8, 10].map((ago) => `${ago}m ago: PreToolUse (Bash), Working`),
    ]);
    expect(events(root, "Add an index")).toEqual([]);
    await tell(one(root, "List"), "onSelectionChange", "claude:s2");
    expect(events(root, "Add an index")).toEqual(["1m ago: UserPromptSubmit, New: Working"]);
    expect(events(root, "Fix the build")).toEqual([]);
  });

  test("are live while they show", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    const root = await open();
    await run(action(row(root, "Fix the build"), "Show Details"));
    send("s1", "Stop", 1);
    await eventually(() =>
      expect(events(root, "Fix the build")).toEqual([
        "just now: Stop, Working → Done · Answer unread",
        "1m ago: UserPromptSubmit, New: Working",
      ]),
    );
  });

  test("of one that only others report, there are none, and nothing is said of them", async () => {
    files.status("s1", "working", { title: "Busy" });
    const root = await open();
    await run(action(row(root, "Busy"), "Show Details"));
    expect(one(row(root, "Busy"), "List.Item.Detail").props.markdown).toBe("```\nBusy\n```");
  });

  test("that cannot be read say so", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    await (await launch("search-sessions")).unmount();
    const log = join(files.places.home, "events", "claude", "s1.jsonl");
    rmSync(log);
    symlinkSync("/etc/passwd", log);
    const root = await open();
    await run(action(row(root, "Fix the build"), "Show Details"));
    expect(events(root, "Fix the build")).toEqual(["Cannot be read: is no plain file of your own"]);
  });

  test("no text of theirs leaves its block, and a line is cut", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    await (await launch("search-sessions")).unmount();
    const evil = "```\n![a](https://spy.example/a.png)\u001b[2J\ud800";
    const line = { at: now() - 5, event: evil, from: "hook", tool: evil, after: "failed", failure: evil.repeat(9) };
    appendFileSync(join(files.places.home, "events", "claude", "s1.jsonl"), `${JSON.stringify(line)}\n`);
    const root = await open();
    await run(action(row(root, "Fix the build"), "Show Details"));
    const [first = ""] = events(root, "Fix the build");
    expect(first).toMatch(/^just now: .*!\[a\].*…$/);
    expect(first.length).toBeLessThanOrEqual(200);
    expect(one(row(root, "Fix the build"), "List.Item.Detail").props.markdown).toContain("\n````\njust now");
  });

  test("are not read while no details show, and are then of the row that was selected", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    send("s2", "UserPromptSubmit", 60, { prompt: "Add an index" });
    const root = await open();
    const read = jest.spyOn(EventLogs.prototype, "read");
    await tell(one(root, "List"), "onSelectionChange", "claude:s1");
    send("s2", "Stop", 1);
    await eventually(() => expect(sections(root)["Unread Answers"]).toEqual(["Add an index"]));
    expect(read).not.toHaveBeenCalled();
    await run(action(row(root, "Fix the build"), "Show Details"));
    expect(events(root, "Fix the build")).toHaveLength(1);
    expect(read.mock.calls.map(([request]) => request)).toContainEqual({
      limit: 5,
      session: { agent: "claude", sessionId: "s1" },
    });
    read.mockRestore();
  });
});
