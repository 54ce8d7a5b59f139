import { Color } from "../host/names";
import { action, all, cleanup, one, run, titleOf, type Node } from "../host";
import { AgentFiles, now } from "./agent-files";
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
