import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Color, Icon } from "../host/names";
import { action, all, cleanup, eventually, host, matching, one, run, titleOf, type Node } from "../host";
import { AgentFiles } from "./agent-files";
import { open, openLive, row, rows, sections } from "./list-window";
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
    await run(action(row(root, "b.json"), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
    files.status("b", "idle", { title: "Whole" });
    await run(action(row(root, "a.json"), "Refresh"));
    expect(sections(root)).toEqual({ Idle: ["Whole"], Problems: ["a.json"] });
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
      description: "Set up your agents, and start a session. Or name a status directory in the preferences.",
      actions: ["Set Up Agents", ...help],
    });
    await run(action(one(root, "List.EmptyView"), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
    await run(action(one(root, "List.EmptyView"), "Set Up Agents"));
    expect(host.launched).toEqual([{ name: "set-up-agents", type: "userInitiated" }]);
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
    files.nameByEnvironment();
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
    files.nameByEnvironment();
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
    const root = await openLive(files);
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
      root = await openLive(files);
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
