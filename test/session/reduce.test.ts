import fc from "fast-check";
import type { Event } from "../../src/session/event";
import { reportOf, type SessionRecord } from "../../src/session/record";
import { reduce } from "../../src/session/reduce";
import { propertyRuns } from "../property-runs";

const IDENTITY = { agent: "claude", sessionId: "s1" };

/** An event without the facts every one has. */
type Happening = Event extends infer E ? (E extends Event ? Omit<E, "at" | "name"> : never) : never;

/** Plays events a second apart from 100 on. */
function play(...happenings: Happening[]): SessionRecord {
  let record: SessionRecord | undefined;
  happenings.forEach((happening, index) => {
    record = reduce(record, IDENTITY, { ...happening, at: 100 + index, name: happening.kind } as Event);
  });
  if (record === undefined) throw new Error("no event");
  return record;
}

const start: Happening = { kind: "session-started", source: "startup" };
const prompt: Happening = { kind: "prompt-submitted", origin: "user", text: "Fix the test" };
const answer: Happening = { kind: "answer-finished" };
const bash = (call: string, agentId?: string): Happening => ({
  kind: "tool-started",
  tool: "Bash",
  call,
  input: `input of ${call}`,
  ...(agentId === undefined ? {} : { agentId }),
});
const asks = (call: string, agentId?: string): Happening => ({
  kind: "permission-asked",
  tool: "Bash",
  input: `input of ${call}`,
  ask: { kind: "permission", message: `Bash: ${call}` },
  ...(agentId === undefined ? {} : { agentId }),
});
const ran = (call: string, agentId?: string): Happening => ({
  kind: "tool-finished",
  tool: "Bash",
  call,
  effects: [],
  ...(agentId === undefined ? {} : { agentId }),
});

describe("a permission request", () => {
  test("waits with its message until its call ran", () => {
    const waiting = play(start, prompt, bash("c1"), asks("c1"));
    expect(reportOf(waiting)).toMatchObject({
      state: "waiting",
      message: "Bash: c1",
      waitingFor: "permission",
      since: 103,
    });
    expect(play(start, prompt, bash("c1"), asks("c1"), ran("c1")).state).toBe("working");
  });

  test("is not over when another call of the same batch ran", () => {
    expect(play(start, prompt, bash("c1"), bash("c2"), asks("c1"), ran("c2")).state).toBe("waiting");
  });

  test("of two, the second still waits when the first was answered", () => {
    const record = play(start, prompt, bash("c1"), bash("c2"), asks("c1"), asks("c2"), ran("c1"));
    expect(reportOf(record)).toMatchObject({ state: "waiting", message: "Bash: c2" });
  });

  test("is over when the turn went on without it: a denial with a hint", () => {
    expect(play(start, prompt, bash("c1"), asks("c1"), bash("c2")).state).toBe("working");
  });

  test("is over when the turn ended, failed or was stopped, or the next began", () => {
    const asked = [start, prompt, bash("c1"), asks("c1")];
    expect(play(...asked, answer).state).toBe("done");
    expect(play(...asked, { kind: "turn-failed", reason: "overloaded" }).state).toBe("failed");
    expect(play(...asked, { kind: "turn-stopped" }).state).toBe("idle");
    expect(play(...asked, prompt).state).toBe("working");
  });

  test("a late notification repeats it and does not come back after it", () => {
    const noticed: Happening = { kind: "wait-noticed", ask: { kind: "permission", message: "Claude needs you" } };
    expect(reportOf(play(start, prompt, bash("c1"), asks("c1"), noticed)).message).toBe("Bash: c1");
    expect(play(start, prompt, bash("c1"), asks("c1"), ran("c1"), answer, noticed).state).toBe("done");
  });

  test("a notification alone is a wait too: a sandboxed request has no other event", () => {
    const noticed: Happening = { kind: "wait-noticed", ask: { kind: "permission", message: "Network?" } };
    expect(reportOf(play(start, prompt, bash("c1"), noticed))).toMatchObject({ state: "waiting", message: "Network?" });
    expect(play(start, prompt, bash("c1"), noticed, ran("c1")).state).toBe("working");
  });
});

describe("a subagent", () => {
  const started: Happening = { kind: "subagent-started", subagent: "a1", agentId: "a1" };
  const stopped: Happening = { kind: "subagent-stopped", subagent: "a1", agentId: "a1" };

  test("its tools and its end leave the session's state and tool", () => {
    const record = play(start, prompt, started, answer, bash("c1", "a1"), ran("c1", "a1"), stopped);
    expect(record.state).toBe("done");
    expect(record.since).toBe(103);
    expect(reportOf(record).tool).toBeUndefined();
  });

  test("its permission request is a wait of the session, also after the answer, until its own next step", () => {
    const asked = [start, prompt, started, answer, bash("c1", "a1"), asks("c1", "a1")];
    expect(play(...asked).state).toBe("waiting");
    expect(play(...asked, ran("c1", "a1")).state).toBe("done");
    expect(play(...asked, stopped).state).toBe("done");
    expect(play(...asked, prompt).state).toBe("working");
  });

  test("a step of the main agent does not answer for it", () => {
    expect(play(start, prompt, started, bash("c1", "a1"), asks("c1", "a1"), bash("c2"), ran("c2")).state).toBe(
      "waiting",
    );
  });

  test("started twice, it is still one; the end of one that never started changes nothing", () => {
    expect(play(start, prompt, started, started).subagents).toEqual(["a1"]);
    expect(
      play(start, prompt, started, { kind: "subagent-stopped", subagent: "internal", agentId: "internal" }).subagents,
    ).toEqual(["a1"]);
  });

  test("at the answer, the agent's own list is the truth", () => {
    const record = play(start, prompt, started, { kind: "answer-finished", running: [{ id: "a2", kind: "subagent" }] });
    expect(record.subagents).toEqual(["a2"]);
  });
});

describe("background work", () => {
  const begun: Happening = {
    kind: "tool-finished",
    tool: "Bash",
    call: "c1",
    effects: [{ effect: "command-started", id: "b1", command: "npm run dev" }],
  };
  const ended = (failed: boolean, exitCode: number): Happening => ({
    kind: "prompt-submitted",
    origin: "notification",
    ended: [{ id: "b1", status: failed ? "failed" : "completed", failed, exitCode }],
  });

  test("a command runs on after the answer, from when it started", () => {
    const record = play(start, prompt, bash("c1"), begun, {
      kind: "answer-finished",
      running: [{ id: "b1", kind: "command", text: "npm run dev" }],
    });
    expect(record.background).toEqual({ b1: { at: 103, command: "npm run dev" } });
  });

  test("one that ended well goes; one that failed stays with its exit code", () => {
    expect(play(start, prompt, bash("c1"), begun, answer, ended(false, 0)).background).toEqual({});
    expect(play(start, prompt, bash("c1"), begun, answer, ended(true, 2)).background).toEqual({
      b1: { at: 103, command: "npm run dev", status: "failed", exitCode: 2, failedAt: 105 },
    });
  });

  test("one that is no longer listed at an answer is over", () => {
    expect(play(start, prompt, bash("c1"), begun, { kind: "answer-finished", running: [] }).background).toEqual({});
  });

  test("a notification is not the user: what was unread stays so", () => {
    const record = play(start, prompt, bash("c1"), begun, answer, ended(false, 0));
    expect(record).toMatchObject({ state: "working", doneAt: 104, userPromptAt: 101 });
  });

  test("a wake-up is kept while one is left, and gone when it came", () => {
    const planned: Happening = { kind: "tool-finished", call: "c9", effects: [{ effect: "wakeup-planned", at: 900 }] };
    expect(play(start, prompt, planned, { kind: "answer-finished", wakeupsLeft: true }).wakeupAt).toBe(900);
    expect(play(start, prompt, planned, { kind: "answer-finished", wakeupsLeft: false }).wakeupAt).toBeUndefined();
    expect(
      play(start, prompt, planned, answer, { kind: "prompt-submitted", origin: "wakeup" }).wakeupAt,
    ).toBeUndefined();
  });
});

describe("the end and the start", () => {
  test("the end keeps the answer's time and clears what ran", () => {
    const record = play(start, prompt, bash("c1"), answer, { kind: "session-ended", byUser: false });
    expect(record).toMatchObject({ state: "dormant", doneAt: 103, calls: [], subagents: [], background: {} });
  });

  test("resumed by the user, it is idle, read, and keeps its answer; resumed without a terminal, it is not read", () => {
    const ended = [start, prompt, answer, { kind: "session-ended", byUser: false } satisfies Happening];
    expect(play(...ended, { kind: "session-started", source: "resume" })).toMatchObject({
      state: "idle",
      doneAt: 102,
      userPromptAt: 104,
    });
    expect(play(...ended, { kind: "session-started", source: "resume", headless: true }).userPromptAt).toBe(101);
  });

  test("compaction by hand returns to what was, by itself to work", () => {
    const begun = (manual: boolean): Happening => ({ kind: "compaction-started", manual });
    const over = (manual: boolean): Happening => ({ kind: "compaction-finished", manual });
    expect(play(start, prompt, answer, begun(true)).state).toBe("compacting");
    expect(play(start, prompt, answer, begun(true), over(true)).state).toBe("done");
    expect(play(start, prompt, begun(false), over(false)).state).toBe("working");
  });

  test("the reminder at the prompt repairs what Esc left, and nothing else", () => {
    const noticed: Happening = { kind: "idle-noticed" };
    expect(play(start, prompt, bash("c1"), asks("c1"), noticed).state).toBe("idle");
    expect(play(start, prompt, noticed).state).toBe("idle");
    expect(play(start, prompt, answer, noticed).state).toBe("done");
    expect(play(start, prompt, { kind: "turn-failed", reason: "x" }, noticed).state).toBe("failed");
  });

  test("hooks installed in the middle of a session: the first event tells enough", () => {
    expect(play(ran("c1")).state).toBe("working");
    expect(play(answer).state).toBe("done");
  });

  test("the title is the user's first words, until the session has one of its own", () => {
    expect(play(start, prompt, answer, { ...prompt, text: "Second" } as Happening).title).toBe("Fix the test");
    expect(play(start, prompt, { kind: "noted", title: "Flaky test" }).title).toBe("Flaky test");
  });
});

describe("an agent that tells more than Claude Code", () => {
  const requested = (id: string, call?: string, agentId?: string): Happening => ({
    kind: "input-asked",
    ask: { kind: "permission", message: `request ${id}` },
    source: id,
    ...(call === undefined ? {} : { call }),
    ...(agentId === undefined ? {} : { agentId }),
  });
  const answered = (id: string, refused = false): Happening => ({
    kind: "input-answered",
    source: id,
    ...(refused ? { refused } : {}),
  });
  const beside = (call: string, agentId?: string): Happening => ({ ...bash(call, agentId), beside: true }) as Happening;
  const atRest: Happening = { kind: "answer-finished", onlyFromWork: true };
  const step: Happening = { kind: "step-started" };

  test("an answer ends the request it names and no other", () => {
    const asked = [prompt, beside("c1"), beside("c2"), requested("r1", "c1"), requested("r2", "c2")];
    expect(reportOf(play(...asked, answered("r1")))).toMatchObject({ state: "waiting", message: "request r2" });
    expect(play(...asked, answered("r1"), answered("r2")).state).toBe("working");
    expect(play(...asked, answered("r9")).waits).toHaveLength(2);
  });

  test("two requests of one call are two", () => {
    const asked = [prompt, beside("c1"), requested("r1", "c1"), requested("r2", "c1")];
    expect(play(...asked, answered("r1")).waits).toMatchObject([{ source: "r2" }]);
    expect(play(...asked, ran("c1")).state).toBe("working");
  });

  test("a request of a call that does not run is not held back by it", () => {
    expect(play(prompt, requested("r1", "c9")).waits).toEqual([
      { kind: "permission", message: "request r1", source: "r1" },
    ]);
  });

  test("a call that starts beside another answers nothing; one that follows it does", () => {
    expect(play(prompt, beside("c1"), requested("r1", "c1"), beside("c2")).state).toBe("waiting");
    expect(play(prompt, bash("c1"), requested("r1", "c1"), bash("c2")).state).toBe("working");
  });

  test("a turn that ends with a no is no answer; one that goes on after it is", () => {
    const refused = [prompt, beside("c1"), requested("r1", "c1"), answered("r1", true)];
    expect(play(...refused).state).toBe("working");
    expect(play(...refused, atRest)).toMatchObject({ state: "idle" });
    expect(play(...refused, atRest).doneAt).toBeUndefined();
    expect(play(...refused, step, atRest).state).toBe("done");
    expect(play(...refused, beside("c2"), atRest).state).toBe("done");
    expect(play(...refused, atRest, prompt, atRest).state).toBe("done");
  });

  test("a no inside a subagent is not the turn's", () => {
    const inside: Happening = { ...answered("r1", true), agentId: "a1" } as Happening;
    expect(play(prompt, beside("c1", "a1"), requested("r1", "c1", "a1"), inside, atRest).state).toBe("done");
  });

  test("the next step of a turn ends the calls of the last, also those that told no end, and nothing at rest", () => {
    expect(reportOf(play(prompt, beside("c1"), step)).tool).toBeUndefined();
    expect(play(prompt, beside("c1"), requested("r1", "c1"), step).state).toBe("working");
    expect(play(start, step).state).toBe("idle");
    expect(play(prompt, answer, step).state).toBe("done");
    expect(play(prompt, { kind: "turn-failed", reason: "x" }, step).state).toBe("failed");
    expect(play(prompt, beside("c1", "a1"), step).calls).toHaveLength(1);
  });

  test("a call that ends after its turn begins none, if the agent tells of every beginning", () => {
    const late: Happening = { kind: "tool-finished", tool: "Bash", call: "c1", effects: [], onlyFromWork: true };
    expect(play(prompt, beside("c1"), { kind: "turn-stopped" }, late).state).toBe("idle");
    expect(play(prompt, beside("c1"), { kind: "turn-failed", reason: "x" }, late).state).toBe("failed");
    expect(play(prompt, beside("c1"), { kind: "turn-stopped" }, ran("c1")).state).toBe("working");
  });

  test("coming to rest says nothing after another end", () => {
    for (const end of [answer, { kind: "turn-stopped" }, { kind: "turn-failed", reason: "x" }] satisfies Happening[]) {
      const ended = play(prompt, end);
      expect(play(prompt, end, atRest)).toMatchObject({ state: ended.state, since: ended.since });
      expect(play(prompt, end, atRest).doneAt).toBe(ended.doneAt);
    }
  });

  test("a compaction without an end of its own is over with what comes next", () => {
    const compacts = (manual: boolean): Happening => ({ kind: "compaction-started", manual, untilNext: true });
    expect(play(prompt, answer, compacts(true)).state).toBe("compacting");
    expect(play(prompt, answer, compacts(true), { kind: "noted" }).state).toBe("done");
    expect(play(prompt, compacts(false), compacts(false)).state).toBe("compacting");
    expect(play(prompt, beside("c1"), compacts(false), ran("c1")).state).toBe("working");
    expect(play(prompt, compacts(false), ran("c1", "a1")).state).toBe("compacting");
    expect(play(prompt, answer, compacts(true), prompt, answer, { kind: "noted" }).state).toBe("done");
  });

  test("a compaction whose end does not say how it began goes back to what was", () => {
    const over: Happening = { kind: "compaction-finished" };
    expect(play(prompt, answer, { kind: "compaction-started", manual: false }, over).state).toBe("done");
    expect(play(prompt, { kind: "compaction-started", manual: false }, over).state).toBe("working");
    expect(play(start, { kind: "compaction-started", manual: true }, over).state).toBe("idle");
  });

  test("a wake-up that the answer tells is planned", () => {
    expect(play(prompt, { kind: "answer-finished", wakeupsLeft: true, wakeupAt: 900 }).wakeupAt).toBe(900);
  });

  test("a request that is repeated without a name is one", () => {
    const asks: Happening = { kind: "input-asked", ask: { kind: "input", message: "Look" } };
    expect(play(prompt, asks, asks).waits).toHaveLength(1);
  });

  test("what is going on again waits for nobody", () => {
    const asks: Happening = { kind: "input-asked", ask: { kind: "input", message: "Look" } };
    expect(play({ kind: "turn-failed", reason: "limit" }, asks, { kind: "turn-resumed" })).toMatchObject({
      state: "working",
      waits: [],
    });
  });
});

describe("the end of a turn, told by two channels", () => {
  const prompted = (turn: string): Happening => ({ kind: "prompt-submitted", origin: "user", turn });
  const stop = (turn: string): Happening => ({ kind: "answer-finished", turn });
  const echo = (turn: string): Happening => ({ kind: "answer-finished", turn, echo: true });

  test("is one answer, whichever comes first", () => {
    expect(play(prompted("t1"), stop("t1"), echo("t1"))).toMatchObject({ state: "done", doneAt: 101 });
    expect(play(prompted("t1"), echo("t1"))).toMatchObject({ state: "done", doneAt: 101 });
  });

  test("is not that of the next turn, nor of one that was stopped, nor of an ended session", () => {
    expect(play(prompted("t1"), stop("t1"), prompted("t2"), echo("t1")).state).toBe("working");
    expect(play(prompted("t1"), stop("t1"), prompted("t2"), stop("t2"), echo("t1")).doneAt).toBe(103);
    expect(play(prompted("t1"), { kind: "turn-stopped" }, echo("t1")).state).toBe("idle");
    expect(play(prompted("t1"), stop("t1"), { kind: "session-ended", byUser: false }, echo("t1")).state).toBe(
      "dormant",
    );
  });

  test("alone, each is an answer", () => {
    expect(play(echo("t1"))).toMatchObject({ state: "done", doneAt: 100 });
    expect(play(echo("t1"), echo("t1")).doneAt).toBe(100);
    expect(play(echo("t1"), echo("t2")).doneAt).toBe(101);
  });
});

test("what is told of a turn inside a subagent is not the session's", () => {
  const inside = { agentId: "a1" };
  const ends: Happening[] = [
    { ...answer, ...inside },
    { kind: "turn-stopped", ...inside },
    { kind: "turn-failed", reason: "x", ...inside },
    { kind: "turn-resumed", ...inside },
    { kind: "idle-noticed", ...inside },
    { kind: "compaction-started", manual: false, ...inside },
  ];
  for (const end of ends) {
    expect(play(prompt, end).state).toBe("working");
    expect(play(prompt, answer, end).state).toBe("done");
  }
});

const anyAgent = fc.option(fc.constantFrom("a1", "a2"), { nil: undefined });
const anyCall = fc.constantFrom("c1", "c2", "c3");
const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constantFrom<Happening>(
    start,
    prompt,
    answer,
    { kind: "turn-stopped" },
    { kind: "idle-noticed" },
    { kind: "noted" },
    { kind: "step-started" },
    { kind: "turn-resumed" },
    { kind: "answer-finished", onlyFromWork: true },
    { kind: "answer-finished", turn: "t1", echo: true },
    { kind: "prompt-submitted", origin: "user", turn: "t1" },
    { kind: "compaction-started", manual: true, untilNext: true },
    { kind: "compaction-finished" },
    { kind: "input-answered", source: "r1", refused: true },
  ),
  fc.tuple(anyCall, anyAgent).map(([call, agent]): Happening => ({
    kind: "input-asked",
    ask: { kind: "permission" },
    source: "r1",
    call,
    ...(agent === undefined ? {} : { agentId: agent }),
  })),
  fc.tuple(anyCall, anyAgent).map(([call, agent]) => bash(call, agent)),
  fc.tuple(anyCall, anyAgent).map(([call, agent]) => asks(call, agent)),
  fc.tuple(anyCall, anyAgent).map(([call, agent]) => ran(call, agent)),
  fc.constantFrom("a1", "a2").map((subagent): Happening => ({ kind: "subagent-started", subagent, agentId: subagent })),
  fc.constantFrom("a1", "a2").map((subagent): Happening => ({ kind: "subagent-stopped", subagent, agentId: subagent })),
  fc.boolean().map((manual): Happening => ({ kind: "compaction-started", manual })),
  fc.boolean().map((manual): Happening => ({ kind: "compaction-finished", manual })),
  fc.boolean().map((byUser): Happening => ({ kind: "session-ended", byUser })),
);

describe("whatever happens", () => {
  test("since moves with the state and with nothing else, and the record before stays as it was", () => {
    fc.assert(
      fc.property(fc.array(anyHappening, { minLength: 1, maxLength: 30 }), (happenings) => {
        let before: SessionRecord | undefined;
        happenings.forEach((happening, index) => {
          const event = { ...happening, at: 100 + index, name: happening.kind } as Event;
          const frozen = structuredClone(before);
          const after = reduce(before, IDENTITY, event);
          expect(before).toEqual(frozen);
          if (before !== undefined) expect(after.since).toBe(after.state === before.state ? before.since : event.at);
          before = after;
        });
      }),
      propertyRuns(1500),
    );
  });

  test("an event inside a subagent changes the state only into a wait or out of one", () => {
    fc.assert(
      fc.property(fc.array(anyHappening, { minLength: 1, maxLength: 30 }), (happenings) => {
        let before: SessionRecord | undefined;
        happenings.forEach((happening, index) => {
          const event = { ...happening, at: 100 + index, name: happening.kind } as Event;
          const after = reduce(before, IDENTITY, event);
          if (event.agentId !== undefined && before !== undefined && after.state !== before.state) {
            expect([before.state, after.state]).toEqual(
              expect.arrayContaining([expect.stringMatching(/^(waiting|decision)$/)]),
            );
          }
          before = after;
        });
      }),
      propertyRuns(1500),
    );
  });

  test("an ended session waits for nobody and runs nothing", () => {
    fc.assert(
      fc.property(fc.array(anyHappening, { maxLength: 20 }), (happenings) => {
        const record = play(...happenings, { kind: "session-ended", byUser: false });
        expect(record).toMatchObject({
          state: "dormant",
          waits: [],
          calls: [],
          subagents: [],
          background: {},
          monitors: {},
        });
      }),
      propertyRuns(500),
    );
  });
});

describe("our plugin inside the agent", () => {
  const identity = { agent: "claude", sessionId: "s1" };
  const facts = { pid: 7, name: "x" } as const;
  const begun = reduce(undefined, identity, {
    ...facts,
    at: 100,
    byPlugin: true,
    kind: "prompt-submitted",
    origin: "user",
  });

  test("a hook of the same process tells nothing beside it", () => {
    const stopped = reduce(begun, identity, { ...facts, at: 101, kind: "answer-finished" });
    expect(stopped.state).toBe("working");
  });

  test("but its terminal counts, which the plugin may not know", () => {
    const seen = reduce(begun, identity, { ...facts, at: 101, kind: "noted", terminal: { TMUX_PANE: "%3" } });
    expect(seen).toEqual({ ...begun, terminal: { TMUX_PANE: "%3" } });
  });

  test("a hook of another process counts: the session was resumed there", () => {
    const resumed = reduce(begun, identity, { ...facts, pid: 8, at: 101, kind: "answer-finished" });
    expect(resumed.state).toBe("done");
  });

  test("a plugin that has been silent for more than a minute was unloaded: hooks count again", () => {
    expect(reduce(begun, identity, { ...facts, at: 160, kind: "answer-finished" }).state).toBe("working");
    expect(reduce(begun, identity, { ...facts, at: 160.1, kind: "answer-finished" }).state).toBe("done");
  });
});
