import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { transcriptKinds } from "../../src/agents/transcript-kinds";
import type { TranscriptKind } from "../../src/files/transcript-format";
import { ParseCache } from "../../src/store/parse-cache";
import { Transcripts } from "../../src/store/transcripts";
import { scratchFolder } from "../scratch";

const ID = "8ab46783-9c76-411e-bbc8-44496c4ecd9c";
const CWD = "/home/dev/shop";

let user: string;
let now: number;

beforeEach(() => {
  user = scratchFolder();
  now = 1_796_000_000_000;
});

const kindsHere = (environment: Record<string, string> = {}) =>
  transcriptKinds({ environment, user, platform: "linux" });

const transcripts = (kinds: readonly TranscriptKind[] = kindsHere()) => new Transcripts(kinds, { clock: () => now });

const session = (rest: object = {}) => ({ agent: "claude", sessionId: ID, cwd: CWD, ...rest });

const prompt = (text: string) =>
  `${JSON.stringify({ type: "user", message: { content: text }, timestamp: "2026-11-30T12:00:00Z" })}\n`;

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const usual = () => join(user, ".claude", "projects", "-home-dev-shop", `${ID}.jsonl`);

test("a session's transcript is where its agent keeps it", () => {
  put(usual(), prompt("Find it"));
  expect(transcripts().factsOf(session())).toEqual({ firstPrompt: "Find it", prompts: ["Find it"] });
  expect(transcripts().pathOf(session())).toBe(usual());
});

test("where the agent itself said is looked at first, and where it always is when nothing is there", () => {
  const told = put(join(user, "elsewhere", "t.jsonl"), prompt("Told"));
  put(usual(), prompt("Usual"));
  const known = transcripts();
  expect(known.factsOf(session({ transcript: told }))?.firstPrompt).toBe("Told");
  rmSync(told);
  expect(known.factsOf(session({ transcript: told }))?.firstPrompt).toBe("Usual");
  expect(known.factsOf(session({ transcript: "t.jsonl" }))?.firstPrompt).toBe("Usual");
});

test("an agent without transcripts, and a session without one, have none", () => {
  expect(transcripts().factsOf(session({ agent: "opencode" }))).toBeUndefined();
  expect(transcripts().factsOf(session())).toBeUndefined();
  expect(transcripts().pathOf(session({ sessionId: "../../x" }))).toBeUndefined();
});

test("it is read again when it changed, and only then", () => {
  put(usual(), prompt("One"));
  const known = transcripts();
  const first = known.factsOf(session());
  expect(known.factsOf(session())).toBe(first);
  expect(known.reads).toBe(1);
  appendFileSync(usual(), prompt("Two"));
  expect(known.factsOf(session())?.prompts).toEqual(["One", "Two"]);
  expect(known.reads).toBe(2);
});

test("one that was replaced by another of the same size is read again", () => {
  put(usual(), prompt("One"));
  const known = transcripts();
  known.factsOf(session());
  const { atime, mtime } = statSync(usual());
  renameSync(put(`${usual()}.new`, prompt("Two")), usual());
  utimesSync(usual(), atime, mtime);
  expect(known.factsOf(session())?.firstPrompt).toBe("Two");
});

test("one that was removed tells nothing any more, and again when it is back", () => {
  put(usual(), prompt("One"));
  const known = transcripts();
  known.factsOf(session());
  rmSync(usual());
  expect(known.factsOf(session())).toBeUndefined();
  expect(known.cacheable().size).toBe(0);
  put(usual(), prompt("Back"));
  expect(known.factsOf(session())?.firstPrompt).toBe("Back");
});

/** The agents' transcripts, and how often one was looked for in folders. */
function counted(): { kinds: TranscriptKind[]; searched: () => number } {
  let count = 0;
  const kinds = kindsHere().map((kind): TranscriptKind => ({
    ...kind,
    search(sought, names) {
      count += 1;
      return kind.search?.(sought, names);
    },
  }));
  return { kinds, searched: () => count };
}

describe("one that lies elsewhere", () => {
  const moved = () => join(user, ".claude", "projects", "other", `${ID}.jsonl`);

  test("is looked for once, and remembered", () => {
    put(moved(), prompt("Moved"));
    const { kinds, searched } = counted();
    const known = transcripts(kinds);
    for (let look = 0; look < 3; look += 1) expect(known.pathOf(session())).toBe(moved());
    expect(searched()).toBe(1);
  });

  test("is not looked for at every look while it is nowhere, and found half a minute after it came", () => {
    const { kinds, searched } = counted();
    const known = transcripts(kinds);
    for (let look = 0; look < 3; look += 1) expect(known.factsOf(session())).toBeUndefined();
    expect(searched()).toBe(1);
    put(moved(), prompt("Moved"));
    now += 29_000;
    expect(known.factsOf(session())).toBeUndefined();
    now += 1_000;
    expect(known.factsOf(session())?.firstPrompt).toBe("Moved");
  });

  test("where it is usually is looked at every time", () => {
    const known = transcripts();
    expect(known.factsOf(session())).toBeUndefined();
    put(usual(), prompt("There"));
    expect(known.factsOf(session())?.firstPrompt).toBe("There");
  });

  test("a clock that was set back does not stop the search", () => {
    const known = transcripts();
    known.factsOf(session());
    put(moved(), prompt("Moved"));
    now -= 3_600_000;
    expect(known.factsOf(session())?.firstPrompt).toBe("Moved");
  });
});

describe("what is no plain file of this user", () => {
  test("a link or a folder tells nothing, and what lies at the usual place does", () => {
    const target = put(join(user, "target.jsonl"), prompt("Linked"));
    const link = join(user, "link.jsonl");
    symlinkSync(target, link);
    put(usual(), prompt("Usual"));
    for (const transcript of [link, user]) {
      expect(transcripts().factsOf(session({ transcript }))?.firstPrompt).toBe("Usual");
    }
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? test : test.skip)("a file of another user tells nothing until it is ours (needs root)", () => {
    put(usual(), prompt("Theirs"));
    chownSync(usual(), 65534, 65534);
    const known = transcripts();
    expect(known.factsOf(session())).toBeUndefined();
    known.factsOf(session());
    expect(known.reads).toBe(1);
    expect(known.problems()).toEqual([{ file: usual(), reason: "belongs to another user", outcome: "refused" }]);
    // A later run says so again.
    const later = transcripts();
    later.restore(known.cacheable());
    later.factsOf(session());
    expect(later.problems()).toEqual(known.problems());
    chownSync(usual(), 0, 0);
    expect(known.factsOf(session())?.firstPrompt).toBe("Theirs");
    expect(known.problems()).toEqual([]);
  });
});

test("what is refused is named while it is there, a folder once for all in it", () => {
  const folder = dirname(usual());
  const elsewhere = join(user, "elsewhere");
  put(join(elsewhere, `${ID}.jsonl`), prompt("One"));
  put(join(elsewhere, "other.jsonl"), prompt("Two"));
  mkdirSync(dirname(folder), { recursive: true });
  symlinkSync(elsewhere, folder);
  const known = transcripts();
  expect(known.factsOf(session())?.firstPrompt).toBe("One");
  expect(known.problems()).toEqual([]);
  rmSync(folder);
  const linked = put(join(user, "linked.jsonl"), prompt("Linked"));
  mkdirSync(folder);
  symlinkSync(linked, usual());
  expect(known.factsOf(session())).toBeUndefined();
  expect(known.problems()).toEqual([
    { file: usual(), reason: "is a symbolic link, not a plain file", outcome: "refused" },
  ]);
  rmSync(usual());
  expect(known.problems()).toEqual([]);
});

describe("between two runs", () => {
  /** Keeps what one run knows, as a later run gets it. */
  function nextRun(known: Transcripts): Transcripts {
    new ParseCache(user, "transcripts", user).save(known.cacheable());
    // What was found once needs no search.
    const later = transcripts(kindsHere().map((kind) => ({ ...kind, search: () => undefined })));
    later.restore(new ParseCache(user, "transcripts", user).load());
    return later;
  }

  test("an unchanged transcript is not read again, wherever it was found", () => {
    put(usual(), prompt("Usual"));
    const other = put(join(user, ".claude", "projects", "x", "other.jsonl"), prompt("Other"));
    const sessions = [session(), session({ sessionId: "other" })];
    const known = transcripts();
    const facts = sessions.map((each) => known.factsOf(each));
    expect(known.changed).toBe(true);
    const later = nextRun(known);
    expect(known.changed).toBe(false);
    // The prompts, most of their size, are not kept: who asks a session to save reads them anew.
    expect(sessions.map((each) => later.factsOf(each))).toEqual(facts.map((each) => ({ ...each, prompts: undefined })));
    expect(later.pathOf(session({ sessionId: "other", cwd: undefined }))).toBe(other);
    expect([later.reads, later.changed]).toEqual([0, false]);
  });

  test("a changed one is, and there is something new to keep", () => {
    put(usual(), prompt("One"));
    const known = transcripts();
    known.factsOf(session());
    appendFileSync(usual(), prompt("Two"));
    const later = nextRun(known);
    expect(later.factsOf(session())?.prompts).toEqual(["One", "Two"]);
    expect([later.reads, later.changed]).toEqual([1, true]);
  });

  test.each([
    ["no object", 5],
    ["no sessions", { facts: {} }],
    ["sessions that are none", { facts: {}, sessions: [5] }],
    ["facts of another shape", { facts: { firstPrompt: 5 }, sessions: [`claude:${ID}`] }],
    ["prompts of another shape", { facts: { prompts: ["a", 5] }, sessions: [`claude:${ID}`] }],
    ["facts that are none", { facts: [], sessions: [`claude:${ID}`] }],
  ])("a row with %s is not taken over", (_what, value) => {
    put(usual(), prompt("One"));
    const { mtimeMs, ctimeMs, size, ino } = statSync(usual());
    const later = transcripts();
    later.restore(new Map([[usual(), { stamp: [mtimeMs, ctimeMs, size, ino], value }]]));
    expect(later.factsOf(session())?.firstPrompt).toBe("One");
    expect(later.reads).toBe(1);
  });
});

test("what the agents themselves wrote is found in a home as they keep it", () => {
  const captures = join(__dirname, "..", "captures", "transcripts");
  const place = (from: string, to: string) => {
    const file = join(user, to);
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(captures, from), file);
  };
  const thread = "01a22a9f-1f83-7d60-a618-ed09cb19f403";
  place("codex/interrupted.jsonl", `.codex/sessions/2026/11/30/rollout-2026-11-30T04-03-21-${thread}.jsonl`);
  place("gemini/resumed.jsonl", ".gemini/tmp/shop/chats/session-2026-11-30T04-05-e73a147c.jsonl");
  const known = transcripts();
  expect(known.factsOf({ agent: "codex", sessionId: thread })?.firstPrompt).toBe("MOCK:simple first");
  const gemini = { agent: "gemini", sessionId: "e73a147c-4b70-43aa-8076-5493fb33aea2" };
  expect(known.factsOf(gemini)?.firstPrompt).toBe("MOCK:simple one");
});
