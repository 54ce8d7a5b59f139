import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EventLogWriter } from "../../../src/store/event-log";
import {
  action,
  actions,
  all,
  choose,
  cleanup,
  eventually,
  host,
  matching,
  one,
  run,
  tell,
  titleOf,
  type Node,
} from "../../host";
import { launch } from "../../host/launch";
import { deliver } from "../../inbox-file";
import { AgentFiles, now } from "../agent-files";
import { row, rows, says, sections } from "../list-window";
import { everythingClosed, noteTimers } from "../open-resources";

noteTimers();

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

const BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };

function send(id: string, event: string, ago: number, more: Record<string, unknown> = {}, agent = "claude"): void {
  const payload = { session_id: id, hook_event_name: event, ...more };
  deliver(files.places.home, { agent, event, at: now() - ago, payload });
}

async function open(context?: Record<string, unknown>): Promise<Node> {
  const { root } = await launch("session-events", context === undefined ? {} : { context });
  await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
  return root;
}

/** Opens it, and waits until it follows changes: what comes at once may be of the first look. */
async function openLive(): Promise<Node> {
  const root = await open();
  for (const event of ["PreToolUse", "PostToolUse"]) {
    send("live", event, 60, BASH);
    await eventually(() => expect(rows(root)).toContain(`${event} (Bash)`));
  }
  await files.settle();
  return root;
}

/** A value of the dropdown beside the search bar, by its title. */
function filterNamed(root: Node, title: string): string {
  return String(one(root, "List.Dropdown.Item", title).props.value);
}

function emptyTitle(root: Node): string {
  return titleOf(one(root, "List.EmptyView"));
}

function facts(item: Node): Record<string, unknown> {
  const labels = all(item, "Metadata.Label").map((label) => [titleOf(label), label.props.text]);
  const tags = all(item, "Metadata.TagList").map((list) => [
    titleOf(list),
    all(list, "Metadata.TagList.Item").map(({ props }) => props.text),
  ]);
  return Object.fromEntries([...labels, ...tags]);
}

describe("the timeline", () => {
  test("newest first, by day, with whose it is and what it did", async () => {
    send("s1", "UserPromptSubmit", 3 * 86_400, { prompt: "Fix the build" });
    send("s1", "PermissionRequest", 61, { ...BASH, agent_id: "a1" });
    send("s1", "Stop", 5);
    const root = await open();
    const [today, ...others] = Object.values(sections(root)).toReversed();
    expect([today, ...others].flat().sort()).toEqual(["PermissionRequest (Bash)", "Stop", "UserPromptSubmit"]);
    expect(all(root, "List.Section")).toHaveLength(Object.keys(sections(root)).length);
    expect(rows(root)).toEqual(["Stop", "PermissionRequest (Bash)", "UserPromptSubmit"]);
    const asked = row(root, "PermissionRequest (Bash)");
    expect(asked.props.subtitle).toMatch(/^Fix the build – Began waiting: .*npm test \(subagent a1\)$/);
    expect(says(asked)).toEqual([undefined, "Working → Waiting", "Claude Code", "1m"]);
    expect(asked.props.icon).toMatchObject({ value: { source: "state-waiting.png" }, tooltip: "Waiting" });
    expect(says(row(root, "UserPromptSubmit"))).toEqual(["New: Working", "Claude Code", "3d"]);
  });

  test("the detail pane has every fact", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    send("s1", "PermissionRequest", 60, { ...BASH, agent_id: "a1" });
    const root = await open();
    await run(action(row(root, "UserPromptSubmit"), "Show Details"));
    const asked = row(root, "PermissionRequest (Bash)");
    expect(facts(asked)).toEqual({
      "State Before": ["Working"],
      "State After": ["Waiting"],
      Came: expect.stringMatching(/^1m ago \(.+\)$/),
      Event: "PermissionRequest",
      Tool: "Bash",
      From: "A hook of the agent",
      Subagent: "a1",
      Agent: "Claude Code",
      Session: "Fix the build",
      "Session ID": "s1",
    });
    expect(all(asked, "List.Item.Detail")[0]?.props.markdown).toMatch(/Working → Waiting\nBegan waiting: .*npm test/);
    expect(asked.props.accessories).toBeUndefined();
    await run(action(row(root, "UserPromptSubmit"), "Hide Details"));
    expect(all(root, "List.Item.Detail")).toEqual([]);
  });

  test("what was ignored or rejected is in it, with the reason", async () => {
    send("s1", "Stop", 70);
    send("s1", "InstructionsLoaded", 65);
    deliver(files.places.home, { agent: "codex", event: "Stop", at: now() - 61, payload: "not JSON" });
    const root = await open();
    expect(rows(root)).toEqual(["Stop", "InstructionsLoaded", "Stop"]);
    const [rejected, ignored] = all(root, "List.Item");
    expect(rejected?.props.subtitle).toMatch(/^Codex – The payload is not JSON/);
    expect(ignored?.props.subtitle).toBe("Claude Code – Says nothing that is kept");
    expect(rejected === undefined ? [] : actions(rejected).map(titleOf)).toEqual([
      "Show Details",
      "Copy Event",
      "Refresh",
    ]);
  });

  test("what comes in shows at once: in a session, and what no session got", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    const root = await open();
    send("s1", "Stop", 1);
    await eventually(() => expect(rows(root)).toEqual(["Stop", "UserPromptSubmit"]));
    send("s1", "InstructionsLoaded", 0);
    await eventually(() => expect(rows(root)).toEqual(["InstructionsLoaded", "Stop", "UserPromptSubmit"]));
  });

  test("the first entry that is rejected shows at once, and the next one", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    const root = await openLive();
    const reject = () =>
      deliver(files.places.home, { agent: "codex", event: "Stop", at: now() - 1, payload: "no JSON" });
    reject();
    await eventually(() => expect(rows(root).filter((title) => title === "Stop")).toHaveLength(1));
    reject();
    await eventually(() => expect(rows(root).filter((title) => title === "Stop")).toHaveLength(2));
  });

  test("what comes renders its own row, and no other", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    const root = await openLive();
    const { props } = row(root, "UserPromptSubmit");
    send("s1", "Stop", 1);
    await eventually(() => expect(rows(root)).toContain("Stop"));
    expect(row(root, "UserPromptSubmit").props).toBe(props);
  });

  test("the selection stays on its row when others come", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    const root = await open();
    const { id } = row(root, "UserPromptSubmit").props;
    await tell(one(root, "List"), "onSelectionChange", id);
    const selected: unknown[] = [];
    send("s1", "Stop", 1);
    await eventually(() => {
      selected.push(one(root, "List").props.selectedItemId);
      expect(rows(root)).toHaveLength(2);
    });
    expect(selected.at(-1)).toBe(id);
  });

  test("is found by its words", async () => {
    send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" });
    send("s1", "PermissionRequest", 60, BASH);
    send("other", "SessionStart", 50, { source: "startup" });
    const root = await open();
    const found = (typed: string) => matching(one(root, "List"), typed).map(titleOf);
    expect(found("bash")).toEqual(["PermissionRequest (Bash)"]);
    expect(found("build")).toEqual(["PermissionRequest (Bash)", "UserPromptSubmit"]);
    expect(found("waiting")).toEqual(["PermissionRequest (Bash)"]);
    expect(found("other")).toEqual(["SessionStart"]);
  });

  test("nothing in a log steers the launcher", async () => {
    send("s1", "Stop", 70);
    await (await launch("session-events")).unmount();
    const evil = "\u001b]0;x\u0007\u202e\n\ud800```![x](https://x.example)";
    const line = {
      at: now() - 5,
      event: evil,
      from: "hook",
      subagent: evil,
      tool: evil,
      after: "failed",
      failure: evil,
    };
    const log = join(files.places.home, "events", "claude", "s1.jsonl");
    writeFileSync(
      log,
      `${readFileSync(log, "utf8")}${JSON.stringify({ ...line, began: [{ kind: "input", message: evil }] })}\n`,
    );
    writeFileSync(
      join(files.places.home, "events", "@ignored.jsonl"),
      `${JSON.stringify({ at: now() - 3, agent: evil, event: evil, from: "hook" })}\n`,
    );
    // Every tree that is rendered is checked against the launcher's rules.
    const root = await open();
    expect(rows(root)).toHaveLength(3);
    const [first] = all(root, "List.Item");
    if (first !== undefined) await run(action(first, "Show Details"));
    expect(all(root, "List.Item.Detail")).toHaveLength(3);
  });
});

describe("the filter", () => {
  beforeEach(() => {
    send("s1", "UserPromptSubmit", 90, { prompt: "Fix the build" });
    send("s2", "UserPromptSubmit", 80, { prompt: "Add an index" });
    send("g1", "BeforeAgent", 70, { prompt: "Look around" }, "gemini");
  });

  test("by agent, by session, and back to all", async () => {
    const root = await open();
    expect(rows(root)).toHaveLength(3);
    const titles = all(root, "List.Dropdown.Item").map(titleOf);
    expect(titles).toEqual(["All Events", "Claude Code", "Gemini CLI", "Look around", "Add an index", "Fix the build"]);
    const dropdown = () => one(root, "List.Dropdown");
    await choose(dropdown(), filterNamed(root, "Gemini CLI"));
    await eventually(() => expect(rows(root)).toEqual(["BeforeAgent"]));
    await choose(dropdown(), filterNamed(root, "Add an index"));
    await eventually(() => expect(all(root, "List.Item").map(({ props }) => props.subtitle)).toEqual(["Add an index"]));
    await choose(dropdown(), filterNamed(root, "All Events"));
    await eventually(() => expect(rows(root)).toHaveLength(3));
  });

  test("a session's row filters by it", async () => {
    const root = await open();
    await run(action(row(root, "BeforeAgent"), "Show Only This Session"));
    await eventually(() => expect(rows(root)).toEqual(["BeforeAgent"]));
    expect(one(root, "List.Dropdown").props.value).toBe(filterNamed(root, "Look around"));
    expect(actions(row(root, "BeforeAgent")).map(titleOf)).not.toContain("Show Only This Session");
  });

  test("it can be opened at a session, of which nothing is kept, too", async () => {
    const root = await open({ id: "claude:s2" });
    expect(all(root, "List.Item").map(({ props }) => props.subtitle)).toEqual(["Add an index"]);
    await cleanup();
    const other = await open({ id: "claude:nobody\ud800" });
    expect([rows(other), emptyTitle(other)]).toEqual([[], "No Matching Events"]);
    const values = all(other, "List.Dropdown.Item").map(({ props }) => props.value);
    expect(values).toContain(one(other, "List.Dropdown").props.value);
  });

  test("a session's own timeline is whole, however much others did since", async () => {
    const writer = new EventLogWriter(files.places.home);
    const root = await open();
    for (let session = 0; session < 10; session += 1) {
      const lines = Array.from(
        { length: 150 },
        () => ({ at: now(), event: "Stop", from: "hook", after: "idle" }) as const,
      );
      writer.append({ agent: "codex", sessionId: `busy${session}` }, lines);
    }
    await choose(one(root, "List.Dropdown"), filterNamed(root, "Fix the build"));
    await eventually(() =>
      expect(all(root, "List.Item").map(({ props }) => props.subtitle)).toEqual(["Fix the build"]),
    );
  });
});

describe("actions", () => {
  beforeEach(() => send("s1", "UserPromptSubmit", 70, { prompt: "Fix the build" }));

  test("all of an event's", async () => {
    const root = await open();
    const item = row(root, "UserPromptSubmit");
    expect(actions(item).map(titleOf)).toEqual([
      "Show Details",
      "Show Session",
      "Show Only This Session",
      "Copy Event",
      "Copy Session ID",
      "Refresh",
    ]);
    await run(action(item, "Copy Event"));
    expect(host.clipboard).toMatch(/ · claude · s1 · Fix the build · UserPromptSubmit \(hook\) · New: Working$/);
    await run(action(item, "Copy Session ID"));
    expect(host.clipboard).toBe("s1");
  });

  test("Show Session opens the list at it, or says what to open", async () => {
    const root = await open();
    await run(action(row(root, "UserPromptSubmit"), "Show Session"));
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated", context: { id: "claude:s1" } }]);
    host.launchFailures.set("search-sessions", "not enabled");
    await run(action(row(root, "UserPromptSubmit"), "Show Session"));
    expect(host.toasts).toMatchObject([{ title: "Open Search Sessions in the Launcher" }]);
  });

  test("Refresh reads what no watch told", async () => {
    const root = await open();
    const rejected = join(files.places.home, "inbox", "rejected");
    mkdirSync(rejected, { recursive: true });
    writeFileSync(join(rejected, `${Math.round(now() * 1000)}-x.txt`), "is not an entry\n\nx");
    await run(action(row(root, "UserPromptSubmit"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["Unnamed event", "UserPromptSubmit"]));
  });
});

describe("with few and many", () => {
  test("none: the next step", async () => {
    const root = await open();
    expect(emptyTitle(root)).toBe("No Events");
    await run(action(one(root, "List.EmptyView"), "Set Up Agents"));
    expect(host.launched.at(-1)).toMatchObject({ name: "set-up-agents" });
    send("s1", "Stop", 1);
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["Stop"]));
    expect(emptyTitle(root)).toBe("No Matching Events");
  });

  test.each([
    [1, 1],
    [30, 30],
    [1000, 100],
  ])("%d events: %d rows at first, the others page by page, and by search", async (count, first) => {
    const writer = new EventLogWriter(files.places.home);
    const at = now() - 5000;
    for (let session = 0; session < Math.ceil(count / 100); session += 1) {
      const lines = Array.from({ length: Math.min(count, 100) }, (_, index) => {
        const place = session * 100 + index;
        return { at: at + place, event: `Event${place}`, from: "hook", after: "idle" } as const;
      });
      writer.append({ agent: "claude", sessionId: `s${session}` }, lines);
    }
    const root = await open();
    expect([rows(root).length, rows(root)[0]]).toEqual([first, `Event${count - 1}`]);
    const { pagination } = one(root, "List").props as {
      pagination: { hasMore: boolean; onLoadMore: (page: number) => void };
    };
    expect(pagination.hasMore).toBe(count > first);
    if (!pagination.hasMore) return;
    await tell(one(root, "List"), "onSearchTextChange", "event77");
    // 77, 770 to 779: all that it is about, and nothing else, whoever filters after that.
    expect(rows(root)).toEqual([...Array.from({ length: 10 }, (_, index) => `Event${779 - index}`), "Event77"]);
    await tell(one(root, "List"), "onSearchTextChange", "event7");
    expect(rows(root)).toHaveLength(100);
    await tell(one(root, "List"), "onSearchTextChange", "");
    pagination.onLoadMore(1);
    await eventually(() => expect(rows(root)).toHaveLength(200));
    expect(rows(root).at(-1)).toBe("Event800");
  });

  test("a log that may not be read is named, and the others show", async () => {
    send("s1", "Stop", 70);
    await (await launch("session-events")).unmount();
    symlinkSync("/etc/passwd", join(files.places.home, "events", "claude", "s2.jsonl"));
    const root = await open();
    expect(sections(root).Problems).toEqual(["s2.jsonl"]);
    expect(rows(root)).toContain("Stop");
    expect(row(root, "s2.jsonl").props.subtitle).toBe("is no plain file of your own");
  });

  test("a home that cannot be used is named", async () => {
    rmSync(files.places.home, { recursive: true });
    writeFileSync(files.places.home, "");
    files.nameByEnvironment();
    const root = await open();
    expect(sections(root)).toEqual({ Problems: ["home"] });
    expect(row(root, "home").props.subtitle).toBe("is not a folder");
  });

  test("what cannot be looked at at all is said, and a refresh begins anew", async () => {
    send("s1", "Stop", 70);
    const clock = jest.spyOn(Date, "now").mockImplementation(() => {
      throw new Error("The clock is broken.");
    });
    const root = await launch("session-events");
    await eventually(() => expect(one(root.root, "List").props.isLoading).toBe(false));
    clock.mockRestore();
    expect(one(root.root, "List.EmptyView").props).toMatchObject({
      title: "Events Cannot Be Read",
      description: "The clock is broken. Correct it, then refresh.",
    });
    await run(action(one(root.root, "List.EmptyView"), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
    await run(action(one(root.root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root.root)).toEqual(["Stop"]));
  });
});

test("while it loads there is no empty view", async () => {
  const { root, unmount } = await launch("session-events");
  if (one(root, "List").props.isLoading === true) expect(all(root, "List.EmptyView")).toEqual([]);
  await unmount();
  await everythingClosed();
});
