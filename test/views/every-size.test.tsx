import { action, all, cleanup, eventually, host, LaunchType, one, run, titleOf, type Node } from "../host";
import { launch, launchNoView } from "../host/launch";
import { deliver } from "../inbox-file";
import { AgentFiles, now } from "./agent-files";
import { AgentUser, loaded, states } from "./agents/agent-user";
import { FakeCommand } from "./fake-command";
import { FirstLook } from "./first-look";
import { rows, sections } from "./list-window";
import { ManySessions } from "./many-sessions";
import { everythingClosed, noteTimers } from "./open-resources";

// A developer's own agents are not this user's.
jest.mock("../../src/views/agents/program-folders", () => ({ programFolders: () => [] }));

// A thousand files are written, read and rendered, on whatever machine.
jest.setTimeout(60_000);

noteTimers();

const complaints: unknown[] = [];

beforeEach(() => {
  complaints.length = 0;
  const complain = (...said: unknown[]) => void complaints.push(said);
  jest.spyOn(console, "error").mockImplementation(complain);
  jest.spyOn(console, "warn").mockImplementation(complain);
});

const unhandled = (reason: unknown) => void complaints.push(reason);
beforeAll(() => void process.on("unhandledRejection", unhandled));
afterAll(() => void process.off("unhandledRejection", unhandled));

afterEach(async () => {
  await cleanup();
  await everythingClosed();
  // React warns of updates nobody waited for; a promise nobody waited for may fail.
  expect(complaints).toEqual([]);
  jest.restoreAllMocks();
});

/** Every text of a tree, as it would cross to the launcher. */
function crossing(node: Node): string {
  return JSON.stringify([node.props, node.children.map(crossing)]);
}

function expectWhole(root: Node): void {
  // JSON writes half a character as an escape.
  expect(crossing(root)).not.toMatch(/\\ud[89a-f]/i);
}

/** The first so many of all titles, in their sections. */
function firstOf(sectioned: readonly [string, string[]][], count: number): Record<string, string[]> {
  let room = count;
  const shown = sectioned.map(([section, titles]): [string, string[]] => {
    const first = titles.slice(0, room);
    room -= first.length;
    return [section, first];
  });
  return Object.fromEntries(shown.filter(([, titles]) => titles.length > 0));
}

describe.each([0, 1, 30, 1000])("with %d sessions", (count) => {
  let files: AgentFiles;
  let many: ManySessions;

  beforeAll(() => {
    files = new AgentFiles();
    many = new ManySessions(files, count);
  });

  afterAll(() => many.remove());

  beforeEach(() => files.prefer());

  test("Search Sessions has each in its section, in its order, and the counts of all", async () => {
    const { root } = await launch("search-sessions");
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    expect(many.all).toHaveLength(count);
    expect(sections(root)).toEqual(firstOf(many.sections, 500));
    const told = all(root, "List.Section").map(({ props }) => String(props.subtitle).split(/ of |,/));
    const counts = told.map((parts) => Number(parts[1] ?? parts[0]));
    expect(counts).toEqual(many.sections.map(([, titles]) => titles.length).slice(0, counts.length));
    if (count === 0) expect(titleOf(one(root, "List.EmptyView"))).toBe("No Sessions");
    expectWhole(root);
  });

  test("its next opening shows the first of them at once, then all", async () => {
    const before = await launch("search-sessions");
    await eventually(() => expect(one(before.root, "List").props.isLoading).toBe(false));
    await before.unmount();
    const look = new FirstLook();
    const { root } = await launch("search-sessions");
    expect(sections(root)).toEqual(firstOf(many.sections, 100));
    expect(one(root, "List").props.isLoading).toBe(true);
    look.goOn();
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    expect(sections(root)).toEqual(firstOf(many.sections, 500));
    expectWhole(root);
  });

  test("Sessions in Menu Bar counts who needs the user, has ten of each section, and ends its run", async () => {
    const { root } = await launch("sessions-in-menu-bar", { type: LaunchType.Background });
    await eventually(() => expect(one(root, "MenuBarExtra").props.isLoading).toBe(false));
    const needy = many.of("waiting", "decision", "failed").length;
    expect(one(root, "MenuBarExtra").props.title).toBe(needy === 0 ? undefined : String(needy));
    const groups = one(root, "MenuBarExtra").children.filter(({ props }) => props.title !== undefined);
    expect(
      groups.map((group) => [
        titleOf(group),
        group.children.filter(({ type }) => type === "MenuBarExtra.Item").map(titleOf),
      ]),
    ).toEqual(
      many.sections.map(([section, titles]) => [
        `${section} (${titles.length})`,
        [...titles.slice(0, 10), ...(titles.length > 10 ? [`${titles.length - 10} More…`] : [])],
      ]),
    );
    // Nothing goes on once it has rendered: the launcher unloads it.
    await everythingClosed();
    expectWhole(root);
  });

  test("Pause Sessions says of each open one whether it will be asked", async () => {
    const { root } = await launch("pause-sessions");
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    const groups = Object.entries({
      "Will Be Asked": many.of("working", "compacting", "done"),
      "Not Woken": many.of("failed", "scheduled", "idle", "unknown"),
      "Not Asked": many.of("waiting", "decision"),
    }).filter(([, own]) => own.length > 0);
    const sorted = (titles: readonly string[]) => [...titles].sort();
    expect(Object.entries(sections(root)).map(([title, own]) => [title, sorted(own)])).toEqual(
      groups.map(([title, own]) => [title, sorted(own.map((each) => each.title))]),
    );
    const asked = groups.find(([title]) => title === "Will Be Asked")?.[1].length ?? 0;
    const titles = new Set(all(root, "Action").map(titleOf));
    expect(titles.has(asked === 1 ? "Pause 1 Session" : `Pause ${asked} Sessions`)).toBe(asked > 0);
    if (count === 0) expect(titleOf(one(root, "List.EmptyView"))).toBe("No Open Session");
    expectWhole(root);
  });

  test("Next Session That Needs Me goes to the one that has waited longest", async () => {
    const out = { id: "x", outcome: "focused", what: "Focused.", reason: null, offers: [] };
    const command = new FakeCommand({ focus: { out } });
    files.prefer({ commandPath: command.path });
    await launchNoView("next-session");
    const [longest] = many.of("waiting", "decision", "failed").sort((one, other) => one.since - other.since);
    expect(command.calls.map((call) => call.at(-1))).toEqual(longest === undefined ? [] : [longest.id]);
    expect(host.huds).toEqual([longest === undefined ? "No Session Needs You" : `Went to ${longest.title}`]);
  });

  test("Save and Restart This Session asks which, as none of them is certain to be in front", async () => {
    await launchNoView("restart-this-session");
    expect(host.huds).toEqual(["Choose the Session to Restart"]);
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
  });

  // The last, as it changes what the others show.
  test("Mark All as Read marks every unread answer, and no more", async () => {
    await launchNoView("mark-all-as-read");
    const unread = many.of("done");
    expect(host.huds).toEqual([
      unread.length === 0
        ? "No Unread Answers"
        : unread.length === 1
          ? "Marked 1 Answer as Read"
          : `Marked ${unread.length} Answers as Read`,
    ]);
    expect(Object.keys(files.marks().sessions).sort()).toEqual(unread.map(({ id }) => id).sort());
  });
});

describe.each([0, 1, 30, 1000])("with events of %d sessions", (count) => {
  const report = (home: string) => {
    const at = now() - 3600;
    for (let index = 0; index < count; index += 1) {
      const payload = { session_id: `s${index}`, hook_event_name: "UserPromptSubmit", prompt: `Task ${index} 🚀` };
      deliver(home, { agent: "claude", event: "UserPromptSubmit", at: at + index, payload });
    }
    return at;
  };

  test("Session Events has the newest hundred, by day, and more by the page", async () => {
    const files = new AgentFiles();
    const at = report(files.places.home);
    const { root } = await launch("session-events");
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    const shown = Math.min(count, 100);
    expect(all(root, "List.Item").map(({ props }) => props.subtitle)).toEqual(
      Array.from({ length: shown }, (_, index) => `Task ${count - 1 - index} 🚀`),
    );
    const today = Array.from({ length: shown }, (_, index) => at + count - 1 - index).filter(
      (each) => new Date(each * 1000).getDate() === new Date().getDate(),
    );
    const days = [
      ["Today", String(today.length)],
      ["Yesterday", String(shown - today.length)],
    ];
    expect(all(root, "List.Section").map(({ props }) => [props.title, props.subtitle])).toEqual(
      days.filter(([, own]) => own !== "0"),
    );
    expect(one(root, "List").props.pagination).toMatchObject({ pageSize: 100, hasMore: count > 100 });
    if (count === 0) expect(titleOf(one(root, "List.EmptyView"))).toBe("No Events");
    expectWhole(root);
  });

  test("Set Up Agents has each agent once, and whether it reports", async () => {
    const user = new AgentUser();
    try {
      user.program("claude");
      user.write(user.settings, "{}");
      const before = await user.open();
      await run(action(await user.push(before, "Claude Code", "Set Up"), "Apply"));
      await cleanup();
      report(user.path(".agent-sessions"));
      const { root } = await launch("set-up-agents");
      await loaded(root, "List");
      expect(rows(root)).toHaveLength(10);
      expect(new Set(rows(root)).size).toBe(10);
      expect(states(root).Reporting).toEqual([`Claude Code: ${count === 0 ? "Set Up, No Event Yet" : "Reporting"}`]);
      expectWhole(root);
    } finally {
      await cleanup();
      user.leave();
    }
  });
});
