import { observe } from "../../src/observe/observer";
import { passes } from "../../src/views/session-filter";
import { Color } from "../host/names";
import { action, all, choose, cleanup, eventually, host, matching, one, run, tell, titleOf, type Node } from "../host";
import { AgentFiles, now } from "./agent-files";
import { accessories, open, row, rows, says, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

// Writing and rendering hundreds of rows takes a machine that does other things seconds.
jest.setTimeout(30_000);

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

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
    // A row that says what is wrong with a file has no id.
    const ids = all(root, "List.Item").flatMap(({ props }) => (props.id === undefined ? [] : [props.id]));
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
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
      // A launcher that leaves the filtering to whoever listens shows what it is given.
      expect(rows(root)).toEqual(["Ended 505"]);
      expect(all(root, "List.Section").map(({ props }) => props.subtitle)).toEqual(["1 of 510"]);
    }
    await tell(one(root, "List"), "onSearchTextChange", "nowhere");
    expect([rows(root), titleOf(one(root, "List.EmptyView"))]).toEqual([[], "No Matching Sessions"]);
    await tell(one(root, "List"), "onSearchTextChange", "");
    expect(rows(root)).toHaveLength(500);
  });

  test("a search that is about many gives as many as stand in a list", async () => {
    const root = await many(510);
    await tell(one(root, "List"), "onSearchTextChange", "ended");
    expect(rows(root)).toHaveLength(500);
  });

  test("what is typed still counts when the list is not cut any more, and when it is again", async () => {
    const root = await many(500);
    await tell(one(root, "List"), "onSearchTextChange", "ended 7");
    const found = () => rows(root).length;
    // Seven, the seventies and seven hundred and so on below 500: words count as parts.
    expect(found()).toBe(95);
    files.remove("r1");
    await eventually(() => expect(all(root, "List.Section").map(titleOf)).toEqual(["Ended"]));
    files.remove("e499");
    await run(action(row(root, "Ended 7"), "Refresh"));
    expect(found()).toBe(95);
    await tell(one(root, "List"), "onSearchTextChange", "");
    files.status("more", "dormant", { title: "One more", ts: now() - 900 });
    files.status("r1", "working", { title: "Refactoring" });
    await eventually(() => expect(rows(root)[0]).toBe("Refactoring"));
    expect(found()).toBe(500);
  });

  test("up to that many there is nothing to say, and the launcher searches alone", async () => {
    const root = await many(499);
    expect(one(root, "List").props.onSearchTextChange).toBeUndefined();
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
