import { isWarm, warmthOf } from "../../assets/claude-plugin/core/cache";
import { clockTime, spanOf, tokenCount } from "../../assets/claude-plugin/core/figures";
import {
  markIn,
  registryRow,
  saveState,
  sorted,
  startInStat,
  warmCount,
  type SessionRow,
} from "../../assets/claude-plugin/core/session-row";
import { firstPromptIn, transcriptEnd } from "../../assets/claude-plugin/core/transcript";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

const idle = (minutes: number, ttlMs?: number) =>
  warmthOf({ status: "idle", answeredAt: NOW - minutes * MINUTE, ttlMs }, NOW);

test("an hour's cache is counted on for 55 minutes", () => {
  expect(idle(0)).toEqual({ state: "warm", leftMs: 60 * MINUTE });
  expect(idle(54.9).state).toBe("warm");
  expect(idle(55)).toEqual({ state: "cold", sinceMs: 55 * MINUTE });
});

test("a cache of five minutes has a reserve of a twelfth", () => {
  expect(idle(4.5, 5 * MINUTE).state).toBe("warm");
  expect(idle(4.6, 5 * MINUTE).state).toBe("cold");
});

test("a session that works is warm, whenever it answered", () => {
  expect(warmthOf({ status: "busy", answeredAt: 0 }, NOW)).toEqual({ state: "working" });
  expect(isWarm(warmthOf({ status: "busy" }, NOW))).toBe(true);
});

test("what is not known is not made up, and not woken", () => {
  expect(warmthOf({ status: "idle" }, NOW)).toEqual({ state: "unknown" });
  expect(warmthOf({ status: "idle", answeredAt: null }, NOW)).toEqual({ state: "unanswered" });
  expect(isWarm({ state: "unknown" }) || isWarm({ state: "unanswered" }) || isWarm({ state: "cold", sinceMs: 1 })).toBe(
    false,
  );
});

test("an answer from the future is one of now", () => {
  expect(idle(-10)).toEqual({ state: "warm", leftMs: 60 * MINUTE });
});

test.each([
  [0, "0"],
  [950, "950"],
  [1_000, "1k"],
  [12_499, "12k"],
  [999_499, "999k"],
  [999_500, "1.0M"],
  [1_340_000, "1.3M"],
])("%i tokens read %s", (tokens, text) => {
  expect(tokenCount(tokens)).toBe(text);
});

test.each([
  [-1, "minutes", 0],
  [119 * MINUTE, "minutes", 119],
  [120 * MINUTE, "hours", 2],
  [47 * 60 * MINUTE, "hours", 47],
  [48 * 60 * MINUTE, "days", 2],
])("%i ms are so many %s: %i", (ms, unit, count) => {
  expect(spanOf(ms)).toEqual({ unit, count });
});

test("a clock that knows no such locale shows the world's time", () => {
  expect(clockTime(Date.UTC(2027, 0, 1, 8, 5), "no locale")).toBe("08:05 UTC");
});

// As Claude Code 2.1.332 writes it.
const ENTRY = {
  pid: 4711,
  sessionId: "8f35bb66-43e8-4bf8-ba0e-00436e2b8c22",
  cwd: "/home/dev/work",
  startedAt: NOW - 1000,
  procStart: "1125713",
  version: "2.1.332",
  pidDomain: "linux:1:pid:[1]",
  kind: "interactive",
  name: "work-bd",
  status: "idle",
  updatedAt: NOW,
};

const row = (changes: Partial<SessionRow>): SessionRow => {
  const read = registryRow(JSON.stringify(ENTRY));
  if (read === undefined) throw new Error("the entry is not read");
  return { ...read, ...changes };
};

test("the registry's entry is a row", () => {
  expect(row({})).toMatchObject({ pid: 4711, name: "work-bd", status: "idle", version: "2.1.332", hasPlugin: false });
});

test("a name is one line without control characters, and an id stands in for a missing one", () => {
  expect(registryRow(JSON.stringify({ ...ENTRY, name: "a\u001b[31m\nb" }))?.name).toBe("a [31m b");
  expect(registryRow(JSON.stringify({ ...ENTRY, name: undefined }))?.name).toBe("8f35bb66");
});

test.each(["", "{", "[]", '{"pid":"1","sessionId":"s"}', '{"pid":0,"sessionId":"s"}', '{"pid":1}'])(
  "what is no entry is no row: %s",
  (text) => {
    expect(registryRow(text)).toBeUndefined();
  },
);

test("a mark is read; what it does not say stays unknown", () => {
  const mark = { version: 1, at: 1, pickup: "shop", file: "/m", context: 12, lastAnswerAt: 3, transcript: "/t" };
  expect(markIn(JSON.stringify(mark))).toEqual({
    pickup: "shop",
    contextTokens: 12,
    answeredAt: 3000,
    transcript: "/t",
  });
  expect(markIn(JSON.stringify({ version: 1, at: 1, pickup: "", file: "", transcript: "t" }))).toEqual({ pickup: "" });
  expect(markIn(JSON.stringify({ ...mark, version: 2 }))).toBeUndefined();
});

test("a session is listed once, by the process that started last", () => {
  const rows = [row({ pid: 2, startedAt: 2 }), row({ pid: 1, startedAt: 1 })];
  expect(sorted(rows).map(({ pid }) => pid)).toEqual([2]);
});

test("working sessions come first, then the latest answered", () => {
  const rows = ["a", "b", "c", "d"].map((sessionId, index) => row({ sessionId, pid: index + 1 }));
  const [a, b, c, d] = rows as [SessionRow, SessionRow, SessionRow, SessionRow];
  const shown = sorted([a, { ...b, answeredAt: 5 }, { ...c, status: "busy" }, { ...d, answeredAt: 9 }]);
  expect(shown.map(({ sessionId }) => sessionId)).toEqual(["c", "d", "b", "a"]);
  expect(warmCount(shown, 10)).toBe(3);
});

test("a session is saved once it rests and has answered since it was asked", () => {
  expect(saveState(row({ answeredAt: 5 }), undefined)).toBe("none");
  expect(saveState(row({ answeredAt: 5 }), 6)).toBe("saving");
  expect(saveState(row({ answeredAt: 7, status: "busy" }), 6)).toBe("saving");
  expect(saveState(row({ answeredAt: 7 }), 6)).toBe("saved");
  expect(saveState(row({}), 6)).toBe("saving");
});

test("a process's start is found behind a name with blanks and brackets", () => {
  const fields = Array.from({ length: 30 }, (_, index) => String(index + 3));
  expect(startInStat(`4711 (a) b) ${fields.join(" ")}`)).toBe("22");
});

const line = (values: object) => JSON.stringify(values);
const answer = (timestamp: string, more: object = {}, message: object = {}) =>
  line({
    type: "assistant",
    isSidechain: false,
    timestamp,
    message: {
      model: "claude-opus-5-5",
      usage: { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 3000 },
      ...message,
    },
    ...more,
  });

test("the last answer of the main conversation is the cache's clock", () => {
  const text = [
    '{"cut',
    answer("2027-01-01T10:00:00Z"),
    answer("2027-01-01T10:05:00Z", { isSidechain: true }),
    answer("2027-01-01T10:06:00Z", {}, { model: "<synthetic>" }),
    line({ type: "user", message: { content: "assistant" } }),
    "",
  ].join("\n");
  expect(transcriptEnd(text)).toEqual({ answeredAt: Date.parse("2027-01-01T10:00:00Z"), contextTokens: 3210 });
});

test("how long the cache holds is read where it was last written", () => {
  const written = { usage: { input_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 9 } } };
  expect(
    transcriptEnd([answer("2027-01-01T10:00:00Z", {}, written), answer("2027-01-01T10:01:00Z")].join("\n")),
  ).toMatchObject({ ttlMs: 5 * MINUTE, answeredAt: Date.parse("2027-01-01T10:01:00Z") });
});

test("the user's own title counts more than the model's, and the last one of each", () => {
  const titles = [
    line({ type: "custom-title", customTitle: "Mine" }),
    line({ type: "ai-title", aiTitle: "One" }),
    line({ type: "ai-title", aiTitle: "Two" }),
  ];
  expect(transcriptEnd(titles.join("\n"))).toEqual({ title: "Mine" });
  expect(transcriptEnd(titles.slice(1).join("\n"))).toEqual({ title: "Two" });
});

test("the first prompt is what the user wrote", () => {
  const user = (content: unknown, more: object = {}) =>
    line({ type: "user", message: { role: "user", content }, ...more });
  const text = [
    user("<command-name>/clear</command-name>"),
    user("meta", { isMeta: true }),
    user("summary", { isCompactSummary: true }),
    user([{ type: "tool_result", content: "x" }]),
    user([{ type: "text", text: "shop pickup\nplease" }]),
    '{"type":"user","cut',
  ].join("\n");
  expect(firstPromptIn(text)).toBe("shop pickup please");
  expect(firstPromptIn('{"type":"user","cut')).toBeUndefined();
});
