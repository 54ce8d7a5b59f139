import { List } from "@raycast/api";
import * as fc from "fast-check";
import { useSteadySelection } from "../../src/views/use-steady-selection";
import { all, cleanup, eventually, one, render, tell, titleOf, type Node } from "../host";
import { onHappening } from "../host/state";
import { propertyRuns } from "../property-runs";
import { AgentFiles, now } from "./agent-files";
import { openLive, rows, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

noteTimers();

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

const IN_ORDER = ["Needs You", "Unread Answers", "Working", "Scheduled", "Idle", "Ended", "Unknown"];

/**
 * The cursor of a launcher that goes by places: it is moved to the row that is named, else it stays at its place, whatever
 * row slips there. So it never follows a row by itself.
 */
class Cursor {
  private place = 0;
  id = "";
  readonly stop: () => void;

  constructor(private readonly root: Node) {
    this.look();
    this.stop = onHappening(() => this.look());
  }

  /** The user moves it to a row. */
  async moveTo(id: string): Promise<void> {
    this.place = this.ids().indexOf(id);
    this.id = id;
    await tell(one(this.root, "List"), "onSelectionChange", id);
  }

  private look(): void {
    const ids = this.ids();
    const named = one(this.root, "List").props.selectedItemId;
    if (typeof named === "string" && ids.includes(named)) this.place = ids.indexOf(named);
    this.id = ids[Math.min(this.place, ids.length - 1)] ?? "";
  }

  private ids(): string[] {
    return all(this.root, "List.Item").map(({ props }) => String(props.id));
  }
}

describe("while sessions change", () => {
  test("the cursor stays on its session, and sections change as the states say and not otherwise", async () => {
    const files = new AgentFiles();
    const at = now();
    files.status("one", "waiting", { title: "One", ts: at - 600 });
    files.status("two", "working", { title: "Two", ts: at - 500 });
    files.status("three", "working", { title: "Three", ts: at - 700 });
    files.status("four", "idle", { title: "Four", ts: at - 800 });
    files.status("five", "idle", { title: "Five", ts: at - 900 });
    const root = await openLive(files);
    const cursor = new Cursor(root);
    await cursor.moveTo("claude:three");

    const steps: [string, () => void, Record<string, string[]>][] = [
      [
        "one below needs the user, and goes to the end of those that wait, the longest first",
        () => files.status("five", "waiting", { title: "Five", ts: at - 100 }),
        { "Needs You": ["One", "Five"], Working: ["Change 2", "Two", "Three"], Idle: ["Four"] },
      ],
      [
        "a new one comes on top of its section",
        () => files.status("six", "working", { title: "Six", ts: at }),
        { "Needs You": ["One", "Five"], Working: ["Six", "Change 2", "Two", "Three"], Idle: ["Four"] },
      ],
      [
        "one above ends",
        () => files.status("two", "dormant", { title: "Two", ts: at - 50 }),
        { "Needs You": ["One", "Five"], Working: ["Six", "Change 2", "Three"], Idle: ["Four"], Ended: ["Two"] },
      ],
      [
        "one above is gone",
        () => files.remove("one"),
        { "Needs You": ["Five"], Working: ["Six", "Change 2", "Three"], Idle: ["Four"], Ended: ["Two"] },
      ],
      [
        "an answer comes, between those that need the user and those that work",
        () => files.status("four", "done", { title: "Four", ts: at - 10, done_at: at - 10 }),
        { "Needs You": ["Five"], "Unread Answers": ["Four"], Working: ["Six", "Change 2", "Three"], Ended: ["Two"] },
      ],
      [
        "its own session moves, and it goes along",
        () => files.status("three", "decision", { title: "Three", ts: at }),
        { "Needs You": ["Three", "Five"], "Unread Answers": ["Four"], Working: ["Six", "Change 2"], Ended: ["Two"] },
      ],
      [
        "its own session has only other words",
        () => files.status("three", "decision", { title: "Three", ts: at, message: "This way or that?" }),
        { "Needs You": ["Three", "Five"], "Unread Answers": ["Four"], Working: ["Six", "Change 2"], Ended: ["Two"] },
      ],
    ];
    for (const [name, change, expected] of steps) {
      change();
      await eventually(() => expect([name, sections(root)]).toEqual([name, expected]));
      expect([name, cursor.id]).toEqual([name, "claude:three"]);
      const titles = all(root, "List.Section").map(titleOf);
      expect(titles).toEqual(IN_ORDER.filter((each) => titles.includes(each)));
    }
    await eventually(() => expect(all(root, "List.Item")[0]?.props.subtitle).toBe("This way or that?"));
    files.remove("three");
    await eventually(() => expect(rows(root)[0]).toBe("Five"));
    expect(one(root, "List").props.selectedItemId).toBeUndefined();
    cursor.stop();
  });
});

describe("the selection of a list", () => {
  let show: (ids: readonly string[]) => Promise<void>;
  let root: Node;

  async function listOf(ids: readonly string[], first?: string): Promise<void> {
    const Command = ({ ids: given }: { ids: readonly string[] }) => {
      const { selection } = useSteadySelection(given, first === undefined ? {} : { first });
      return (
        <List searchBarPlaceholder="Search" {...selection}>
          {given.map((id) => (
            <List.Item key={id} id={id} title={id} />
          ))}
        </List>
      );
    };
    const view = await render(Command, { ids });
    ({ root } = view);
    show = (next) => view.update({ ids: next });
  }

  const named = () => one(root, "List").props.selectedItemId;

  test("is named when the rows around it move, and left to the launcher between such moves", async () => {
    await listOf(["a", "b", "c"]);
    await tell(one(root, "List"), "onSelectionChange", "b");
    expect(named()).toBeUndefined();
    await show(["c", "a", "b"]);
    expect(named()).toBe("b");
    await show(["c", "a", "b"]);
    expect(named()).toBeUndefined();
    await tell(one(root, "List"), "onSelectionChange", null);
    await show(["b", "c"]);
    expect(named()).toBe("b");
  });

  test("never jumps, whatever comes, goes and moves while the user is somewhere", async () => {
    const order = fc.shuffledSubarray(["a", "b", "c", "d", "e", "f"], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 2, maxLength: 8 }),
        fc.nat(),
        async ([first = [], ...orders], at) => {
          await listOf(first);
          const cursor = new Cursor(root);
          try {
            const chosen = first[at % first.length] ?? "";
            await cursor.moveTo(chosen);
            for (const ids of orders) {
              await show(ids);
              if (!ids.includes(chosen)) break;
              expect(cursor.id).toBe(chosen);
            }
          } finally {
            cursor.stop();
            await cleanup();
          }
        },
      ),
      // Each run renders a list of its own: looking for a smaller failure would take minutes.
      { ...propertyRuns(60), endOnFailure: true },
    );
  });
});
