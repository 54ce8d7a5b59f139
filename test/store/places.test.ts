import { placesOf } from "../../src/store/places";

const HOME = "/home/dev";

test("without anything set, the places are the documented ones", () => {
  expect(placesOf({ HOME })).toEqual({
    home: "/home/dev/.agent-sessions",
    statusDirectory: "/home/dev/.claude/aitention/status",
    signalStateFile: "/tmp/agent-signal/status.json",
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
  expect(places).toEqual({ home: "/home/dev/mine", statusDirectory: "/env/status", signalStateFile: "/s/x.json" });
});
