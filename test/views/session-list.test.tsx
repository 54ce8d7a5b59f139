import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { observe } from "../../src/observe/observer";
import { passes } from "../../src/views/session-filter";
import { Color, Icon } from "../host/names";
import { action, all, choose, cleanup, eventually, host, matching, one, run, tell, titleOf, type Node } from "../host";
import { launch } from "../host/launch";
import { deliver } from "../inbox-file";
import { AgentFiles, now } from "./agent-files";
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

async function open(context?: Record<string, unknown>): Promise<Node> {
  const { root } = await launch("search-sessions", context === undefined ? {} : { context });
  return root;
}

/** Opens the list, and waits until it follows changes: what comes at once may be of the first look. */
async function openLive(): Promise<Node> {
  const root = await open();
  for (const title of ["Change 1", "Change 2"]) {
    files.status("change", "working", { title });
    await eventually(() => expect(rows(root)).toContain(title));
  }
  return root;
}

function row(root: Node, title: string): Node {
  return one(root, "List.Item", title);
}

function rows(root: Node): string[] {
  return all(root, "List.Item").map(titleOf);
}

/** The sections with the rows in each. */
function sections(root: Node): Record<string, string[]> {
  return Object.fromEntries(all(root, "List.Section").map((section) => [titleOf(section), rows(section)]));
}

interface Accessory {
  text?: string;
  tag?: { value: string; color: string };
  icon?: unknown;
  tooltip: string;
}

function accessories(item: Node): Accessory[] {
  return item.props.accessories as Accessory[];
}

/** What a row says at its right, without tooltips. */
function says(item: Node): (string | undefined)[] {
  return accessories(item).map(({ text, tag }) => tag?.value ?? text);
}

describe("rows", () => {
  test("stand in sections by need, each section in its order", async () => {
    const at = now();
    files.status("w1", "waiting", { cwd: "/w/api", ts: at - 60 });
    files.status("w2", "waiting", { cwd: "/w/web", ts: at - 600 });
    files.status("q1", "decision", { title: "Which way" });
    files.status("f1", "failed", { title: "Out of quota" });
    files.status("d1", "done", { title: "Answered", done_at: at - 30 });
    files.status("e1", "dormant", { title: "Answered and ended", done_at: at - 90 });
    files.status("r1", "working", { title: "Refactoring", tool: "Bash" });
    files.status("c1", "compacting", { title: "Compacting" });
    files.status("s1", "waitingForSubagents", { title: "Delegating", subagents: 2 });
    files.status("p1", "scheduled", { title: "Tomorrow", wakeup_at: at + 7200 });
    files.status("p2", "scheduled", { title: "Soon", wakeup_at: at + 1830 });
    files.status("i1", "idle", { title: "Resting" });
    files.status("o1", "dormant", { title: "Over" });
    files.status("u1", "unknown", { title: "Who knows" });
    files.signal({ "codex-cli:c0ffee": { signal: "permission_request", agent: "codex" } });

    const root = await open();

    expect(sections(root)).toEqual({
      "Needs You": ["Which way", "web", "api", "c0ffee", "Out of quota"],
      "Unread Answers": ["Answered", "Answered and ended"],
      Working: ["Refactoring", "Compacting", "Delegating"],
      Scheduled: ["Soon", "Tomorrow"],
      Idle: ["Resting"],
      Ended: ["Over"],
      Unknown: ["Who knows"],
    });
    expect(all(root, "List.Section").map(({ props }) => props.subtitle)).toEqual(["5", "2", "3", "2", "1", "1", "1"]);
    expect(one(root, "List").props).toMatchObject({ isLoading: false, filtering: { keepSectionOrder: true } });
  });

  test.each([
    ["waiting", "state-waiting.png", Color.Red, "Waiting"],
    ["decision", "state-decision.png", Color.Red, "Decision"],
    ["failed", "state-failed.png", Color.Red, "Failed"],
    ["working", "state-working.png", Color.Blue, "Working"],
    ["compacting", "state-compacting.png", Color.Blue, "Compacting"],
    ["waitingForSubagents", "state-waiting-for-subagents.png", Color.Blue, "Subagents"],
    ["scheduled", "state-scheduled.png", Color.Purple, "Scheduled"],
    ["idle", "state-idle.png", Color.SecondaryText, "Idle"],
    ["dormant", "state-dormant.png", Color.SecondaryText, "Ended"],
    ["unknown", "state-unknown.png", Color.Yellow, "Unknown"],
  ])("%s has its icon in its color, and says its state", async (state, source, tintColor, word) => {
    files.status("s1", state, { title: "One" });
    const root = await open();
    const item = row(root, "One");
    expect(item.props.icon).toEqual({ value: { source, tintColor }, tooltip: word });
    expect(accessories(item).find(({ tag }) => tag !== undefined)?.tag).toEqual({ value: word, color: tintColor });
  });

  test("an unread answer is green, whatever its session does meanwhile", async () => {
    files.status("s1", "done", { title: "Answered", done_at: now() - 5 });
    files.status("s2", "working", { title: "Going on", done_at: now() - 5 });
    files.status("s3", "waiting", { title: "Asking", done_at: now() - 5 });
    const root = await open();
    expect(row(root, "Answered").props.icon).toMatchObject({
      value: { source: "state-done.png", tintColor: Color.Green },
    });
    expect(row(root, "Going on").props.icon).toMatchObject({
      value: { source: "state-working.png", tintColor: Color.Green },
    });
    expect(says(row(root, "Going on"))).toEqual(["Claude Code", "Unread", "Working", "5m"]);
    expect(row(root, "Asking").props.icon).toMatchObject({ value: { tintColor: Color.Red } });
    expect(says(row(root, "Answered"))).toEqual(["Claude Code", "Done", "5m"]);
  });

  test("say at the right what runs beside, whose they are, the state and since when, each with a tooltip", async () => {
    const at = now();
    files.status("s1", "working", {
      agent: "codex-vscode",
      title: "Busy",
      tool: "Bash",
      subagents: 3,
      background: {
        b1: { at: at - 60, command: "npm run dev" },
        b2: { at: at - 60, command: "npm test", exit_code: 2, failed_at: at - 20 },
      },
      monitors: { m1: ["the deploy", at - 60] },
    });
    files.status("s2", "scheduled", { title: "Later", wakeup_at: at + 1830 });
    const root = await open();

    expect(says(row(root, "Busy"))).toEqual(["3", "1", "1", "1", "Codex", "Working", "5m"]);
    expect(accessories(row(root, "Busy")).map(({ tooltip }) => tooltip)).toEqual([
      "3 subagents",
      "In the background: npm run dev",
      "Failed in the background: npm test",
      "Monitors: the deploy",
      "Agent: Codex (codex-vscode)",
      "Working",
      expect.stringMatching(/^Since .*\d/),
    ]);
    expect(says(row(root, "Later"))).toEqual(["in 30m", "Claude Code", "Scheduled", "5m"]);
  });

  test("a tooltip names a few commands, cut, and counts the rest", async () => {
    const background = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`b${index}`, { command: `${index} ${"x".repeat(400)}` }]),
    );
    files.status("s1", "working", { title: "Busy", tool: "Bash", background });
    const [running] = accessories(row(await open(), "Busy"));
    expect(running?.text).toBe("9");
    expect(running?.tooltip).toMatch(/^In the background: 0 x+…; 1 x+…; 2 x+…; 6 more$/);
    expect(running?.tooltip.length).toBeLessThan(300);
  });

  test("say where they work, and what they want of the user", async () => {
    files.status("s1", "waiting", { title: "Deploy", cwd: "/w/api", message: "Run `rm -rf build`?\nReally?" });
    files.status("s2", "working", { title: "Docs", cwd: "/w/web", message: "not for the user" });
    files.status("s3", "decision", { cwd: "/w/shop", waiting_for: "plan" });
    files.status("s4", "idle", { cwd: "/w/blog" });
    files.status("s5", "failed", { title: "Long", message: "y".repeat(499) });
    const root = await open();
    expect(row(root, "Deploy").props.subtitle).toBe("api – Run `rm -rf build`? Really?");
    expect(row(root, "Docs").props.subtitle).toBe("web");
    expect(row(root, "shop").props.subtitle).toBe("Asks to approve its plan");
    expect(row(root, "blog").props.subtitle).toBeUndefined();
    expect(String(row(root, "Long").props.subtitle)).toHaveLength(120);
  });

  test("are found by id, agent, folder, project, state and whether they are unread", async () => {
    files.status("4f2e8190", "working", { title: "Refactoring", cwd: "/home/ann/code/api" });
    files.status("other", "done", { title: "Done", agent: "gemini", done_at: now() });
    const root = await open();
    const list = one(root, "List");
    for (const typed of ["refac", "4f2e", "claude", "ann", "api", "working", "claude api"]) {
      expect([typed, matching(list, typed).map(titleOf)]).toEqual([typed, ["Refactoring"]]);
    }
    expect(matching(list, "unread").map(titleOf)).toEqual(["Done"]);
    expect(matching(list, "gemini").map(titleOf)).toEqual(["Done"]);
  });

  test("names and texts that would steer or break the view are shown as text", async () => {
    files.signal({
      "half \ud83d": { signal: "attention", agent: "gemini" },
      "other \ud83e": { signal: "attention", agent: "gemini" },
    });
    files.status("s1", "waiting", {
      title: "left \u202e right",
      message: "esc \u001b[2J",
      cwd: "/w/half \ud83d",
      tool: "Bash\u0007",
      background: { b1: { command: "cut \ud83d" } },
    });
    const root = await open();
    await run(action(row(root, "left � right"), "Show Details"));
    expect(rows(root)).toEqual(expect.arrayContaining(["half �", "other �", "left � right"]));
    expect(new Set(all(root, "List.Item").map(({ props }) => props.id)).size).toBe(3);
  });
});

describe("very many sessions", () => {
  /** As many ended sessions, the latest first, and one that works. */
  async function many(count: number): Promise<Node> {
    for (let index = 0; index < count; index += 1) {
      files.status(`e${index}`, "dormant", {
        title: `Ended ${index}`,
        cwd: `/w/p${index}`,
        ts: now() - 1000 - index,
      });
    }
    files.status("r1", "working", { title: "Refactoring" });
    return open();
  }

  test("the latest stand in the list, and it says that there are others", async () => {
    const root = await many(510);
    expect(rows(root)).toHaveLength(500);
    expect(rows(root).slice(0, 2)).toEqual(["Refactoring", "Ended 0"]);
    expect(all(root, "List.Section").map(({ props }) => [props.title, props.subtitle])).toEqual([
      ["Working", "1"],
      ["Ended", "499 of 510, search to see others"],
    ]);
  });

  test("the others are found by what is typed", async () => {
    const root = await many(510);
    for (const typed of ["ended 505", "P505", "e505"]) {
      await tell(one(root, "List"), "onSearchTextChange", typed);
      expect(matching(one(root, "List"), typed).map(titleOf)).toEqual(["Ended 505"]);
    }
    await tell(one(root, "List"), "onSearchTextChange", "");
    expect(rows(root)).toHaveLength(500);
  });

  test("up to that many there is nothing to say", async () => {
    const root = await many(499);
    expect(rows(root)).toHaveLength(500);
    expect(all(root, "List.Section").map(({ props }) => props.subtitle)).toEqual(["1", "499"]);
  });
});

describe("the filter", () => {
  beforeEach(() => {
    files.status("s1", "waiting", { title: "Asking" });
    files.status("s2", "working", { title: "Working", agent: "codex" });
    files.status("s3", "idle", { title: "Idle", agent: "codex" });
    files.status("s4", "dormant", { title: "Answered", done_at: now() - 9 });
    files.raw("broken.json", "{}");
  });

  test.each([
    ["all", ["Asking", "Answered", "Working", "Idle", "broken.json"]],
    ["needs-you", ["Asking"]],
    ["unread", ["Answered"]],
    ["state:working", ["Working"]],
    ["state:compacting", []],
    ["agent:codex", ["Working", "Idle"]],
    ["agent:claude", ["Asking", "Answered"]],
  ])("%s", async (value, expected) => {
    const root = await open();
    await choose(one(root, "List.Dropdown"), value);
    expect(rows(root)).toEqual(expected);
  });

  test("offers each state with its icon, and the agents that are there by their names", async () => {
    const dropdown = one(await open(), "List.Dropdown");
    const [states, agents] = all(dropdown, "List.Dropdown.Section").map((section) =>
      all(section, "List.Dropdown.Item").map(titleOf),
    );
    expect(states).toEqual([
      "Idle",
      "Working",
      "Waiting",
      "Decision",
      "Done",
      "Failed",
      "Scheduled",
      "Subagents",
      "Compacting",
      "Ended",
      "Unknown",
    ]);
    expect(agents).toEqual(["Claude Code", "Codex"]);
    expect(dropdown.props.tooltip).toBe("Filter by State or Agent");
  });

  test("begins as the user left it, an agent too", async () => {
    host.dropdowns.set("Filter by State or Agent", "agent:codex");
    expect(rows(await open())).toEqual(["Working", "Idle"]);
  });

  test("a stored value that means nothing filters nothing", async () => {
    host.dropdowns.set("Filter by State or Agent", "state:napping");
    const root = await open();
    expect(rows(root)).toHaveLength(5);
    // A launcher that keeps such a value would tell it.
    const { sessions } = await observe({ places: files.places });
    expect(sessions.filter((session) => passes(session, "state:napping"))).toHaveLength(4);
  });

  test("keeps the chosen agent when its last session goes", async () => {
    const root = await open();
    await choose(one(root, "List.Dropdown"), "agent:codex");
    files.remove("s2");
    files.remove("s3");
    await eventually(() => expect(rows(root)).toEqual([]));
    expect(titleOf(one(root, "List.EmptyView"))).toBe("No Matching Sessions");
    files.status("s5", "working", { title: "New", agent: "codex" });
    await eventually(() => expect(rows(root)).toEqual(["New"]));
  });

  test("opened at a session, the list shows and selects it, whatever was filtered last", async () => {
    host.dropdowns.set("Filter by State or Agent", "needs-you");
    const root = await open({ id: "claude:s4" });
    expect(rows(root)).toContain("Answered");
    expect(one(root, "List").props.selectedItemId).toBe("claude:s4");
    await tell(one(root, "List"), "onSelectionChange", "claude:s4");
    expect(one(root, "List").props.selectedItemId).toBeUndefined();
  });

  test.each([{ id: "claude:gone" }, { id: 7 }, {}])("opened at %j, it begins at its first row", async (context) => {
    expect(one(await open(context), "List").props.selectedItemId).toBeUndefined();
  });
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

describe("what is wrong", () => {
  test("broken files are named, with what is wrong and what can be done", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    files.raw("cut.json", '{"session_id":"cut"');
    files.raw("other.json", JSON.stringify({ session_id: "another", state: "idle", ts: 1 }));
    files.status("long", "idle", { title: "Long", event: "e".repeat(80) });
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(files.places.statusDirectory, "cut.json"), old, old);
    symlinkSync("/etc/passwd", join(files.places.statusDirectory, "link.json"));
    mkdirSync(join(files.places.statusDirectory, "folder.json"));
    const root = await open();

    expect(sections(root).Problems?.sort()).toEqual([
      "cut.json",
      "folder.json",
      "link.json",
      "long.json",
      "other.json",
    ]);
    const subtitle = (name: string) => row(root, name).props.subtitle;
    expect(subtitle("cut.json")).toMatch(/^is not JSON/);
    expect(subtitle("other.json")).toBe('session_id "another" does not match the file name');
    expect(subtitle("folder.json")).toBe("is a folder, not a file");
    expect(subtitle("link.json")).toBe("is a symbolic link, not a plain file");
    expect(subtitle("long.json")).toBe("event is longer than 64 characters; cut");
    expect(row(root, "long.json").props.icon).toEqual({
      value: { source: Icon.ExclamationMark, tintColor: Color.SecondaryText },
      tooltip: "The rest of the file counts",
    });

    await run(action(row(root, "cut.json"), "Show File"));
    expect(host.opened).toEqual([join(files.places.statusDirectory, "cut.json")]);
    await run(action(row(root, "folder.json"), "Copy Problem"));
    expect(host.clipboard).toBe(`${join(files.places.statusDirectory, "folder.json")}: is a folder, not a file`);
    await run(action(row(root, "Refactoring"), "Show Details"));
    expect(one(row(root, "cut.json"), "List.Item.Detail").props.markdown).toContain("is not JSON");
  });

  test("several broken files and no session: each is named", async () => {
    files.raw("a.json", "[]");
    files.raw("b.json", '{"state":"idle"}');
    const root = await open();
    expect(sections(root)).toEqual({ Problems: ["a.json", "b.json"] });
    expect(row(root, "b.json").props.subtitle).toBe("session_id is missing; ts is missing");
  });
});

describe("the empty view", () => {
  function emptyView(root: Node): { title: string; description: string; actions: string[] } {
    const view = one(root, "List.EmptyView");
    return {
      title: titleOf(view),
      description: String(view.props.description),
      actions: all(view, "Action").map(titleOf),
    };
  }

  /** A clock that can be broken stands for whatever may fail in reading. */
  function breakableClock(): { broken: boolean } {
    const clock = { broken: false };
    const { now: read } = Date;
    jest.spyOn(Date, "now").mockImplementation(() => {
      if (clock.broken) throw new Error("The clock is broken.");
      return read();
    });
    return clock;
  }

  afterEach(() => jest.restoreAllMocks());

  const help = ["Open Extension Preferences", "Refresh"];

  test("no agent reports here: says how one does", async () => {
    rmSync(files.places.statusDirectory, { recursive: true });
    const root = await open();
    expect(rows(root)).toEqual([]);
    expect(emptyView(root)).toEqual({
      title: "No Agent Reports Here",
      description: "Let an agent write status files, or name their folder in the preferences.",
      actions: help,
    });
    await run(action(one(root, "List.EmptyView"), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
  });

  test("a folder that appears later is seen on a refresh", async () => {
    rmSync(files.places.statusDirectory, { recursive: true });
    const root = await open();
    mkdirSync(files.places.statusDirectory);
    files.status("s1", "idle", { title: "Resting" });
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["Resting"]));
  });

  test("agents report, but none runs", async () => {
    expect(emptyView(await open())).toEqual({
      title: "No Sessions",
      description: "Sessions appear here as soon as an agent reports one.",
      actions: help,
    });
  });

  test("nothing matches what was typed", async () => {
    files.status("s1", "idle", { title: "Resting" });
    const root = await open();
    expect(matching(one(root, "List"), "zzz")).toEqual([]);
    expect(emptyView(root)).toEqual({
      title: "No Matching Sessions",
      description: "Change the search, or the filter beside it.",
      actions: [],
    });
  });

  test("a file stands where the directory should: says so, and where to correct it", async () => {
    rmSync(files.places.statusDirectory, { recursive: true });
    writeFileSync(files.places.statusDirectory, "");
    const root = await open();
    expect(rows(root)).toEqual([]);
    expect(emptyView(root)).toEqual({
      title: "Sessions Cannot Be Read",
      description: `${files.places.statusDirectory}: is not a folder. Correct it, or name another folder in the preferences.`,
      actions: help,
    });

    rmSync(files.places.statusDirectory);
    mkdirSync(files.places.statusDirectory);
    files.status("s1", "idle", { title: "Resting" });
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    expect(rows(root)).toEqual(["Resting"]);
  });

  const asRoot = process.geteuid?.() === 0 ? test : test.skip;

  asRoot("another user's directory is refused", async () => {
    chownSync(files.places.statusDirectory, 12_345, 12_345);
    const { title, description } = emptyView(await open());
    expect(title).toBe("Sessions Cannot Be Read");
    expect(description).toContain("belongs to another user");
  });

  const asUser = process.geteuid?.() === 0 ? test.skip : test;

  asUser("a directory that cannot be listed", async () => {
    chmodSync(files.places.statusDirectory, 0);
    const { title, description } = emptyView(await open());
    chmodSync(files.places.statusDirectory, 0o700);
    expect(title).toBe("Sessions Cannot Be Read");
    expect(description).toContain("cannot be listed");
  });

  test("a home that cannot be one: the sessions show, and what is wrong with it", async () => {
    rmSync(files.places.home, { recursive: true });
    writeFileSync(files.places.home, "");
    files.status("s1", "working", { title: "Refactoring" });
    const root = await open();
    const home = basename(files.places.home);
    expect(sections(root)).toEqual({ Working: ["Refactoring"], Problems: [home] });
    expect(row(root, home).props.subtitle).toMatch(/^is not a folder, so nothing is marked unread/);
  });

  test("when reading fails altogether it says why, and a refresh begins anew", async () => {
    files.status("s1", "idle", { title: "Resting" });
    const clock = breakableClock();
    clock.broken = true;
    const root = await open();
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    clock.broken = false;
    expect(emptyView(root)).toEqual({
      title: "Sessions Cannot Be Read",
      description: "The clock is broken. Correct it, or name another folder in the preferences.",
      actions: help,
    });
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["Resting"]));
  });

  test("a refresh that fails is said, and the rows stay", async () => {
    files.status("s1", "idle", { title: "Resting" });
    const clock = breakableClock();
    const root = await openLive();
    clock.broken = true;
    await run(action(row(root, "Resting"), "Refresh"));
    clock.broken = false;
    expect(host.toasts).toMatchObject([{ title: "Could Not Refresh", message: "The clock is broken." }]);
    expect(rows(root)).toEqual(["Change 2", "Resting"]);
  });

  describe("after the user named another folder", () => {
    let root: Node;

    beforeEach(async () => {
      files.status("s1", "idle", { title: "Here" });
      root = await openLive();
      const elsewhere = join(dirname(files.places.statusDirectory), "elsewhere");
      mkdirSync(elsewhere);
      writeFileSync(
        join(elsewhere, "s2.json"),
        JSON.stringify({ session_id: "s2", state: "idle", ts: 1, title: "There" }),
      );
      files.prefer({ statusDirectory: elsewhere });
    });

    test("a refresh reads that one", async () => {
      await run(action(row(root, "Here"), "Refresh"));
      expect(rows(root)).toEqual(["There"]);
    });

    test("a refresh that fails shows nothing of the old one", async () => {
      const clock = breakableClock();
      clock.broken = true;
      await run(action(row(root, "Here"), "Refresh"));
      await eventually(() => expect(titleOf(one(root, "List.EmptyView"))).toBe("Sessions Cannot Be Read"));
      clock.broken = false;
      expect(rows(root)).toEqual([]);
    });
  });
});
