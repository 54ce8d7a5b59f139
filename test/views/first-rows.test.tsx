import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as live from "../../src/observe/live";
import * as atomicWrite from "../../src/store/atomic-write";
import { action, actions, all, choose, cleanup, eventually, host, one, run, tell, titleOf, type Node } from "../host";
import { launch } from "../host/launch";
import { onHappening } from "../host/state";
import { AgentFiles, now } from "./agent-files";
import { FakeCommand } from "./fake-command";
import { FirstLook } from "./first-look";
import { accessories, open, openLive, row, rows, says, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

jest.setTimeout(20_000);

noteTimers();

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
  jest.restoreAllMocks();
});

const kept = () => join(files.places.home, "cache", "last-list.json");

/** Opens the list, waits until everything is there, and closes it: what the next opening finds. */
async function openAndClose(): Promise<void> {
  const { root, unmount } = await launch("search-sessions");
  await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
  await unmount();
}

/** Has what was kept be older than it is. */
function age(seconds: number): void {
  const list = JSON.parse(readFileSync(kept(), "utf8")) as { at: number };
  writeFileSync(kept(), JSON.stringify({ ...list, at: list.at - seconds }), { mode: 0o600 });
}

const isLoading = (root: Node) => one(root, "List").props.isLoading;
const subtitles = (root: Node) => all(root, "List.Section").map(({ props }) => props.subtitle);

describe("the rows of the last opening", () => {
  test("show at once, while everything is looked at, and give way to the present ones", async () => {
    files.status("s1", "waiting", { title: "Asking", cwd: "/w/api", message: "May I?" });
    files.status("s2", "working", { title: "Refactoring" });
    await openAndClose();
    files.status("s2", "idle", { title: "Refactoring" });
    files.status("s3", "working", { title: "New" });
    const look = new FirstLook();
    const root = await open();
    expect([sections(root), isLoading(root)]).toEqual([{ "Needs You": ["Asking"], Working: ["Refactoring"] }, true]);
    expect(row(root, "Asking").props.subtitle).toBe("api – May I?");
    expect(says(row(root, "Asking"))).toEqual(["Claude Code", "Waiting", "5m"]);
    look.goOn();
    await eventually(() => expect(isLoading(root)).toBe(false));
    expect(sections(root)).toEqual({ "Needs You": ["Asking"], Working: ["New"], Idle: ["Refactoring"] });
  });

  test("are there for a launcher to draw before anything is looked at, which keeps it from drawing", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    await openAndClose();
    let drawnAt: number | undefined;
    const stop = onHappening(() => (drawnAt ??= performance.now()));
    const looked = new Promise<number>((resolve) =>
      jest.spyOn(live, "follow").mockImplementation(() => {
        resolve(performance.now());
        return Promise.reject(new Error("not today"));
      }),
    );
    await open();
    expect((await looked) - (drawnAt ?? Infinity)).toBeGreaterThan(15);
    stop();
  });

  test("never give way to an empty view, from the first to the present", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    await openAndClose();
    const look = new FirstLook();
    const root = await open();
    const seen = new Set<number>();
    look.goOn();
    // While it loads there is no empty view: the host's rules say so of every tree.
    await eventually(() => {
      seen.add(rows(root).length);
      expect(isLoading(root)).toBe(false);
    });
    expect(seen).toEqual(new Set([1]));
  });

  test("have their ages from now, and say how old they are once that is a minute", async () => {
    files.status("s1", "working", { title: "Refactoring", ts: now() - 3600 });
    await openAndClose();
    age(59);
    new FirstLook();
    let root = await open();
    expect([says(row(root, "Refactoring")), subtitles(root)]).toEqual([["Claude Code", "Working", "1h"], ["1"]]);
    await cleanup();
    jest.restoreAllMocks();

    age(720 - 59);
    const look = new FirstLook();
    root = await open();
    expect(subtitles(root)).toEqual(["1, as of 12m ago"]);
    expect(row(root, "Refactoring").props.icon).toMatchObject({ tooltip: "Working, as of 12m ago" });
    expect(accessories(row(root, "Refactoring")).at(-2)?.tooltip).toBe("Working, as of 12m ago");
    await run(action(row(root, "Refactoring"), "Show Details"));
    expect(all(root, "Metadata.Label").map(({ props }) => props)).toContainEqual({
      title: "Last Known",
      text: expect.stringMatching(/^12m ago \(.+\)$/) as string,
    });
    look.goOn();
    await eventually(() => expect(subtitles(root)).toEqual(["1"]));
    expect(JSON.stringify(all(root, "List.Item").map(({ props }) => props))).not.toContain("as of");
    expect(all(root, "Metadata.Label").map(titleOf)).not.toContain("Last Known");
  });

  test("are none of another folder's, nor of another rule's", async () => {
    files.status("s1", "working", { title: "Here" });
    await openAndClose();
    const before = readFileSync(kept(), "utf8");
    const { home } = files.places;
    const elsewhere = new AgentFiles();
    for (const preferences of [
      { ...host.preferences, homeDirectory: home },
      { homeDirectory: home, statusDirectory: files.places.statusDirectory, cacheTtl: "5m" },
    ]) {
      host.preferences = preferences;
      writeFileSync(kept(), before, { mode: 0o600 });
      new FirstLook();
      const root = await open();
      expect([rows(root), isLoading(root)]).toEqual([[], true]);
      await cleanup();
      jest.restoreAllMocks();
    }
    expect(elsewhere.places.home).not.toBe(home);
  });

  test.each([
    ["damaged", (text: string) => text.slice(0, text.length / 2)],
    ["of an older version", (text: string) => text.replace('"version":1', '"version":0')],
    ["of a time to come", (text: string) => text.replace(/"at":[\d.]+/, `"at":${now() + 3600}`)],
    ["with half a character", (text: string) => text.replace("Refactoring", "Refactoring \\ud83d")],
    ["with a state that nobody knows", (text: string) => text.replace('"working"', '"napping"')],
    ["a text of somebody's", () => "hello"],
  ])("are silently none when what was kept is %s", async (_name, spoil) => {
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    writeFileSync(kept(), spoil(readFileSync(kept(), "utf8")), { mode: 0o600 });
    const look = new FirstLook();
    const root = await open();
    expect([rows(root), isLoading(root), all(root, "List.EmptyView")]).toEqual([[], true, []]);
    look.goOn();
    await eventually(() => expect(sections(root)).toEqual({ Working: ["Refactoring"] }));
    expect([host.toasts, host.huds]).toEqual([[], []]);
  });

  test("nothing in them steers the launcher", async () => {
    files.status("s1", "waiting", { title: "One", message: "May I?", cwd: "/w/api" });
    await openAndClose();
    const evil = "\u001b]0;x\u0007\u202e\n```![x](https://x.example)";
    const list = JSON.parse(readFileSync(kept(), "utf8")) as { rows: Record<string, unknown>[]; agents: string[] };
    const texts = { title: evil, message: evil, cwd: evil, project: evil, agent: evil, sessionId: evil, tool: evil };
    list.rows = [{ ...list.rows[0], ...texts, background: { [evil]: { command: evil } }, surface: evil }];
    list.agents = [evil];
    writeFileSync(kept(), JSON.stringify(list), { mode: 0o600 });
    new FirstLook();
    // Every tree that is rendered is checked against the launcher's rules.
    const root = await open();
    expect(rows(root)).toHaveLength(1);
    await run(action(all(root, "List.Item")[0] ?? root, "Show Details"));
    expect(all(root, "List.Item.Detail")).toHaveLength(1);
    expect(actions(all(root, "List.Item")[0] ?? root).map(titleOf)).not.toContain("Open Folder");
  });

  test("an empty list has none: sessions that are gone do not come back", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    files.remove("s1");
    await openAndClose();
    new FirstLook();
    const root = await open();
    expect([rows(root), isLoading(root)]).toEqual([[], true]);
  });

  test("of a thousand sessions are the first, with how many there were", async () => {
    for (let n = 0; n < 1000; n += 1) files.status(`s${n}`, "dormant", { title: `Ended ${n}`, ts: now() - 1000 - n });
    files.status("w", "waiting", { title: "Asking" });
    await openAndClose();
    new FirstLook();
    const root = await open();
    expect([rows(root).length, rows(root)[0], rows(root).at(-1)]).toEqual([100, "Asking", "Ended 98"]);
    expect(subtitles(root)).toEqual(["1", "1000"]);
  });
});

describe("while they show", () => {
  test("the list is filtered as the user left it, also by an agent that has no row among them", async () => {
    files.status("s1", "working", { title: "Of Claude" });
    files.status("c1", "idle", { title: "Of Codex", agent: "codex" });
    host.dropdowns.set("Filter by State or Agent", "agent:codex");
    await openAndClose();
    files.remove("c1");
    await openAndClose();
    const look = new FirstLook();
    const root = await open();
    expect(rows(root)).toEqual([]);
    files.status("c1", "idle", { title: "Of Codex", agent: "codex" });
    look.goOn();
    await eventually(() => expect(rows(root)).toEqual(["Of Codex"]));
    await choose(one(root, "List.Dropdown"), "all");
    expect(rows(root)).toEqual(["Of Claude", "Of Codex"]);
  });

  test("an action acts on its session, by its id", async () => {
    files.status("s1", "waiting", { title: "Asking" });
    const out = { id: "claude:s1", outcome: "focused", what: "Focused.", reason: null, offers: [] };
    const command = new FakeCommand({ focus: { out } });
    files.prefer({ commandPath: command.path });
    await openAndClose();
    const look = new FirstLook();
    const root = await open();
    await run(action(row(root, "Asking"), "Go to Session"));
    expect(command.calls).toEqual([["focus", "--json", "--", "claude:s1"]]);
    expect(host.huds).toEqual(["Went to Asking"]);
    look.goOn();
  });

  test("a mark is for the answer that was shown, not for one that came since", async () => {
    const shown = now() - 50;
    files.status("s1", "done", { title: "Answered", done_at: shown });
    await openAndClose();
    files.status("s1", "done", { title: "Answered", done_at: shown + 20 });
    const look = new FirstLook();
    const root = await open();
    await run(action(row(root, "Answered"), "Mark as Read"));
    expect(files.marks().sessions).toEqual({});
    expect(host.toasts.map(({ title }) => title)).toEqual(["Already Read"]);
    look.goOn();
    await eventually(() => expect(sections(root)).toEqual({ "Unread Answers": ["Answered"] }));
  });

  test("a refresh does not begin twice", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    const look = new FirstLook();
    const root = await open();
    await run(action(row(root, "Refactoring"), "Refresh"));
    look.goOn();
    await eventually(() => expect(isLoading(root)).toBe(false));
    expect(rows(root)).toEqual(["Refactoring"]);
  });

  test("a look that fails leaves them there, with the reason above them and how old they are; a refresh begins anew", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    age(300);
    const look = new FirstLook();
    const root = await open();
    look.fail(new Error("The disk is gone\u001b[2J."));
    await eventually(() => expect(isLoading(root)).toBe(false));
    expect(sections(root)).toEqual({ "Not Current": ["Sessions Cannot Be Read"], Working: ["Refactoring"] });
    expect(row(root, "Sessions Cannot Be Read").props.subtitle).toBe("The disk is gone�[2J.");
    expect(subtitles(root)).toEqual([undefined, "1, as of 5m ago"]);
    expect(all(root, "List.EmptyView")).toEqual([]);
    expect(actions(row(root, "Sessions Cannot Be Read")).map(titleOf)).toEqual([
      "Open Extension Preferences",
      "Refresh",
    ]);
    await run(action(row(root, "Refactoring"), "Show Details"));
    expect(one(row(root, "Sessions Cannot Be Read"), "List.Item.Detail").props.markdown).toContain("The disk is gone");
    look.goOn();
    await run(action(row(root, "Sessions Cannot Be Read"), "Refresh"));
    await eventually(() => expect(sections(root)).toEqual({ Working: ["Refactoring"] }));
    expect(subtitles(root)).toEqual(["1"]);
  });

  test("closing ends what had not begun", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    const look = new FirstLook();
    const { unmount } = await launch("search-sessions");
    const begun = look.count;
    await unmount();
    await everythingClosed();
    expect(look.count).toBe(begun);
    look.goOn();
  });
});

describe("the selection", () => {
  const selected = (root: Node) => one(root, "List").props.selectedItemId;

  beforeEach(async () => {
    files.status("s1", "waiting", { title: "One" });
    files.status("s2", "working", { title: "Two" });
    await openAndClose();
    files.status("s3", "failed", { title: "Three", ts: now() - 10 });
    files.status("s1", "idle", { title: "One" });
  });

  async function replaced(root: Node, look: FirstLook, titles = ["Three", "Two", "One"]): Promise<unknown> {
    look.goOn();
    const seen: unknown[] = [];
    await eventually(() => {
      seen.push(selected(root));
      expect(rows(root)).toEqual(titles);
    });
    return seen.at(-1);
  }

  test("that the user moved stays on its session when the present rows come", async () => {
    const look = new FirstLook();
    const root = await open();
    await tell(one(root, "List"), "onSelectionChange", "claude:s2");
    expect(await replaced(root, look)).toBe("claude:s2");
  });

  test("that a user moved back to the first row stays there as well", async () => {
    const look = new FirstLook();
    const root = await open();
    await tell(one(root, "List"), "onSelectionChange", "claude:s2");
    await tell(one(root, "List"), "onSelectionChange", "claude:s1");
    expect(await replaced(root, look)).toBe("claude:s1");
  });

  test("that nobody moved begins at the most urgent of the present rows, as long as nobody can have read the others", async () => {
    const look = new FirstLook();
    const clock = jest.spyOn(performance, "now");
    const begun = performance.now();
    clock.mockReturnValue(begun);
    const root = await open();
    await tell(one(root, "List"), "onSelectionChange", "claude:s1");
    clock.mockReturnValue(begun + 499);
    expect(await replaced(root, look)).toBe("claude:s3");
  });

  test("that nobody moved stays on its session once it can have been read", async () => {
    const look = new FirstLook();
    const clock = jest.spyOn(performance, "now");
    const begun = performance.now();
    clock.mockReturnValue(begun);
    const root = await open();
    await tell(one(root, "List"), "onSelectionChange", "claude:s1");
    clock.mockReturnValue(begun + 501);
    expect(await replaced(root, look)).toBe("claude:s1");
  });

  test("begins at the session the list was opened at, also when only the present rows have it", async () => {
    files.status("s4", "idle", { title: "Four", ts: now() - 900 });
    const look = new FirstLook();
    const root = await open({ id: "claude:s4" });
    expect(selected(root)).toBeUndefined();
    await tell(one(root, "List"), "onSelectionChange", "claude:s1");
    expect(await replaced(root, look, ["Three", "Two", "One", "Four"])).toBe("claude:s4");
    await cleanup();
    jest.restoreAllMocks();
    new FirstLook();
    expect(selected(await open({ id: "claude:s4" }))).toBe("claude:s4");
  });
});

describe("what is kept", () => {
  test("is written after the rows are there, once for as long as they stay the same", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    const writes = jest.spyOn(atomicWrite, "replaceFile");
    const isKept = () => writes.mock.calls.filter(([path]) => path === kept()).length;
    const root = await openLive(files);
    const begun = Date.now();
    while (isKept() === 0 && Date.now() - begun < 5_000) await new Promise((resolve) => setImmediate(resolve));
    expect(isKept()).toBe(1);
    expect(readFileSync(kept(), "utf8")).toContain("Refactoring");
    files.status("s1", "working", { title: "Changed" });
    await eventually(() => expect(rows(root)).toContain("Changed"));
    expect(isKept()).toBe(1);
    await cleanup();
    expect(isKept()).toBe(2);
    expect(readFileSync(kept(), "utf8")).toContain("Changed");
  });

  test("is not written before", async () => {
    files.status("s1", "working", { title: "Refactoring" });
    await open();
    expect(existsSync(kept())).toBe(false);
  });

  test("a home that cannot hold it changes nothing for the list", async () => {
    mkdirSync(join(files.places.home, "cache"));
    mkdirSync(kept());
    files.status("s1", "working", { title: "Refactoring" });
    await openAndClose();
    const root = await open();
    await eventually(() => expect(rows(root)).toEqual(["Refactoring"]));
    expect(host.toasts).toEqual([]);
  });
});
