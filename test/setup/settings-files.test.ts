import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { CLAUDE_EVENTS } from "../../src/agents/claude/hooks";
import { CODEX_EVENTS } from "../../src/agents/codex/hooks";
import { COPILOT_EVENTS } from "../../src/agents/copilot/hooks";
import { CURSOR_EVENTS } from "../../src/agents/cursor/hooks";
import { DROID_EVENTS } from "../../src/agents/droid/hooks";
import { GEMINI_EVENTS } from "../../src/agents/gemini/hooks";
import { isOurCommand } from "../../src/agents/recorder-command";
import { QWEN_EVENTS } from "../../src/agents/qwen/hooks";
import { readJsonSettings, valueOf } from "../../src/files/settings-json";
import { planSetUp } from "../../src/observe/set-up";
import { part } from "../thoroughness";
import { User, withoutBackups } from "./user";

/** An agent whose hooks are JSON: an event, its command key and how a foreign hook looks there. */
const JSON_AGENTS = [
  { agent: "claude", events: CLAUDE_EVENTS, key: "command", grouped: true },
  { agent: "codex", events: CODEX_EVENTS, key: "command", grouped: true },
  { agent: "gemini", events: GEMINI_EVENTS, key: "command", grouped: true },
  { agent: "qwen", events: QWEN_EVENTS, key: "command", grouped: true },
  { agent: "droid", events: DROID_EVENTS, key: "command", grouped: true },
  { agent: "cursor", events: CURSOR_EVENTS, key: "command", grouped: false },
  { agent: "copilot", events: COPILOT_EVENTS, key: "bash", grouped: false },
] as const;

type JsonAgent = (typeof JSON_AGENTS)[number];

/** One foreign handler as an element of an event's list. */
function foreign({ grouped, key }: JsonAgent, command = "/opt/other/tool hook"): unknown {
  const handler = { type: "command", [key]: command };
  return grouped ? { matcher: "Bash|Edit", hooks: [handler] } : handler;
}

/** A settings file with foreign hooks on the first event and on one that we do not use. */
function others(agent: JsonAgent): Record<string, unknown> {
  const [first] = agent.events;
  return {
    version: 1,
    model: "opus",
    hooks: { [first]: [foreign(agent)], Unheard: [foreign(agent, "echo unheard")] },
    env: { NAME: "value" },
  };
}

/** Settings files as people have them; undefined: none. */
const FILES: Readonly<Record<string, (agent: JsonAgent) => string | undefined>> = {
  absent: () => undefined,
  empty: () => "",
  "an empty line": () => "\n",
  "an empty object": () => "{}",
  "an empty object on two lines": () => "{\n}\n",
  "only a comment": () => "// nothing yet",
  comments: () => '// top\n{\n  // before\n  "model": "x", // beside\n  /* under */\n}\n// end\n',
  "a comment in an empty object": () => "{ // nothing yet\n}\n",
  "a trailing comma": () => '{\n  "model": "x",\n}\n',
  "a comment before the comma": () => '{\n  "model": "x" // why\n  ,\n  "hooks": {}\n}',
  tabs: (agent) => JSON.stringify(others(agent), null, "\t"),
  "three spaces": (agent) => `${JSON.stringify(others(agent), null, 3)}\n`,
  "one line": (agent) => JSON.stringify(others(agent)),
  "one line with spaces": () => '{ "model": "x", "hooks": { } }\n',
  CRLF: (agent) => `${JSON.stringify(others(agent), null, 2)}\n`.replaceAll("\n", "\r\n"),
  "a byte order mark": (agent) => `\uFEFF${JSON.stringify(others(agent), null, 2)}\n`,
  "a byte order mark and nothing": () => "\uFEFF",
  "foreign hooks": (agent) => JSON.stringify(others(agent), null, 2),
  "empty hooks": () => '{\n  "hooks": {}\n}\n',
  "an empty list": ({ events: [first] }) => `{\n  "hooks": {\n    "${first}": []\n  }\n}\n`,
  "an empty list with a comment": ({ events: [first] }) => `{\n  "hooks": {\n    "${first}": [ /* mine */ ]\n  }\n}\n`,
  "lists on one line": (agent) => {
    const [first, second] = agent.events;
    const one = JSON.stringify(foreign(agent));
    return `{\n  "hooks": {\n    "${first}": [${one}],\n    "${second}": [\n      ${one}, // theirs\n    ]\n  }\n}\n`;
  },
  unicode: () => '{\n  "name": "Zoë 😀 \\u00e9 日本",\n  "ключ": ["\u2028"]\n}\n',
  "1 MB": (agent) => {
    const permissions = Array.from({ length: 20_000 }, (_, n) => `Bash(command-number-${n} --with argument:*)`);
    return JSON.stringify({ permissions: { allow: permissions }, ...others(agent) }, null, 2);
  },
};

/** A large file is tried with some of the agents only: each has the same editor behind it. */
const LARGE_FOR = part(JSON_AGENTS, 3);

const CASES = JSON_AGENTS.flatMap((agent) =>
  Object.entries(FILES)
    .filter(([name]) => name !== "1 MB" || LARGE_FOR.includes(agent))
    .map(([name, make]) => ({ name: `${agent.agent}, ${name}`, agent, make })),
);

/** The commands of ours by event. */
function ours(text: string, { agent, key, grouped }: JsonAgent): Record<string, number> {
  const read = readJsonSettings(text);
  if (read.outcome === "broken") throw new Error(`${read.fault.line}:${read.fault.column} ${read.fault.reason}`);
  const { hooks } = Object(valueOf(read.settings.root));
  const count: Record<string, number> = {};
  for (const [event, list] of Object.entries<Record<string, unknown>[]>(hooks ?? {})) {
    for (const element of list) {
      const handlers = grouped ? Object(element).hooks : [element];
      for (const handler of handlers) if (isOurCommand(handler[key], agent)) count[event] = (count[event] ?? 0) + 1;
    }
  }
  return count;
}

/** A text without what a removal cannot tell from ours: empty hooks. */
function plain(text: string | undefined): string | undefined {
  return text?.replace(/,?\s*"hooks": ?\{ ?\}/, "");
}

/** Whether a text is left of another one when characters are taken out of that: nothing of it is gone or moved. */
function isWithin(text: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (text.startsWith(character, at)) at += character.length;
  return at === text.length;
}

describe("a settings file in JSON", () => {
  test.each(CASES)("$name: each event once, everything else as it was, and back to the byte", ({ agent, make }) => {
    const user = new User();
    const path = user.settings(agent.agent);
    const before = make(agent);
    if (before !== undefined) user.write(path, before);
    const start = user.snapshot();

    expect(user.setUp(agent.agent).map(({ outcome }) => outcome)).toContain("written");
    const after = readFileSync(path, "utf8");
    expect(ours(after, agent)).toEqual(Object.fromEntries(agent.events.map((event) => [event, 1])));
    expect(isWithin(before ?? "", after)).toBe(true);
    if (before?.includes("\r\n") === true) expect(after.replaceAll("\r\n", "")).not.toContain("\n");

    const set = user.snapshot();
    expect(user.setUp(agent.agent)).toEqual([]);
    expect(user.snapshot()).toEqual(set);

    user.remove(agent.agent);
    expect(withoutBackups(user.snapshot())).toEqual(start);
  });

  // Of a file that has to have a version besides, nobody remembers whose that was.
  test.each(CASES)("$name: without a memory of the set-up, only what was empty may be gone", ({ agent, make }) => {
    const user = new User();
    const [target] = user.agent(agent.agent).targets;
    const recorder = { path: "/home/me/.agent-sessions/bin/record", inbox: "/x", platform: "linux" as const };
    const before = make(agent);
    const set = target?.setUp(before, recorder, undefined);
    if (set?.outcome !== "change") throw new Error("nothing set up");
    const removed = target?.remove(set.text, undefined);
    if (removed?.outcome !== "change") throw new Error("nothing removed");
    const hadNothing = before === undefined || !/"(model|name|env)"/.test(before);
    if (hadNothing || !agent.grouped) expect(ours(removed.text ?? "{}", agent)).toEqual({});
    else expect(plain(removed.text)).toBe(plain(before));
  });

  test.each(JSON_AGENTS.map((agent) => ({ name: agent.agent, agent })))(
    "$name: an older set-up with another home is replaced, in place of the old one",
    ({ agent }) => {
      const user = new User();
      const path = user.settings(agent.agent);
      const [first, second] = agent.events;
      const old = (event: string) => foreign(agent, `'/Users/o d/.agent-sessions/bin/record' ${agent.agent} ${event}`);
      const settings = {
        hooks: { [first]: [old(first), foreign(agent)], [second]: [old(second)], Gone: [old("Gone")] },
      };
      user.write(path, JSON.stringify(settings, null, 2));
      user.setUp(agent.agent);
      const after = readFileSync(path, "utf8");
      expect(after).not.toContain("/Users/o d");
      expect(ours(after, agent)).toEqual(Object.fromEntries(agent.events.map((event) => [event, 1])));
      user.remove(agent.agent);
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ hooks: { [first]: [foreign(agent)] } });
    },
  );

  test("a handler of ours beside a foreign one in one group leaves that one alone", () => {
    const user = new User();
    const path = user.settings("claude");
    const mine = { type: "command", command: "/old/bin/record claude Stop" };
    const text = JSON.stringify(
      { hooks: { Stop: [{ hooks: [mine, { type: "command", command: "say done" }] }] } },
      null,
      2,
    );
    user.write(path, text);
    user.setUp("claude");
    user.remove("claude");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
    });
  });

  test("what the user changed after a set-up stays, and only ours go", () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, '{\n  "model": "x"\n}\n');
    user.setUp("claude");
    const text = readFileSync(path, "utf8");
    const changed = text
      .replace('"model": "x"', '"model": "y" /* better */')
      .replace(
        '"Stop": [',
        '"Stop": [\n      // mine\n      { "hooks": [{ "type": "command", "command": "say done" }] },',
      );
    user.write(path, changed);
    expect(user.setUp("claude")).toEqual([]);
    user.remove("claude");
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  "model": "y" /* better */,\n  "hooks": {\n    "Stop": [\n      // mine\n' +
        '      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n',
    );
  });

  test("a comment to its line's end does not swallow what comes after ours", () => {
    const [target] = new User().agent("claude").targets;
    const mine = '{ "hooks": [{ "type": "command", "command": "/h/bin/record claude Stop" }] }';
    const text = `{\n  "hooks": {\n    "Stop": [ // mine\n      ${mine} ]\n  }\n}\n`;
    expect(target?.remove(text, undefined)).toEqual({
      outcome: "change",
      text: '{\n  "hooks": {\n    "Stop": [ // mine\n ]\n  }\n}\n',
    });
  });

  test("an event that somebody took out is put back, and the others stay where they are", () => {
    const user = new User();
    const path = user.settings("codex");
    user.setUp("codex");
    const all = JSON.parse(readFileSync(path, "utf8"));
    delete all.hooks.Stop;
    all.hooks.Interrupt[0].hooks[0].timeout = 1;
    user.write(path, JSON.stringify(all, null, 2));
    user.setUp("codex");
    const again = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(again.hooks).sort()).toEqual([...CODEX_EVENTS].sort());
    expect(again.hooks.Interrupt[0].hooks[0].timeout).toBe(1);
  });
});

describe("what each agent is registered for", () => {
  test("Claude Code gets none of the events that must not be observed", () => {
    for (const event of [
      "WorktreeCreate",
      "WorktreeRemove",
      "PreModelSwitch",
      "FileChanged",
      "MessageDisplay",
      "PostToolBatch",
    ])
      expect(CLAUDE_EVENTS).not.toContain(event);
  });

  test("Codex: short timeouts where it caps them; Gemini in milliseconds; Copilot without permissionRequest", () => {
    const user = new User();
    for (const agent of ["codex", "gemini", "copilot", "cursor"]) user.setUp(agent);
    const { hooks } = JSON.parse(readFileSync(user.settings("codex"), "utf8"));
    expect(hooks.SessionEnd[0].hooks[0].timeout).toBe(3);
    expect(hooks.Interrupt[0].hooks[0].timeout).toBe(3);
    expect(hooks.Stop[0].hooks[0].timeout).toBe(5);
    const gemini = JSON.parse(readFileSync(user.settings("gemini"), "utf8"));
    expect(gemini.hooks.BeforeTool[0].hooks[0].timeout).toBe(5000);
    const copilot = JSON.parse(readFileSync(user.settings("copilot"), "utf8"));
    expect(copilot.hooks.permissionRequest).toBeUndefined();
    expect(copilot.hooks.preToolUse[0].bash).toMatch(/ \|\| exit 0$/);
    expect(copilot.version).toBe(1);
    expect(JSON.parse(readFileSync(user.settings("cursor"), "utf8")).version).toBe(1);
  });

  test("their folders follow the agents' own variables", () => {
    const user = new User({
      CLAUDE_CONFIG_DIR: "/c/claude",
      CODEX_HOME: "/c/codex",
      COPILOT_HOME: "/c/copilot",
      XDG_CONFIG_HOME: "/c/xdg",
    });
    expect(["claude", "codex", "copilot", "opencode", "amp"].map((name) => user.settings(name))).toEqual([
      "/c/claude/settings.json",
      "/c/codex/hooks.json",
      "/c/copilot/hooks/agent-sessions.json",
      "/c/xdg/opencode/plugins/agent-sessions.js",
      "/c/xdg/amp/plugins/agent-sessions.ts",
    ]);
    expect(new User({ OPENCODE_CONFIG_DIR: "~/oc" }).settings("opencode")).toMatch(
      /\/oc\/plugins\/agent-sessions\.js$/,
    );
  });
});

describe("Codex's notify", () => {
  const table = "# mine\n[tui]\nnotifications = false # quiet\n";
  const FILES_TOML: Readonly<Record<string, string | undefined>> = {
    absent: undefined,
    empty: "",
    "a comment": "# nothing",
    "keys and tables": `model = "gpt" # best\n\n${table}`,
    "tables only": table,
    schema: `#:schema https://example.com/config.json\nmodel = "x"\n${table}`,
    CRLF: `model = "x"\r\n[tui]\r\nkey = 1\r\n`,
    "a byte order mark": `\uFEFFmodel = "x"\n`,
    "several lines in a string": `text = """\n[not.a.table]\nnotify = ["no"]\n"""\n${table}`,
    unicode: `name = "Zoë 😀"\n`,
    "no line end": `model = "x"`,
    "1 MB": `${table}${Array.from({ length: 20_000 }, (_, n) => `key_${n} = "value number ${n} of so many"\n`).join("")}`,
  };

  test.each(Object.entries(FILES_TOML))("%s: set up and back to the byte", (_name, before) => {
    const user = new User();
    const path = user.settings("codex", 1);
    if (before !== undefined) user.write(path, before);
    const start = user.snapshot();
    user.setUp("codex");
    const after = readFileSync(path, "utf8");
    const { notify, ...rest } = parseToml(after.replace("\uFEFF", ""));
    expect(notify).toEqual([`${user.places.home}/bin/record`, "codex", "notify"]);
    expect(rest).toEqual(parseToml((before ?? "").replace("\uFEFF", "")));
    if (before?.includes("\r\n") === true) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    const set = user.snapshot();
    expect(user.setUp("codex")).toEqual([]);
    expect(user.snapshot()).toEqual(set);
    user.remove("codex");
    expect(withoutBackups(user.snapshot())).toEqual(start);
  });

  test.each(Object.entries(FILES_TOML))("%s: back without a memory of the set-up", (_name, before) => {
    const [, target] = new User().agent("codex").targets;
    const set = target?.setUp(before, { path: "/h/bin/record", inbox: "/x", platform: "linux" }, undefined);
    if (set?.outcome !== "change") throw new Error("nothing set up");
    expect(target?.remove(set.text, undefined)).toEqual({ outcome: "change", text: before ?? "" });
  });

  test("one that calls another program stays, and is told of", async () => {
    const user = new User();
    const path = user.settings("codex", 1);
    user.write(path, 'notify = ["/opt/notifier"]\n');
    const io = user.io();
    expect(await user.run({ agents: ["codex"] }, io)).toBe(0);
    expect(io.out()).toContain(`${path} stays as it is: "notify" calls another program already`);
    expect(readFileSync(path, "utf8")).toBe('notify = ["/opt/notifier"]\n');
  });

  test("one of ours with another home is replaced", () => {
    const user = new User();
    const path = user.settings("codex", 1);
    user.write(path, 'model = "x"\nnotify = [ "/old/bin/record", "codex", "notify" ]\n[tui]\n');
    user.setUp("codex");
    expect(readFileSync(path, "utf8")).toBe(
      `notify = ["${user.places.home}/bin/record", "codex", "notify"]\nmodel = "x"\n[tui]\n`,
    );
    user.remove("codex");
    expect(readFileSync(path, "utf8")).toBe('model = "x"\n[tui]\n');
  });
});

test("a Codex configuration whose key is nested deeper than a stack is refused with the reason, and left", () => {
  const user = new User();
  const path = user.settings("codex", 1);
  const text = `a${".a".repeat(30_000)} = 1\n`;
  user.write(path, text);
  const planned = planSetUp(user.place, [user.agent("codex")]).files.find(({ target }) => target.path === path);
  expect(planned).toMatchObject({
    outcome: "refused",
    error: { message: expect.stringContaining("too deeply") as string },
  });
  user.setUp("codex");
  expect(readFileSync(path, "utf8")).toBe(text);
});

describe("aider's configuration", () => {
  const FILES_YAML: Readonly<Record<string, string | undefined>> = {
    absent: undefined,
    empty: "",
    "a comment": "# nothing yet",
    "a document mark": "---\n",
    keys: "model: opus # best\n\n# more\nread:\n  - a.md\n  - b.md\n",
    "no line end": "model: opus # best",
    CRLF: "model: opus\r\nread: [a, b]\r\n",
    "a byte order mark": "\uFEFFmodel: opus\n",
    "text over lines": "model: opus\nnote: |\n  one\n  two\n\n",
    "comments after": "model: opus\n# the end\n",
    indented: "  model: opus\n  dark-mode: true\n",
    unicode: 'name: "Zoë 😀"\n',
    "1 MB": Array.from({ length: 2000 }, (_, n) => `key-${n}: ${"value ".repeat(85)}${n}\n`).join(""),
  };

  test.each(Object.entries(FILES_YAML))("%s: set up and back to the byte", (_name, before) => {
    const user = new User();
    const path = user.settings("aider");
    if (before !== undefined) user.write(path, before);
    const start = user.snapshot();
    user.setUp("aider");
    const after = readFileSync(path, "utf8");
    const values = parseYaml(after.replace("\uFEFF", ""));
    expect(values).toEqual({
      ...parseYaml((before ?? "").replace("\uFEFF", "")),
      notifications: true,
      "notifications-command": `${user.places.home}/bin/record aider done ''`,
    });
    expect(user.setUp("aider")).toEqual([]);
    user.remove("aider");
    expect(withoutBackups(user.snapshot())).toEqual(start);
  });

  test.each(Object.entries(FILES_YAML))("%s: back without a memory of the set-up", (name, before) => {
    const [target] = new User().agent("aider").targets;
    const set = target?.setUp(before, { path: "/h/bin/record", inbox: "/x", platform: "linux" }, undefined);
    if (set?.outcome !== "change") throw new Error("nothing set up");
    const removed = target?.remove(set.text, undefined);
    const whole = name === "no line end" || name === "a comment" ? `${before}\n` : (before ?? "");
    expect(removed).toEqual({ outcome: "change", text: whole });
  });

  test.each([
    ["an alias of nothing", "a: *nothing\n"],
    [
      "aliases that multiply",
      Array.from({ length: 12 }, (_, n) => `a${n}: &a${n} [${Array(9).fill(n === 0 ? "x" : `*a${n - 1}`)}]\n`).join(""),
    ],
    ["braces without end", `a: ${'{"a":'.repeat(20_000)}`],
    ["brackets without end", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`],
    ["lines without end", Array.from({ length: 900 }, (_, n) => `${" ".repeat(n)}a:\n`).join("")],
    ["lists without end", `${"- ".repeat(5_000)}a\n`],
  ])("%s are refused with the reason, and left", (_name, text) => {
    const user = new User();
    user.write(user.settings("aider"), text);
    const [planned] = planSetUp(user.place, [user.agent("aider")]).files;
    expect(planned).toMatchObject({
      outcome: "refused",
      error: { message: expect.stringMatching(/:\d+:\d+: ./) as string },
    });
    expect(user.setUp("aider")).toEqual([]);
    expect(readFileSync(user.settings("aider"), "utf8")).toBe(text);
  });

  test.each([
    ["another command", "notifications: true\nnotifications-command: say done\n", "calls another program"],
    ["its own notification", "notifications: true\n", "is set already"],
    ["notifications off", "notifications: false\n", "is set already"],
  ])("%s stays, and is told of", async (_name, text, reason) => {
    const user = new User();
    user.write(user.settings("aider"), text);
    const io = user.io();
    expect(await user.run({ agents: ["aider"] }, io)).toBe(0);
    expect(io.out()).toContain(reason);
    expect(readFileSync(user.settings("aider"), "utf8")).toBe(text);
  });

  // The second is what earlier versions wrote, with which the recorder waited for an input that nobody ends.
  const EARLIER: readonly [string, (home: string) => string][] = [
    ["with another home", () => `/old/bin/record aider done ''`],
    ["without a payload", (home) => `${home}/bin/record aider notification`],
    ["of both", () => `'/my old/bin/record' aider notification`],
    ["on Windows", () => `agent-sessions record aider done ""`],
  ];

  test.each(EARLIER)("ours %s is replaced, and removed", (_name, earlier) => {
    const user = new User();
    const path = user.settings("aider");
    const line = `notifications-command: ${JSON.stringify(earlier(user.places.home))}\n`;
    user.write(path, `a: 1\nnotifications: true\n${line}b: 2\n`);
    user.setUp("aider");
    const values = parseYaml(readFileSync(path, "utf8"));
    const ours = { notifications: true, "notifications-command": `${user.places.home}/bin/record aider done ''` };
    expect(values).toEqual({ a: 1, b: 2, ...ours });
    expect(user.setUp("aider")).toEqual([]);
    user.remove("aider");
    expect(readFileSync(path, "utf8")).toBe("a: 1\nb: 2\n");

    user.write(path, `a: 1\nnotifications: true\n${line}b: 2\n`);
    user.remove("aider");
    expect(readFileSync(path, "utf8")).toBe("a: 1\nb: 2\n");
  });

  test.each<[NodeJS.Platform, string]>([
    ["linux", "/h/bin/record aider done ''"],
    ["darwin", "/h/bin/record aider done ''"],
    ["win32", 'agent-sessions record aider done ""'],
  ])("an empty payload in the quotes that the system's shell knows: %s", (platform, command) => {
    const [target] = new User().agent("aider").targets;
    const set = target?.setUp(undefined, { path: "/h/bin/record", inbox: "/x", platform }, undefined);
    if (set?.outcome !== "change") throw new Error("nothing set up");
    expect(parseYaml(set.text)).toEqual({ notifications: true, "notifications-command": command });
    expect(target?.holdsOurs(set.text)).toBe(true);
  });

  test.each(["/x/bin/record aider done 'more'", "/x/bin/record codex done ''", "say '' done ''", "''"])(
    "a command of somebody's stays: %s",
    (command) => {
      const [target] = new User().agent("aider").targets;
      const text = `notifications: true\nnotifications-command: ${JSON.stringify(command)}\n`;
      expect(target?.holdsOurs(text)).toBe(false);
      expect(target?.remove(text, undefined)).toEqual({ outcome: "absent" });
    },
  );

  test("the command that is set up leaves its input alone", async () => {
    const user = new User();
    user.setUp("aider");
    const { "notifications-command": command } = parseYaml(readFileSync(user.settings("aider"), "utf8"));
    const child = spawn("sh", ["-c", command], {
      env: { PATH: process.env.PATH },
      stdio: ["pipe", "ignore", "ignore"],
    });
    // Its input stays open: whoever reads it waits for ever.
    const code = await new Promise((settle) => child.once("exit", settle));
    child.stdin.destroy();
    expect(code).toBe(0);
    const [name = ""] = readdirSync(join(user.places.home, "inbox"));
    const entry = readFileSync(join(user.places.home, "inbox", name), "utf8");
    expect(entry).toMatch(/^agent=aider\nevent=done\n/m);
    expect(entry).toMatch(/\n\n$/);
  });
});

describe("a file that cannot be understood is refused with line and column, and left alone", () => {
  test.each([
    ["claude", 0, '{\n  "hooks": {\n    "Stop": [}\n}\n', /settings\.json:3:14: value expected/],
    ["claude", 0, "\uFEFF[1]", /settings\.json:1:1: object expected/],
    ["claude", 0, '{"hooks": []}', /settings\.json:1:11: "hooks" is no object/],
    ["claude", 0, '{\n\t"hooks": {"Stop": {}}}', /settings\.json:2:20: the hooks of Stop are no list/],
    ["claude", 0, '{"hooks": {},\n "hooks": {}}', /settings\.json:2:2: the same key stands here twice/],
    ["gemini", 0, '{"a": 1} {"b": 2}', /settings\.json:1:10: end of file expected/],
    ["cursor", 0, "{'a': 1}", /hooks\.json:1:2: /],
    ["codex", 1, 'model = "x"\nnotify = [\n', /config\.toml:\d:\d+: /],
    ["aider", 0, "a: 1\nb: [\n", /\.aider\.conf\.yml:\d:\d: /],
    ["aider", 0, "- a\n", /\.aider\.conf\.yml:1:1: is no mapping/],
    ["aider", 0, "{a: 1}\n", /is written in braces/],
  ])("%s %#", async (agent, index, text, message) => {
    const user = new User();
    const path = user.settings(agent, index);
    user.write(path, text);
    for (const remove of [false, true]) {
      const io = user.io();
      expect(await user.run({ agents: [agent], remove }, io)).toBe(1);
      expect(io.err()).toMatch(message);
    }
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(Object.keys(user.snapshot()).filter((name) => name.includes(`${basename(path)}.`))).toEqual([]);
  });

  test("a plugin file that somebody else wrote is refused", async () => {
    const user = new User();
    user.write(user.settings("opencode"), "export const Mine = async () => ({})\n");
    const io = user.io();
    expect(await user.run({ agents: ["opencode"] }, io)).toBe(1);
    expect(io.err()).toContain("is a file that Agent Sessions did not write");
  });
});
