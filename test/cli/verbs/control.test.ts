import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cancel } from "../../../src/cli/verbs/cancel";
import { pause, type PauseRequest } from "../../../src/cli/verbs/pause";
import { restart } from "../../../src/cli/verbs/restart";
import { send } from "../../../src/cli/verbs/send";
import { stop } from "../../../src/cli/verbs/stop";
import { followRequests, type AskReport, type AskSurroundings } from "../../../src/cli/verbs/ask-sessions";
import { ControlFolder } from "../../../src/control/control-folder";
import { SessionsError } from "../../../src/session/failure";
import type { SessionRecord } from "../../../src/session/record";
import type { Places } from "../../../src/store/places";
import { SessionStore } from "../../../src/store/session-store";
import { cliIo, type TestIo } from "../../cli-io";
import { scratchPlaces } from "../../scratch";

const NOW = 1_780_000_000;
const BUSY = "4f2e8190-1d47-46fc-99e3-ee42f99623d5";
const WARM = "5f2e8190-1d47-46fc-99e3-ee42f99623d5";
const COLD = "6f2e8190-1d47-46fc-99e3-ee42f99623d5";
const ASKS = "7f2e8190-1d47-46fc-99e3-ee42f99623d5";
const ENDED = "8f2e8190-1d47-46fc-99e3-ee42f99623d5";

let places: Places;
let io: TestIo;
let given: AskSurroundings;

beforeEach(() => {
  places = scratchPlaces();
  io = ioOf();
  given = { run: () => Promise.resolve({ outcome: "missing" }), pause: () => Promise.resolve(), newId: ids() };
});

function ioOf(interrupt = new AbortController().signal): TestIo {
  const processes = { look: () => "running" as const };
  const environment = { HOME: dirname(places.home) };
  return cliIo(places, { clock: () => NOW * 1000, processes, environment, interrupt });
}

function ids(): () => string {
  let n = 0;
  return () => `id-${(n += 1)}`;
}

function save(sessionId: string, given: Partial<SessionRecord>): void {
  new SessionStore(places.home).save({
    record: {
      agent: "claude",
      sessionId,
      phase: "idle",
      waits: [],
      state: "idle",
      since: NOW - 600,
      eventAt: NOW - 600,
      event: "Stop",
      calls: [],
      subagents: [],
      background: {},
      monitors: {},
      title: `session ${sessionId.slice(0, 1)}`,
      ...given,
    },
    folded: [],
  });
}

const busy = (id = BUSY) => save(id, { phase: "working", state: "working", event: "UserPromptSubmit" });
const warm = () => save(WARM, { phase: "done", state: "done", doneAt: NOW - 600 });
const cold = () => save(COLD, { phase: "done", state: "done", doneAt: NOW - 7200, since: NOW - 7200 });
const asks = () =>
  save(ASKS, { phase: "working", waits: [{ kind: "permission" }], state: "waiting", doneAt: NOW - 900 });
const ended = () => save(ENDED, { phase: "dormant", state: "dormant", doneAt: NOW - 900, event: "SessionEnd" });

const PAUSE: PauseRequest = {
  ids: [],
  all: false,
  restart: false,
  auto: false,
  includeCold: false,
  wait: false,
  json: false,
};

const stopAnswers = () => {
  const folder = join(places.home, "control", "stop", "claude");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test("pause reaches the one that is named by the beginning of its id, and says how", async () => {
  busy();
  expect(await pause({ ...PAUSE, ids: ["4f2e"] }, io, given)).toBe(0);
  expect(io.out()).toBe(`Asked to save:\n  claude:${BUSY}  session 4: at the end of its turn\n`);
  expect(stopAnswers()).toEqual([BUSY]);
});

test("pause --all asks warm sessions, leaves cold ones out, and names who cannot be reached, with the reason", async () => {
  busy();
  warm();
  cold();
  asks();
  ended();
  expect(await pause({ ...PAUSE, all: true }, io, given)).toBe(1);
  const out = io.out();
  expect(out).toContain(`Asked to save:\n  claude:${BUSY}`);
  expect(out).toMatch(
    /Left out:\n {2}claude:6f2e\S+ {2}session 6: cold for 2h: waking it reads its whole context again \(--include-cold\)/,
  );
  expect(out).toMatch(/Not reached:\n(.*\n)*.*7f2e\S+ {2}session 7: it waits for you at a dialog/);
  expect(out).toMatch(/5f2e\S+ {2}session 5: it runs without the plugin; no turn of it runs; /);
  expect(out).not.toContain(ENDED);
  expect(stopAnswers()).toEqual([BUSY]);
});

test("a cold session is left out even when it is named, unless it is to be woken", async () => {
  cold();
  expect(await pause({ ...PAUSE, ids: [COLD], json: true }, io, given)).toBe(1);
  expect((JSON.parse(io.out()) as AskReport).leftOut).toMatchObject([{ id: `claude:${COLD}` }]);
  const woken = ioOf();
  await pause({ ...PAUSE, ids: [COLD], json: true, includeCold: true }, woken, given);
  expect(JSON.parse(woken.out())).toMatchObject({ leftOut: [], refused: [{ id: `claude:${COLD}` }] });
});

test("a session whose cache is not known is left out of all, and said to be", async () => {
  save(WARM, { agent: "amp", phase: "done", state: "done", doneAt: NOW - 60 });
  await pause({ ...PAUSE, all: true, json: true }, io, given);
  expect(JSON.parse(io.out())).toMatchObject({
    leftOut: [{ id: `amp:${WARM}`, reason: expect.stringContaining("not known") as string }],
  });
});

test("restart without the plugin saves, says that it only saves, and is no success", async () => {
  busy();
  const how = { ids: [BUSY], auto: false, includeCold: false, wait: false, json: true };
  expect(await restart(how, io, given)).toBe(1);
  expect(JSON.parse(io.out())).toMatchObject({
    kind: "save-restart",
    reached: [{ request: { kind: "save", by: "stop-hook" }, note: expect.stringContaining("plugin") as string }],
  });
});

test("nobody is asked when one of the ids is unknown or ambiguous", async () => {
  busy();
  await expect(pause({ ...PAUSE, ids: [BUSY, "nope"] }, io, given)).rejects.toMatchObject({ code: "not-found" });
  busy("4f2e0000-1d47-46fc-99e3-ee42f99623d5");
  await expect(pause({ ...PAUSE, ids: ["4f2e"] }, io, given)).rejects.toMatchObject({ code: "ambiguous" });
  expect(stopAnswers()).toEqual([]);
});

test("pause without a session, or with both, is wrong usage", async () => {
  await expect(pause(PAUSE, io, given)).rejects.toMatchObject({ code: "usage" });
  await expect(pause({ ...PAUSE, ids: ["x"], all: true }, io, given)).rejects.toMatchObject({ code: "usage" });
});

test("nothing is open: that is said, and nobody was reached", async () => {
  expect(await pause({ ...PAUSE, all: true }, io, given)).toBe(1);
  expect(io.out()).toBe("There is no open session.\n");
});

test("the same session named twice is asked once; a second pause is refused while the first is new", async () => {
  busy();
  await pause({ ...PAUSE, ids: [BUSY, `claude:${BUSY}`], json: true }, io, given);
  expect((JSON.parse(io.out()) as AskReport).reached).toHaveLength(1);
  const again = ioOf();
  expect(await pause({ ...PAUSE, ids: [BUSY] }, again, given)).toBe(1);
  expect(again.out()).toContain("asked already");
});

test("--wait tells each step, and fails when the save does", async () => {
  busy();
  let looks = 0;
  given.pause = () => {
    looks += 1;
    if (looks === 1) rmSync(new ControlFolder(places.home).stopAnswer({ agent: "claude", sessionId: BUSY }));
    if (looks === 3) save(BUSY, { phase: "done", state: "done", since: NOW + 5, eventAt: NOW + 5, doneAt: NOW + 5 });
    return Promise.resolve();
  };
  expect(await pause({ ...PAUSE, ids: [BUSY], wait: true }, io, given)).toBe(1);
  expect(io.err().split("\n")).toEqual([
    `claude:${BUSY}: delivered`,
    `claude:${BUSY}: saving …`,
    expect.stringMatching(/: failed: it answered, but/),
    "",
  ]);
});

test("the steps of a receiver, which begins a list of its own, are all followed", async () => {
  busy();
  const request = { id: "id-1", kind: "save", by: "plugin", steps: [{ outcome: "queued", at: NOW }] } as const;
  const report: AskReport = {
    kind: "save",
    reached: [{ id: `claude:${BUSY}`, title: "t", request }],
    leftOut: [],
    refused: [],
  };
  const folder = new ControlFolder(places.home);
  folder.make(folder.requests({ agent: "claude", sessionId: BUSY }));
  const done = join(folder.requests({ agent: "claude", sessionId: BUSY }), "id-1.done.json");
  const tells = [["delivered"], ["delivered", "saving", "saved"]];
  given.pause = () => {
    const steps = tells.shift()?.map((outcome, index) => ({ outcome, at: NOW + 1 + index }));
    writeFileSync(done, JSON.stringify({ version: 1, id: "id-1", kind: "save", by: "plugin", steps }));
    return Promise.resolve();
  };
  const told: string[] = [];
  const isOver = await followRequests(report, io, given, (each) => told.push(each.request.steps.at(-1)?.outcome ?? ""));
  expect([isOver, told]).toEqual([true, ["delivered", "saving", "saved"]]);
  expect(report.reached[0]?.request.steps.at(-1)?.outcome).toBe("saved");
});

test("--wait ends when the user interrupts, and leaves the request be", async () => {
  busy();
  const interrupt = new AbortController();
  const waiting = ioOf(interrupt.signal);
  given.pause = () => Promise.resolve(interrupt.abort());
  expect(await pause({ ...PAUSE, ids: [BUSY], wait: true }, waiting, given)).toBe(1);
  expect(waiting.err()).toContain("Interrupted");
  expect(stopAnswers()).toEqual([BUSY]);
});

test("send gives a message, cleaned of what would steer a terminal, which it says", async () => {
  busy();
  expect(await send({ id: BUSY, text: "go\u001b[2J on", wait: false, json: false }, io, given)).toBe(0);
  expect(io.err()).toContain("1 control character was left out");
  expect(io.out()).toContain("Sent:\n");
});

test("send refuses a session at a dialog, with the reason, and a text that is none", async () => {
  asks();
  expect(await send({ id: ASKS, text: "yes", wait: false, json: false }, io, given)).toBe(1);
  expect(io.out()).toContain("it waits for you at a dialog: answer that first");
  expect(existsSync(join(places.home, "control"))).toBe(false);
  expect(() => send({ id: ASKS, text: " \u0007 ", wait: false, json: false }, io, given)).toThrow(SessionsError);
});

test("cancel takes back what was not delivered", async () => {
  busy();
  expect(await cancel({ ids: [BUSY], wait: false, json: false }, io, given)).toBe(1);
  await pause({ ...PAUSE, ids: [BUSY] }, ioOf(), given);
  const second = ioOf();
  expect(await cancel({ ids: [BUSY], wait: false, json: false }, second, given)).toBe(0);
  expect(second.out()).toBe(
    `Asked to cancel:\n  claude:${BUSY}  session 4: cancelled: taken back before it was delivered\n`,
  );
  expect(stopAnswers()).toEqual([]);
});

test("stop without a certain way says why", async () => {
  busy();
  expect(await stop({ id: BUSY, kill: false, yes: false, wait: false, json: false }, io, given)).toBe(1);
  expect(io.out()).toMatch(/Not reached:\n.*which process it is, is not certain/);
});

describe("stop --kill", () => {
  const KILL = { id: BUSY, kill: true, yes: false, wait: false, json: false };
  const signals: string[] = [];
  const processes = (): AskSurroundings["processes"] => ({
    look: () => Promise.resolve(signals.length > 0 ? "gone" : "running"),
    argumentsOf: () => undefined,
    parentOf: () => undefined,
    terminalOf: () => Promise.resolve(undefined),
    signal: (pid, name) => void signals.push(`${name} ${pid}`),
  });

  beforeEach(() => {
    signals.length = 0;
    save(BUSY, { phase: "working", state: "working", event: "UserPromptSubmit", pid: 4242, pidKnownAt: NOW - 60 });
  });

  test("asks first, and does nothing without a yes", async () => {
    const questions: string[] = [];
    const confirm = (question: string) => Promise.resolve(questions.push(question) < 0);
    expect(await stop(KILL, io, { ...given, processes: processes(), confirm })).toBe(1);
    expect(questions).toEqual([expect.stringContaining("process 4242")]);
    expect([signals, io.out()]).toEqual([[], "Nothing was ended.\n"]);
  });

  test("without a terminal needs --yes", async () => {
    await expect(stop(KILL, io, { ...given, processes: processes() })).rejects.toMatchObject({ code: "usage" });
    expect(signals).toEqual([]);
    expect(await stop({ ...KILL, yes: true }, io, { ...given, processes: processes() })).toBe(0);
    expect(signals).toEqual(["SIGTERM 4242"]);
  });

  test("does not ask where it could not do it", async () => {
    busy();
    expect(await stop({ ...KILL, yes: true }, io, { ...given, processes: processes() })).toBe(1);
    expect(io.out()).toContain("not certain");
    expect(signals).toEqual([]);
  });
});

test("a home that others can write to is refused with what to do, and no other error", async () => {
  busy();
  const folder = new ControlFolder(places.home);
  folder.make(folder.path);
  (await import("node:fs")).chmodSync(folder.path, 0o777);
  writeFileSync(join(folder.path, "x"), "");
  expect(await pause({ ...PAUSE, ids: [BUSY] }, io, given)).toBe(1);
  expect(io.out()).toContain("can be written to by others");
});
