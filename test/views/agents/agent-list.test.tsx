import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { action, actions, all, cleanup, environment, host, one, run, titleOf } from "../../host";
import { launch } from "../../host/launch";
import { AgentUser, loaded, markdownOf, states, toasts } from "./agent-user";

// A developer's own agents are not this user's.
jest.mock("../../../src/views/agents/program-folders", () => ({ programFolders: () => [] }));

/** Claude Code's settings as somebody has them. */
const SETTINGS = '{\n\t"model": "opus", // mine\n\t"env": { "KEY": "![x](https://x.example/a.png)" }\n}\n';

let user: AgentUser;

beforeEach(() => {
  user = new AgentUser();
  host.pushed = [];
});

afterEach(async () => {
  await cleanup();
  user.leave();
});

const row = (root: Parameters<typeof one>[0], title = "Claude Code") => one(root, "List.Item", title);

const OTHERS = ["Gemini CLI", "Qwen Code", "opencode", "Cursor", "GitHub Copilot CLI", "Droid", "Amp", "aider"];

describe("the list", () => {
  test("nothing is found: every agent is listed as that, and can be set up", async () => {
    const root = await user.open();
    const [section] = all(root, "List.Section");
    expect([all(root, "List.Section").map(titleOf), section?.props.subtitle]).toEqual([["Not Found"], "10"]);
    expect(actions(row(root)).map(titleOf)).toEqual(["Show Details", "Set Up", "Copy Next Step", "Refresh"]);
  });

  test("each state in its section, with the last event's age and the program's version", async () => {
    user.program("claude");
    user.write(user.settings, SETTINGS);
    user.write(user.path(".gemini", "settings.json"), "{}");
    user.write(user.path(".codex", "hooks.json"), "{\n  nonsense\n}\n");
    let root = await user.open();
    expect(states(root)).toMatchObject({
      "Needs Attention": ["Codex: Needs Attention"],
      "Not Set Up": ["Claude Code: Not Set Up", "Gemini CLI: Not Set Up"],
    });
    expect(row(root).props.icon).toMatchObject({ value: { tintColor: "raycast-secondary-text" } });
    for (const title of ["Claude Code", "Gemini CLI"]) {
      await run(action(await user.push(root, title, "Set Up"), "Apply"));
    }
    user.event("gemini", 7200);
    await run(action(row(root), "Refresh"));
    await cleanup();
    root = await user.open();
    expect(states(root)).toMatchObject({
      "Needs Attention": ["Codex: Needs Attention"],
      Reporting: ["Claude Code: Set Up, No Event Yet", "Gemini CLI: Reporting"],
    });
    expect(row(root).props.accessories).toMatchObject([
      { text: "claude 1.2.3" },
      { tag: { value: "Set Up, No Event Yet" } },
    ]);
    expect(row(root, "Gemini CLI").props.accessories).toMatchObject([{ tag: { value: "Reporting" } }, { text: "2h" }]);
  });

  test("a file that does not parse is named with its line, in the row, the details and the next step", async () => {
    user.program("claude");
    user.write(user.settings, '{\n  "model": "x",\n  nonsense\n}\n');
    const root = await user.open();
    const reason = `${user.settings}:3:3: `;
    expect(row(root).props.subtitle).toContain(reason);
    expect(actions(row(root)).map(titleOf)).not.toContain("Set Up");
    await run(action(row(root), "Copy Next Step"));
    expect(host.clipboard).toContain(reason);
    expect(host.clipboard).toContain("Correct it, then try again");
    await run(action(row(root), "Open Settings File"));
    expect(host.opened).toEqual([user.settings]);
    await run(action(row(root), "Show Details"));
    expect(all(root, "List.Item.Detail")[0]?.props.markdown).toContain(reason);
  });

  test("hooks that another version left need attention, and can be set up or removed", async () => {
    user.program("claude");
    const hook = { type: "command", command: "/old/bin/record claude Stop" };
    user.write(user.settings, JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    const root = await user.open();
    expect(states(root)).toMatchObject({ "Needs Attention": ["Claude Code: Needs Attention"] });
    expect(actions(row(root)).map(titleOf)).toEqual(
      expect.arrayContaining(["Set Up", "Remove", "Open Settings File", "Copy Next Step"]),
    );
    expect(action(row(root), "Remove").props.style).toBe("destructive");
  });

  test("a plugin is shown in its folder, never opened: a system may run it", async () => {
    user.program("opencode");
    const root = await user.open();
    await run(action(await user.push(root, "opencode", "Set Up"), "Apply"));
    await loaded(root, "List");
    await run(action(row(root, "opencode"), "Show Settings File"));
    expect(host.opened).toEqual([expect.stringMatching(/opencode.*\.(js|ts|mjs)$/)]);
    expect(actions(row(root, "opencode")).map(titleOf)).not.toContain("Open Settings File");
  });

  test("what the last opening saw shows at once", async () => {
    user.program("claude");
    const first = await launch("set-up-agents");
    await loaded(first.root, "List");
    await first.unmount();
    const { root } = await launch("set-up-agents");
    expect(all(root, "List.Item")).toHaveLength(10);
    await loaded(root, "List");
    expect(one(root, "List.EmptyView").props.title).toBe("No Matching Agents");
  });

  test("what cannot be looked at is said with what to do", async () => {
    user.write(user.settings, "{}");
    const before = await user.open();
    await run(action(await user.push(before, "Claude Code", "Set Up"), "Apply"));
    await cleanup();
    host.reset();
    environment.assetsPath = "/nowhere";
    const root = await user.open();
    expect(one(root, "List.EmptyView").props).toMatchObject({
      title: "Agents Cannot Be Read",
      description: expect.stringContaining("Install Agent Sessions again"),
    });
    await run(action(one(root, "List.EmptyView"), "Open Extension Preferences"));
    expect(host.opened).toEqual(["extension preferences"]);
    environment.assetsPath = `${process.cwd()}/assets`;
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await loaded(root, "List");
    expect(states(root)).toMatchObject({ Reporting: ["Claude Code: Set Up, No Event Yet"] });
  });
});

describe("setting up", () => {
  test("shows the exact difference in a code block, does it, and the row is set up", async () => {
    user.program("claude");
    user.write(user.settings, SETTINGS);
    const root = await user.open();
    const view = await user.push(root, "Claude Code", "Set Up");
    const shown = markdownOf(view);
    expect(shown).toContain("gets 18 hooks");
    expect(shown).toContain(`${user.recorder}: the recorder is installed`);
    expect(user.read(user.settings)).toBe(SETTINGS);
    expect(existsSync(user.recorder)).toBe(false);
    await run(action(view, "Copy"));
    const copied = host.clipboard;
    expect(copied).toMatch(/^--- .*settings\.json\n\+\+\+ .*settings\.json\n@@ /);
    expect(shown).toContain(`\`\`\`diff\n${copied.replaceAll("\t", "    ").trimEnd()}\n\`\`\``);

    await run(action(view, "Apply"));
    const added = copied.split("\n").flatMap((line) => (/^\+(?!\+\+ )/.test(line) ? [line.slice(1)] : []));
    const now = user.read(user.settings);
    expect(added.filter((line) => !now.includes(line))).toEqual([]);
    expect(now.split(`${user.recorder}`)).toHaveLength(18 + 1);
    expect(statSync(user.recorder).mode & 0o777).toBe(0o700);
    const backup = readdirSync(user.path(".claude")).find((name) => name.includes(".bak-")) ?? "none";
    expect(user.read(user.path(".claude", backup))).toBe(SETTINGS);
    expect(toasts()).toEqual([`SUCCESS | Set Up Claude Code, Backup: ${user.path(".claude", backup)}`]);
    expect(markdownOf(view)).toContain(backup);
    expect(markdownOf(view)).toContain("after /hooks or a restart");
    await run(action(view, "Show Backup"));
    expect(host.opened).toEqual([user.path(".claude", backup)]);
    await run(action(view, "Back to Agents"));
    expect(host.popped).toBe(1);
    await loaded(root, "List");
    expect(states(root).Reporting).toEqual(["Claude Code: Set Up, No Event Yet"]);
  });

  test("nothing in a file ends the code block", async () => {
    user.write(user.settings, '{\n  "a": "```\u202e",\n  // ````\n  "b": 1\n}\n');
    const view = await user.push(await user.open(), "Claude Code", "Set Up");
    expect(markdownOf(view)).toMatch(/^`````diff$/m);
    expect(markdownOf(view)).toMatch(/\n`````$/);
    expect(markdownOf(view)).not.toContain("\u202e");
  });

  test("a file that was changed meanwhile is left alone, and what would change now is shown", async () => {
    user.write(user.settings, SETTINGS);
    const root = await user.open();
    const view = await user.push(root, "Claude Code", "Set Up");
    user.write(user.settings, '{ "model": "changed" }\n');
    await run(action(view, "Apply"));
    expect(toasts()).toEqual([
      `FAILURE | Could Not Set Up Claude Code | ${user.settings} was changed meanwhile, and left as it is. ` +
        "Look at what would change now, then try again.",
    ]);
    expect(user.read(user.settings)).toBe('{ "model": "changed" }\n');
    expect(existsSync(user.recorder)).toBe(false);
    await loaded(view, "Detail");
    expect(markdownOf(view)).toContain('-{ "model": "changed" }');
    await run(action(view, "Apply"));
    expect(user.read(user.settings)).toContain(user.recorder);
  });

  test("a file that does not parse is refused with its line, and nothing can be applied", async () => {
    user.write(user.settings, SETTINGS);
    const root = await user.open();
    user.write(user.settings, '{\n  "model": "x",\n  nonsense\n}\n');
    const view = await user.push(root, "Claude Code", "Set Up");
    expect(markdownOf(view)).toContain(`${user.settings}:3:3: `);
    expect(actions(view).map(titleOf)).toEqual(["Refresh"]);
    user.write(user.settings, SETTINGS);
    await run(action(view, "Refresh"));
    await loaded(view, "Detail");
    expect(markdownOf(view)).toContain("gets 18 hooks");
  });

  test("what cannot be written says why, and the row stays", async () => {
    user.write(user.settings, SETTINGS);
    const root = await user.open();
    const view = await user.push(root, "Claude Code", "Set Up");
    user.write(user.path(".agent-sessions"), "a file stands in the way");
    await run(action(view, "Apply"));
    expect(toasts()).toEqual([expect.stringMatching(/^FAILURE \| Could Not Set Up Claude Code \| .*\.agent-sessions/)]);
    expect(user.read(user.settings)).toBe(SETTINGS);
    expect(states(root)["Not Set Up"]).toEqual(["Claude Code: Not Set Up"]);
    rmSync(user.path(".agent-sessions"));
  });

  test("a file that cannot be written does not keep the others: they are named", async () => {
    user.write(user.path(".codex", "hooks.json"), "{}");
    user.write(user.path(".codex", "config.toml"), "[broken\n");
    const root = await user.open();
    expect(states(root)).toMatchObject({ "Needs Attention": ["Codex: Needs Attention"] });
    const view = await user.push(root, "Codex", "Set Up");
    expect(markdownOf(view)).toContain("config.toml:1:");
    await run(action(view, "Apply"));
    expect(user.read(user.path(".codex", "hooks.json"))).toContain(user.recorder);
    expect(user.read(user.path(".codex", "config.toml"))).toBe("[broken\n");
  });
});

describe("removing", () => {
  test("asks first, then leaves the file as it was, to the byte", async () => {
    user.write(user.settings, SETTINGS);
    const root = await user.open();
    await run(action(await user.push(root, "Claude Code", "Set Up"), "Apply"));
    await loaded(root, "List");
    const setUp = user.read(user.settings);
    host.toasts = [];
    const view = await user.push(root, "Claude Code", "Remove");
    expect(markdownOf(view)).toContain("our part is removed");
    expect(action(view, "Remove").props.style).toBe("destructive");
    host.confirm = false;
    await run(action(view, "Remove"));
    expect([user.read(user.settings), toasts()]).toEqual([setUp, []]);
    host.confirm = true;
    await run(action(view, "Remove"));
    expect(user.read(user.settings)).toBe(SETTINGS);
    expect(toasts()).toEqual([expect.stringMatching(/^SUCCESS \| Removed from Claude Code, Backup: .*\.bak-\d{14}/)]);
    await loaded(root, "List");
    expect(states(root)["Not Set Up"]).toEqual(["Claude Code: Not Set Up"]);
  });

  test("a file that the set-up made is gone again, with its folder", async () => {
    const root = await user.open();
    await run(action(await user.push(root, "Claude Code", "Set Up"), "Apply"));
    await loaded(root, "List");
    await run(action(await user.push(root, "Claude Code", "Remove"), "Remove"));
    await loaded(root, "List");
    expect(existsSync(user.path(".claude"))).toBe(false);
    expect(states(root)["Not Found"]).toHaveLength(OTHERS.length + 2);
  });
});

describe("the Claude plugin", () => {
  const folder = () => user.path(".claude", "skills", "agent-sessions");
  const manifest = () => user.path(".claude", "skills", "agent-sessions", ".claude-plugin", "plugin.json");

  /** Claude Code in a version that runs the plugin. */
  function claude(version = "2.1.332"): void {
    user.write(user.path("programs", "claude"), `#!/bin/sh\necho "${version} (Claude Code)"\n`, 0o755);
    user.write(user.settings, SETTINGS);
  }

  async function install(root: Parameters<typeof one>[0]): Promise<void> {
    await run(action(await user.push(root, "Claude Code", "Install Claude Plugin…"), "Install Claude Plugin"));
    await loaded(root, "List");
    host.toasts = [];
  }

  test("is installed after each file was shown and a question was answered, without touching the settings", async () => {
    claude();
    const root = await user.open();
    const view = await user.push(root, "Claude Code", "Install Claude Plugin…");
    expect(markdownOf(view)).toContain(`${folder()}: is made, the plugin 0.1.0`);
    expect(markdownOf(view)).toContain("+ hooks/register.tsx");
    host.confirm = false;
    await run(action(view, "Install Claude Plugin"));
    expect([existsSync(folder()), toasts()]).toEqual([false, []]);
    host.confirm = true;
    await run(action(view, "Install Claude Plugin"));
    expect(toasts()).toEqual(["SUCCESS | Installed the Claude Plugin"]);
    expect(markdownOf(view)).toContain("/reload-plugins");
    expect(user.read(manifest())).toContain('"agent-sessions"');
    expect(user.read(user.settings)).toBe(SETTINGS);
    await loaded(root, "List");
    expect(row(root).props.accessories).toContainEqual(expect.objectContaining({ tooltip: "Plugin: Installed" }));
    expect(actions(row(root)).map(titleOf)).not.toContain("Install Claude Plugin…");
    await run(action(row(root), "Show Details"));
    expect(all(root, "List.Item.Detail")[0]?.props.markdown).toContain(`${folder()}\n  installed, 0.1.0`);
  });

  test("one that is not as it ships can be updated; removed, it leaves the rest as it was", async () => {
    claude();
    user.write(user.path(".claude", "skills", "review", "SKILL.md"), "# Review\n");
    const root = await user.open();
    await install(root);
    user.write(manifest(), user.read(manifest()).replace("0.1.0", "0.0.9"));
    await run(action(row(root), "Refresh"));
    await loaded(root, "List");
    const update = await user.push(root, "Claude Code", "Update Claude Plugin…");
    expect(markdownOf(update)).toContain("! .claude-plugin/plugin.json");
    await run(action(update, "Install Claude Plugin"));
    expect(user.read(manifest())).toContain('"0.1.0"');
    await loaded(root, "List");
    const view = await user.push(root, "Claude Code", "Remove Claude Plugin…");
    expect(action(view, "Remove Claude Plugin").props.style).toBe("destructive");
    await run(action(view, "Remove Claude Plugin"));
    expect(readdirSync(user.path(".claude", "skills"))).toEqual(["review"]);
    expect(user.read(user.settings)).toBe(SETTINGS);
  });

  test("goes with the hooks when Claude Code is removed", async () => {
    claude();
    const root = await user.open();
    await install(root);
    await run(action(await user.push(root, "Claude Code", "Set Up"), "Apply"));
    await loaded(root, "List");
    const view = await user.push(root, "Claude Code", "Remove");
    expect(markdownOf(view)).toContain(`${folder()}: the plugin is removed with its folder`);
    await run(action(view, "Remove"));
    expect(existsSync(user.path(".claude", "skills"))).toBe(false);
    expect(user.read(user.settings)).toBe(SETTINGS);
  });

  test("in a Claude Code that is too old, and in a folder that is not ours, it says why not", async () => {
    claude("2.1.286");
    const root = await user.open();
    const old = await user.push(root, "Claude Code", "Install Claude Plugin…");
    expect(markdownOf(old)).toContain("2.1.287 or newer");
    expect(actions(old).map(titleOf)).toEqual(["Refresh"]);
    user.write(user.path(".claude", "skills", "agent-sessions", "SKILL.md"), "# Mine\n");
    await run(action(row(root), "Refresh"));
    await loaded(root, "List");
    expect(actions(row(root)).map(titleOf)).not.toContain("Install Claude Plugin…");
    await run(action(row(root), "Show Details"));
    expect(all(root, "List.Item.Detail")[0]?.props.markdown).toContain("is not ours");
  });

  test("what was changed after it was shown is left alone", async () => {
    claude();
    const view = await user.push(await user.open(), "Claude Code", "Install Claude Plugin…");
    user.write(user.path(".claude", "skills", "agent-sessions", "SKILL.md"), "# Mine\n");
    await run(action(view, "Install Claude Plugin"));
    expect(toasts()).toEqual([
      expect.stringMatching(/^FAILURE \| Could Not Install the Claude Plugin \| .*changed meanwhile/),
    ]);
    expect(readdirSync(folder())).toEqual(["SKILL.md"]);
  });
});
