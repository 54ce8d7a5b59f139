import { expect, mock, test } from "claude-code/testing";
import type { On } from "claude-code";
import type { MockClock } from "claude-code/testing";

const MEMORY = "/home/dev/.claude/projects/-home-dev-work/memory";
const COMPOSER = { kind: "composer" } as const;
const PRESENTATION = { isFullscreen: true, columns: 120 };

/** A machine with a memory index, in memory; what the plugin writes is kept. */
function machine(on: On, prompt: string): { files: Map<string, string>; clock: MockClock } {
  const files = new Map([
    [`${MEMORY}/MEMORY.md`, "- [Shop](shop.md) 🔑 `shop pickup`\n- [A](a.md) 🔑 `twice`\n- [B](b.md) 🔑 `twice`"],
    [`${MEMORY}/shop.md`, "# Shop\n"],
  ]);
  const clock = mock.clock(on);
  mock.env(on, { HOME: "/home/dev", LANG: "en_US.UTF-8" });
  mock.store(on);
  on("fs.read", (_$, e) => {
    const text = files.get(e.path);
    return text === undefined ? { deny: "ENOENT" } : { value: text };
  });
  on("fs.write", (_$, e) => {
    files.set(e.path, e.text);
    return { value: undefined };
  });
  on("fs.exists", () => ({ value: true }));
  on("fs.stat", () => ({ deny: "ENOENT" }));
  on("fs.list", () => ({ deny: "ENOENT" }));
  on("session.id", () => ({ value: "session-1" }));
  on("session.root", () => ({ value: "/home/dev/work" }));
  on("session.messages", () => ({ value: [{ role: "user", text: prompt, toolUses: [] }] }));
  on("process.hookEnv", () => ({ value: { CLAUDE_PID: "4711" } }));
  return { files, clock };
}

test("an unknown word gets the usage", async ($, on) => {
  machine(on, "shop pickup");
  const { text } = await $.command.run({
    command: "pause",
    args: "later",
    origin: COMPOSER,
    presentation: PRESENTATION,
  });
  expect(text).toStartWith("Usage: /pause");
});

test("a session that has a pickup file is told where it saves to", async ($, on) => {
  machine(on, "shop pickup, please");
  const { text } = await $.command.run({
    command: "pause",
    args: "self",
    origin: COMPOSER,
    presentation: PRESENTATION,
  });
  expect(text).toContain("saves to shop.md");
});

test("an ambiguous phrase starts nothing", async ($, on) => {
  machine(on, "twice");
  const { text } = await $.command.run({
    command: "pause",
    args: "self",
    origin: COMPOSER,
    presentation: PRESENTATION,
  });
  expect(text).toContain("several files");
});

test("events are reported to the inbox", async ($, on) => {
  const { files, clock } = machine(on, "hello");
  on("classic.Stop", () => ({}));
  await $.classic.Stop({ stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] });
  // The report is written a moment later, and nobody waits for it.
  for (let round = 0; round < 100 && files.size < 3; round++) await clock.settle();
  const [name, text] = [...files].find(([path]) => path.includes("/.agent-sessions/inbox/")) ?? ["", ""];
  expect(name).toMatch(/\/claude-0004711-p0000001-[0-9a-f]{12}$/);
  expect(text).toStartWith("agent-sessions 1\nagent=claude\nevent=Stop\n");
  expect(text).toContain('"last_assistant_message":"Done."');
});

test("the overview says so when the sessions cannot be read", async ($, on) => {
  machine(on, "hello");
  on("session.info", () => ({ value: { transcriptPath: "", platform: "linux" } }));
  on("ui.panes", () => ({ value: [] }));
  on("ui.open", () => ({ value: { isPlaced: true } }));
  const { text } = await $.command.run({ command: "sessions", args: "", origin: COMPOSER, presentation: PRESENTATION });
  expect(text).toContain("open");
  const ui = await $.ui.mount({
    plugin: "agent-sessions",
    surface: "terminal",
    component: "Pane",
    requestId: "sessions",
    props: {
      title: "Sessions",
      isFocused: false,
      bodyColumns: 60,
      placement: "dock",
      scroll: { offset: 0, bodyRows: 20 },
      view: {},
    },
  });
  expect((await ui.find({ type: "Text" }))?.text).toContain("cannot be read");
});
