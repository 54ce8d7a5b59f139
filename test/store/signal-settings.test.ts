import { signalStateFileOf } from "../../src/store/places";
import { signalRulesOf } from "../../src/store/signal-settings";

test("without variables: half an hour, half a minute, fifty events", () => {
  expect(signalRulesOf({})).toEqual({ ttl: { session: 1800, completed: 30 }, eventLimit: 50 });
});

test.each<[string, number]>([
  ["60", 60],
  ["0.5", 0.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["+60", 60],
  ["inf", Infinity],
  ["0", 1800],
  ["-60", 1800],
  ["", 1800],
  [" ", 1800],
  [" 60 ", 1800],
  ["60s", 1800],
  ["nan", 1800],
  ["0x10", 1800],
])("a session TTL of %j counts as %d", (text, ttl) => {
  expect(signalRulesOf({ SIGNAL_LIGHT_SESSION_TTL_SECONDS: text }).ttl.session).toBe(ttl);
});

test.each<[string | undefined, string | undefined, number]>([
  ["90", undefined, 90],
  [undefined, "60", 60],
  ["90", "60", 90],
  ["bad", "60", 30],
  ["", "60", 30],
  ["0", "60", 30],
  [undefined, "bad", 30],
])("completed TTLs of %j and %j: the first that is set decides: %d", (first, second, ttl) => {
  const environment = {
    AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS: first,
    SIGNAL_LIGHT_COMPLETED_TTL_SECONDS: second,
  };
  expect(signalRulesOf(environment).ttl.completed).toBe(ttl);
});

test.each<[string, number]>([
  ["2", 2],
  ["+2", 2],
  ["0", 50],
  ["-2", 50],
  ["2.5", 50],
  ["2e1", 50],
  ["", 50],
  ["x", 50],
])("an event limit of %j counts as %d", (text, limit) => {
  expect(signalRulesOf({ AGENT_SIGNAL_LIGHT_EVENT_LIMIT: text }).eventLimit).toBe(limit);
});

test.each<[Record<string, string>, string]>([
  [{}, "/tmp/agent-signal/status.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_FILE: " /a/b.json " }, "/a/b.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_FILE: "~/b.json" }, "/home/u/b.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_FILE: "/a/b.json", AGENT_SIGNAL_LIGHT_STATE_DIR: "/c" }, "/a/b.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_DIR: "~", SIGNAL_LIGHT_STATE_DIR: "/d" }, "/home/u/status.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_DIR: " ", SIGNAL_LIGHT_STATE_DIR: " /d " }, "/d/status.json"],
  [{ AGENT_SIGNAL_LIGHT_STATE_DIR: "d" }, "/work/d/status.json"],
])("vector 24 and the like: the state file of %j", (environment, file) => {
  expect(signalStateFileOf({ HOME: "/home/u", ...environment }, "/work")).toBe(file);
});

test("without a folder of its own a relative path starts at home, as for a launcher", () => {
  expect(signalStateFileOf({ HOME: "/home/u", AGENT_SIGNAL_LIGHT_STATE_FILE: "x.json" })).toBe("/home/u/x.json");
});
