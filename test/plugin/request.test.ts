import fc from "fast-check";
import { outcomeName, readRequest, requestIdOf } from "../../assets/claude-plugin/core/request";
import { outcomeText, standingIn, withStep, type Course } from "../../assets/claude-plugin/core/outcome";
import { decodeOutcome } from "../../src/files/control-outcome";
import { encodeRequest } from "../../src/files/control-request";
import { REQUEST_KINDS } from "../../src/session/request";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000;
const GOOD = { version: 1, id: "r-1", kind: "save", author: "launcher", at: NOW - 1, expiresAt: NOW + 60 };
const PROMPT = { ...GOOD, kind: "prompt", text: "Go on,\n\tplease 😀" };

const read = (request: object) => readRequest(JSON.stringify(request), "r-1", NOW);

test.each(REQUEST_KINDS)("what the launcher writes is read: %s", (kind) => {
  const request = {
    id: "r-1",
    kind,
    author: "launcher",
    at: NOW - 1,
    expiresAt: NOW + 60,
    ...(kind === "prompt" ? { text: "Go on" } : {}),
  };
  expect(readRequest(encodeRequest(request), "r-1", NOW)).toEqual({ outcome: "request", request });
});

test("a message may have lines and tabs, and be 16 KiB long", () => {
  expect(read(PROMPT)).toMatchObject({ outcome: "request", request: { text: PROMPT.text } });
  expect(read({ ...PROMPT, text: "ä".repeat(8 * 1024) }).outcome).toBe("request");
});

test.each([
  ["another version", { ...GOOD, version: 2 }],
  ["another id than its file's", { ...GOOD, id: "r-2" }],
  ["no id", { ...GOOD, id: undefined }],
  ["an unknown kind", { ...GOOD, kind: "delete" }],
  ["no author", { ...GOOD, author: "" }],
  ["an author without end", { ...GOOD, author: "x".repeat(257) }],
  ["no time", { ...GOOD, at: "now" }],
  ["an end before its beginning", { ...GOOD, expiresAt: GOOD.at }],
  ["an end that is no number", { ...GOOD, expiresAt: null }],
  ["a beginning in the future", { ...GOOD, at: NOW + 301, expiresAt: NOW + 400 }],
  ["a text that belongs to nothing", { ...GOOD, text: "x" }],
  ["a prompt without text", { ...PROMPT, text: undefined }],
  ["a blank prompt", { ...PROMPT, text: " \n" }],
  ["a prompt with an escape sequence", { ...PROMPT, text: "a\u001b[2J" }],
  ["a prompt with a carriage return", { ...PROMPT, text: "a\rb" }],
  ["a prompt with a C1 control", { ...PROMPT, text: "a\u009b2J" }],
  ["a prompt with DEL", { ...PROMPT, text: "a\u007f" }],
  ["a prompt that is too long", { ...PROMPT, text: "ä".repeat(8 * 1024 + 1) }],
])("refused: %s", (_what, request) => {
  expect(read(request)).toMatchObject({ outcome: "refused", reason: expect.any(String) });
});

test.each(["", "{", "[]", "null", '"save"', "\u0000"])("what is no request is refused: %j", (text) => {
  expect(readRequest(text, "r-1", NOW).outcome).toBe("refused");
});

test("an expired request does nothing, from that second on", () => {
  expect(read({ ...GOOD, expiresAt: NOW })).toEqual({ outcome: "expired", id: "r-1", kind: "save" });
});

test("whatever a file holds, reading it ends with a reason or a request of this id", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(PROMPT)));
  const keys = fc.constantFrom(...Object.keys(PROMPT));
  fc.assert(
    fc.property(fc.dictionary(keys, value), (changes) => {
      const result = read({ ...PROMPT, ...changes });
      if (result.outcome === "request") {
        expect(result.request.id).toBe("r-1");
        expect(result.request.expiresAt).toBeGreaterThan(NOW);
      }
    }),
    propertyRuns(1000),
  );
});

test.each([
  ["r-1.json", "r-1"],
  [`${"a".repeat(64)}.json`, "a".repeat(64)],
  [`${"a".repeat(65)}.json`, undefined],
  ["r-1.done.json", undefined],
  [".tmp.json", undefined],
  ["..json", undefined],
  ["r 1.json", undefined],
  ["r-1.txt", undefined],
  [".json", undefined],
])("the file %s is the request %s", (name, id) => {
  expect(requestIdOf(name)).toBe(id);
});

const COURSE: Course = { id: "r-1", kind: "save-restart", steps: [] };
const step = (outcome: "queued" | "delivered" | "saved" | "restarted" | "failed") => ({ outcome, at: NOW });

test("the launcher reads what became of a request", () => {
  const course = withStep(withStep(COURSE, step("delivered")), {
    outcome: "saved",
    at: NOW + 1,
    proof: { file: "/m/shop.md", lines: 2 },
  });
  expect(decodeOutcome(outcomeText(course))).toEqual({
    outcome: "outcome",
    request: { id: "r-1", kind: "save-restart", by: "plugin", steps: course.steps },
  });
  expect(outcomeName("r-1")).toBe("r-1.done.json");
});

const file = (course: object) => JSON.stringify({ version: 1, id: "r-1", kind: "save-restart", ...course });

test("a request that was only queued may be taken, and its steps are kept", () => {
  expect(standingIn(file({ steps: [step("queued")] }))).toEqual({ standing: "open", steps: [step("queued")] });
});

test.each([
  ["it ended", file({ by: "plugin", steps: [step("restarted")] })],
  ["it failed", file({ steps: [step("queued"), step("failed")] })],
  ["another way delivers it", file({ by: "terminal", steps: [step("delivered")] })],
  ["another way is to deliver it", file({ by: "terminal", steps: [step("queued")] })],
  ["a save that is saved", file({ kind: "save", by: "plugin", steps: [step("saved")] })],
  ["a prompt that is delivered", file({ kind: "prompt", by: "plugin", steps: [step("delivered")] })],
  ["the file is cut", '{"version":1,'],
  ["the file is empty", ""],
  ["the steps are none", file({ steps: "queued" })],
  ["a step is none", file({ steps: [{ outcome: "done", at: NOW }] })],
  ["there are too many steps", file({ steps: Array.from({ length: 65 }, () => step("queued")) })],
])("a request is not taken when %s", (_what, text) => {
  expect(standingIn(text)).toEqual({ standing: "taken" });
});

test("one that this plugin began and did not end is told apart", () => {
  expect(standingIn(file({ by: "plugin", steps: [step("delivered"), step("saved")] })).standing).toBe("begun");
  expect(standingIn(file({ kind: "prompt", by: "plugin", steps: [step("queued")] })).standing).toBe("begun");
});
