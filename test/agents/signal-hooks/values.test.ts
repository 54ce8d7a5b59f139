import { hasFailure } from "../../../src/agents/signal-hooks/failure-marker";
import { exact, first, nested } from "../../../src/agents/signal-hooks/values";

test.each<[string, unknown, string | undefined]>([
  ["a text", "x", "x"],
  ["a text as it is", " x ", " x "],
  ["a blank text", "  ", undefined],
  ["true", true, "true"],
  ["false", false, "false"],
  ["a number", 12345, "12345"],
  ["zero", 0, "0"],
  ["a fraction", 1.5, "1.5"],
  ["null", null, undefined],
  ["an object", { id: "x" }, undefined],
  ["an array", ["x"], undefined],
])("the text of %s", (_, value, text) => {
  expect(exact({ id: value }, ["id"])).toBe(text);
});

test("keys count in their order, and the very key before another spelling", () => {
  expect(first({ b: "2", a: "1" }, ["a", "b"])).toBe("1");
  expect(first({ "Session-ID": "other spelling", thread_id: "very key" }, ["session_id", "thread_id"])).toBe(
    "very key",
  );
});

test.each(["sessionId", "session-id", "SESSION ID", "session.id", "sessionid"])("%s is session_id", (key) => {
  expect(first({ [key]: "x" }, ["session_id"])).toBe("x");
  expect(exact({ [key]: "x" }, ["session_id"])).toBeUndefined();
});

test("a value that says nothing is passed over, in every spelling", () => {
  expect(first({ session_id: " ", sessionId: null, "session-id": "x" }, ["session_id"])).toBe("x");
});

const DESCRIBING = [
  "context",
  "conversation",
  "data",
  "detail",
  "details",
  "event",
  "hook",
  "metadata",
  "meta",
  "payload",
  "request",
  "response",
  "result",
  "run",
  "session",
  "source",
  "thread",
  "tool",
  "tool_context",
  "transcript",
  "workspace",
];

test.each(DESCRIBING)("%s is looked into, for values and for failures", (key) => {
  expect(nested({ [key]: { id: " x " } }, ["id"])).toBe("x");
  expect(nested({ [key]: [1, [{ id: "x" }]] }, ["id"])).toBe("x");
  expect(hasFailure({ [key]: [{ error: "broken" }] })).toBe(true);
});

test.each([
  "arguments",
  "args",
  "input",
  "inputs",
  "message",
  "messages",
  "prompt",
  "content",
  "text",
  "params",
  "parameters",
  "body",
  "items",
  "tool_input",
  "toolArguments",
  "tool_response",
  "user_data",
  "anything",
])("%s is content, and not looked into", (key) => {
  expect(nested({ [key]: { id: "x" } }, ["id"])).toBeUndefined();
  expect(hasFailure({ [key]: { error: "broken" } })).toBe(false);
});

test("what is outside counts before what is inside", () => {
  expect(nested({ context: { id: "inner" }, id: "outer" }, ["id"])).toBe("outer");
});

test.each([
  "error",
  "failure",
  "exception",
  "errorType",
  "error_message",
  "failure-reason",
  "exit_status",
  "toolError",
  "is_error",
  "lastErrorText",
  "failed",
  "failedTests",
  "unhandled exception",
])("a key %s tells of a failure", (key) => {
  expect(hasFailure({ [key]: "something" })).toBe(true);
});

test.each(["fail", "exit_code", "errno", "status", "ok"])("a key %s does not", (key) => {
  expect(hasFailure({ [key]: "something" })).toBe(false);
});

test.each<[unknown, boolean]>([
  [true, true],
  [false, false],
  [1, true],
  [-1, true],
  [0, false],
  ["", false],
  [" 0 ", false],
  ["False", false],
  ["no", false],
  ["None", false],
  ["null", false],
  ["SUCCESS", false],
  ["ok", false],
  ["yes", true],
  ["timeout", true],
  [null, false],
  [{}, true],
  [[], true],
])("error: %j means that it failed: %s", (value, isBad) => {
  expect(hasFailure({ error: value })).toBe(isBad);
});
