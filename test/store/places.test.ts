import { fullPathOf, placesOf, statusDirectoriesOf } from "../../src/store/places";

const HOME = "/home/dev";

test("without anything set, the places are the documented ones", () => {
  expect(placesOf({ HOME })).toEqual({
    home: "/home/dev/.agent-sessions",
    statusDirectory: "/home/dev/.claude/aitention/status",
    statusDirectories: [{ path: "/home/dev/.claude/aitention/status" }],
    signalStateFile: "/tmp/agent-signal/status.json",
    agentDirectories: [
      { agent: "claude", path: "/home/dev/.claude" },
      { agent: "codex", path: "/home/dev/.codex" },
    ],
  });
});

test.each<[Record<string, string>, string]>([
  [{ AGENT_SIGNAL_LIGHT_STATE_FILE: "~/s.json" }, "/home/dev/s.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_FILE: "  ", AGENT_SIGNAL_LIGHT_STATE_DIR: "  /tmp/x  " }, "/tmp/x/status.json"],
  [{ SIGNAL_LIGHT_STATE_DIR: "/tmp/y" }, "/tmp/y/status.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_DIR: "/tmp/x", SIGNAL_LIGHT_STATE_DIR: "/tmp/y" }, "/tmp/x/status.json"],
])("the signal document of %j", (environment, file) => {
  expect(placesOf({ HOME, ...environment }).signalStateFile).toBe(file);
});

test("our home never follows XDG", () => {
  expect(placesOf({ HOME, XDG_DATA_HOME: "/xdg", XDG_STATE_HOME: "/xdg" }).home).toBe("/home/dev/.agent-sessions");
});

test("a preference wins over the environment, a blank one does not", () => {
  const environment = { HOME, AGENT_SESSIONS_HOME: "/env/home", AGENT_SESSIONS_STATUS_DIR: "/env/status" };
  const places = placesOf(environment, { home: "~/mine", statusDirectory: "  ", signalStateFile: "/s/x.json" });
  expect(places).toMatchObject({
    home: "/home/dev/mine",
    statusDirectory: "/env/status",
    signalStateFile: "/s/x.json",
  });
});

test("Claude's folders: the usual one, those the user lists with or without a label, and the one its variable names", () => {
  const { agentDirectories } = placesOf(
    { HOME, CLAUDE_CONFIG_DIR: "/srv/claude", AGENT_SESSIONS_CLAUDE_DIRS: "~/.claude-work\nHome=~/.claude" },
    { claudeDirectories: "Client A = /clients/a , , ~/.claude-work" },
  );
  expect(agentDirectories).toEqual([
    { agent: "claude", path: "/home/dev/.claude" },
    { agent: "claude", path: "/clients/a", label: "Client A" },
    { agent: "claude", path: "/home/dev/.claude-work", label: "claude-work" },
    { agent: "claude", path: "/srv/claude", label: "claude" },
    { agent: "codex", path: "/home/dev/.codex" },
  ]);
});

test("several status directories: each once, in the user's order, the first is written to", () => {
  const list = "Home=~/.claude/aitention/status, ~/work/status/, Again=/home/dev/work/status, Client A=/c";
  const expected = {
    statusDirectory: "/home/dev/.claude/aitention/status",
    statusDirectories: [
      { path: "/home/dev/.claude/aitention/status", label: "Home" },
      { path: "/home/dev/work/status" },
      { path: "/c", label: "Client A" },
    ],
  };
  for (const places of [
    placesOf({ HOME }, { statusDirectory: list }),
    placesOf({ HOME, AGENT_SESSIONS_STATUS_DIR: list }),
    placesOf({ HOME, AGENT_SESSIONS_STATUS_DIR: "/env" }, { statusDirectory: list }),
  ]) {
    const { statusDirectory, statusDirectories } = places;
    expect({ statusDirectory, statusDirectories }).toEqual(expected);
  }
});

test("a comma in a status directory's path, in quotes", () => {
  expect(placesOf({ HOME, AGENT_SESSIONS_STATUS_DIR: '"~/a, b"' }).statusDirectory).toBe("/home/dev/a, b");
});

test("places without a list have the one directory", () => {
  expect(statusDirectoriesOf({ statusDirectory: "/s" })).toEqual([{ path: "/s" }]);
});

test("what the environment's lists hold that names no folder is told, where they count", () => {
  const environment = { HOME, AGENT_SESSIONS_STATUS_DIR: "Work=,/s", AGENT_SESSIONS_CLAUDE_DIRS: '"~/c' };
  const claude = { variable: "AGENT_SESSIONS_CLAUDE_DIRS", reason: '""~/c" has a quotation mark that nothing closes' };
  expect(placesOf(environment)).toMatchObject({
    statusDirectory: "/s",
    faults: [{ variable: "AGENT_SESSIONS_STATUS_DIR", reason: '"Work=" names no folder' }, claude],
  });
  expect(placesOf(environment, { statusDirectory: "/mine" }).faults).toEqual([claude]);
  expect(placesOf({ HOME, AGENT_SESSIONS_STATUS_DIR: "Work=" }).statusDirectory).toBe(
    "/home/dev/.claude/aitention/status",
  );
});

test.each([
  ["/a/../b", "/b"],
  ["~", "/home/dev"],
  [" ~/x ", "/home/dev/x"],
  ["", undefined],
  ["x", undefined],
  ["./x", undefined],
  ["~bob/x", undefined],
  ["../../../../../../etc", undefined],
])("%j says by itself where it leads: %j", (text, full) => {
  expect(fullPathOf(text, HOME)).toBe(full);
});
