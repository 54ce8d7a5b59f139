import * as fc from "fast-check";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ask } from "../../src/control/ask";
import { lastRequests, requestOutcome, settleRequests } from "../../src/control/request-log";
import type { RequestOutcome } from "../../src/session/request";
import type { Session } from "../../src/session/session";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";
import { controlScene, markPlugin, type ControlScene } from "./control-scene";
import { busySessionOf, NOW, sessionOf } from "./session-sample";

let scene: ControlScene;

beforeEach(() => {
  scene = controlScene();
});

const last = (session: Session) => lastRequests(scene.home).get(session.id);
const stepsOf = (request: RequestOutcome | undefined) => request?.steps.map(({ outcome }) => outcome);

async function askBusy(given: Partial<Session> = {}): Promise<Session> {
  const session = busySessionOf(given);
  scene.shown.set(session.id, session);
  expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "reached" });
  return session;
}

test("where nothing was ever asked there is nothing, and nothing is made", () => {
  settleRequests(scene.home, [sessionOf()], NOW);
  expect(lastRequests(scene.home)).toEqual(new Map());
  expect(existsSync(scene.home)).toBe(false);
});

test("a save at the end of the turn, from the request to the proof", async () => {
  const project = scratchFolder();
  const target = join(project, "memory", "shop.md");
  mkdirSync(dirname(target));
  writeFileSync(join(project, "memory", "MEMORY.md"), "- [Shop](shop.md) 🔑 `shop pickup`\n");
  writeFileSync(target, "old\n");
  scene.transcriptOf = () => ({ path: join(project, "4f2e.jsonl"), prompts: ["shop pickup"] });
  const session = await askBusy();
  settleRequests(scene.home, [session], NOW + 5);
  expect(stepsOf(last(session))).toEqual(["queued"]);
  // The recorder takes it at the Stop, and the session goes on.
  rmSync(scene.control.stopAnswer(session));
  settleRequests(scene.home, [session], NOW + 20);
  settleRequests(scene.home, [{ ...session, since: NOW + 21 }], NOW + 21);
  expect(stepsOf(last(session))).toEqual(["queued", "delivered", "saving"]);
  writeFileSync(target, "old\nnew\n");
  settleRequests(scene.home, [{ ...session, state: "done", since: NOW + 40, doneAt: NOW + 40 }], NOW + 41);
  expect(last(session)).toEqual({
    id: "id-001",
    kind: "save",
    by: "stop-hook",
    steps: [
      { outcome: "queued", at: NOW },
      { outcome: "delivered", at: NOW + 20 },
      { outcome: "saving", at: NOW + 21 },
      { outcome: "saved", at: NOW + 41, proof: { file: target, lines: 1 } },
    ],
  });
  // What its memory held is kept no longer than it is compared.
  settleRequests(scene.home, [session], NOW + 42);
  expect(readdirSync(scene.control.requests(session))).toEqual(["id-001.done.json"]);
});

test("an answer that nobody took is taken away when it is too late", async () => {
  const session = await askBusy();
  settleRequests(scene.home, [session], NOW + 600);
  expect(stepsOf(last(session))).toEqual(["queued", "expired"]);
  expect(existsSync(scene.control.stopAnswer(session))).toBe(false);
});

test("a request that the plugin did not take cannot be taken any more once it is told to have expired", async () => {
  const session = sessionOf({ plugin: {}, process: { pid: 42, knownAt: NOW } });
  markPlugin(scene, session.sessionId);
  await ask(session, { kind: "save-restart" }, scene);
  settleRequests(scene.home, [session], NOW + 610);
  expect(stepsOf(last(session))).toEqual(["queued", "expired"]);
  expect(readdirSync(scene.control.requests(session))).toEqual(["id-001.done.json"]);
});

test("what a plugin rewrites in place is seen, and what it is still writing is not", async () => {
  const session = sessionOf({ plugin: {}, process: { pid: 42, knownAt: NOW } });
  markPlugin(scene, session.sessionId);
  await ask(session, { kind: "save" }, scene);
  const done = join(scene.control.requests(session), "id-001.done.json");
  const write = (steps: unknown[]) =>
    writeFileSync(done, JSON.stringify({ version: 1, id: "id-001", kind: "save", steps }));
  const folder = dirname(done);
  const keepTime = (change: () => void) => {
    change();
    utimesSync(folder, NOW, NOW);
  };
  keepTime(() => write([{ outcome: "delivered", at: NOW + 1 }]));
  expect(stepsOf(last(session))).toEqual(["delivered"]);
  keepTime(() => writeFileSync(done, '{"version":1,"id":"id-0'));
  expect(stepsOf(last(session))).toEqual(["queued"]);
  keepTime(() => write([{ outcome: "saved", at: NOW + 9, proof: { file: "/m/a.md", lines: 1 } }]));
  expect(stepsOf(last(session))).toEqual(["saved"]);
  expect(requestOutcome(scene.home, session, "id-001")?.steps).toHaveLength(1);
});

test("a request that runs is told before one that is over, and news grow old", async () => {
  const session = await askBusy();
  rmSync(scene.control.stopAnswer(session));
  settleRequests(scene.home, [session], NOW + 1);
  const folder = scene.control.requests(session);
  const over = {
    version: 1,
    id: "z-9",
    kind: "prompt",
    by: "terminal",
    steps: [{ outcome: "delivered", at: NOW + 50 }],
  };
  writeFileSync(join(folder, "z-9.done.json"), JSON.stringify(over));
  expect(last(session)?.id).toBe("id-001");
  rmSync(join(folder, "id-001.done.json"));
  rmSync(join(folder, "id-001.sent"));
  expect(last(session)?.id).toBe("z-9");
  expect(lastRequests(scene.home, NOW + 50 + 1799).size).toBe(1);
  expect(lastRequests(scene.home, NOW + 50 + 1800).size).toBe(0);
});

test("what was quiet for hours is told no more, unless something in it was written", async () => {
  const session = await askBusy();
  settleRequests(scene.home, [session], NOW + 600);
  const folder = scene.control.requests(session);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), NOW, NOW);
  utimesSync(folder, NOW, NOW);
  // Another process, which has not read it before.
  const anew = () => {
    lastRequests(scratchFolder());
    return last(session);
  };
  expect(anew()).toBeUndefined();
  utimesSync(join(folder, "id-001.done.json"), new Date(), new Date());
  utimesSync(folder, NOW, NOW);
  expect(stepsOf(anew())).toEqual(["queued", "expired"]);
});

test("what is a day old is removed, a bounded number at a time, and then the folder", async () => {
  const session = await askBusy();
  settleRequests(scene.home, [session], NOW + 600);
  const folder = scene.control.requests(session);
  for (let n = 0; n < 300; n++) writeFileSync(join(folder, `old-${n}.done.json`), "{}");
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), NOW, NOW);
  utimesSync(folder, NOW, NOW);
  settleRequests(scene.home, [], NOW + 86_399);
  expect(readdirSync(folder).length).toBeGreaterThan(300);
  const before = readdirSync(folder).length;
  settleRequests(scene.home, [], NOW + 86_401);
  expect(before - readdirSync(folder).length).toBe(200);
  utimesSync(folder, NOW, NOW);
  settleRequests(scene.home, [], NOW + 86_401);
  expect(existsSync(folder)).toBe(false);
  expect(lastRequests(scene.home)).toEqual(new Map());
});

test("ten thousand files of others are looked over quickly", async () => {
  const session = await askBusy();
  const folder = scene.control.requests(session);
  for (let n = 0; n < 10_000; n++) writeFileSync(join(folder, `a-${n}.json`), "{");
  const started = process.hrtime.bigint();
  settleRequests(scene.home, [session], NOW + 1);
  expect(last(session)?.id).toBe("id-001");
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(2000);
});

test("a folder that others can write to, a link in a folder's place, and names that are none tell nothing", async () => {
  const session = await askBusy();
  const folder = scene.control.requests(session);
  const elsewhere = scratchFolder();
  writeFileSync(
    join(elsewhere, "id-9.done.json"),
    JSON.stringify({ version: 1, id: "id-9", kind: "save", steps: [{ outcome: "saved", at: NOW }] }),
  );
  symlinkSync(elsewhere, join(dirname(folder), "linked"));
  mkdirSync(join(dirname(folder), "%zz"));
  mkdirSync(join(dirname(folder), "a%2fb"));
  symlinkSync(join(elsewhere, "id-9.done.json"), join(folder, "id-9.done.json"));
  expect(Array.from(lastRequests(scene.home).keys())).toEqual([session.id]);
  expect(last(session)?.id).toBe("id-001");
  chmodSync(folder, 0o770);
  expect(lastRequests(scene.home).size).toBe(0);
  chmodSync(folder, 0o700);
  chmodSync(scene.control.path, 0o707);
  expect(lastRequests(scene.home).size).toBe(0);
});

test("whatever lies in a session's folder, a look does not fail, and what is told is a request", () => {
  const session = sessionOf();
  const folder = scene.control.requests(session);
  scene.control.make(folder);
  const name = fc.constantFrom("a.json", "a.done.json", "a.sent", "b.done.json", "x", ".json", "a.json.123");
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        version: fc.constant(1),
        id: fc.constantFrom("a", "b"),
        kind: fc.constantFrom("save", "prompt", "x"),
        steps: fc.array(fc.record({ outcome: fc.constantFrom("queued", "saved", "x"), at: fc.double() })),
      })
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, text), { maxLength: 5 }),
      fc.double({ min: 0, max: 1e11, noNaN: true }),
      (files, now) => {
        for (const each of readdirSync(folder)) rmSync(join(folder, each), { recursive: true });
        for (const [each, content] of files) writeFileSync(join(folder, each), content, { mode: 0o600 });
        settleRequests(scene.home, [session], now);
        for (const request of lastRequests(scene.home).values()) expect(request.steps.length).toBeGreaterThan(0);
        scene.control.make(folder);
      },
    ),
    propertyRuns(100),
  );
});
