import { FakeSession, OURS, PHRASE } from "./fake-session";

let session: FakeSession;

beforeEach(async () => {
  session = new FakeSession();
  await session.start();
  await session.prompt(`${PHRASE}, please`);
});

/** A look at the folder, and what it sets off. */
const look = () => session.pass(2_500);

test("save-restart: delivered, saving, saved with its proof, restarted", async () => {
  session.work = () => session.writeShop();
  const { desk, id } = session;
  session.ask("r1", "save-restart");
  await look();
  expect(session.steps("r1", id)).toEqual(["queued", "delivered", "saving", "saved", "restarted"]);
  const { steps, by } = session.json(`${desk}/r1.done.json`);
  expect(by).toBe("plugin");
  expect((steps as unknown[])[3]).toMatchObject({ proof: { file: expect.stringContaining("shop.md"), lines: 1 } });
  expect(session.filled).toEqual([PHRASE]);
});

test("save-auto: the fresh session is sent its phrase", async () => {
  session.work = () => session.writeShop();
  const { id } = session;
  session.ask("r1", "save-auto");
  await look();
  expect(session.steps("r1", id).at(-1)).toBe("restarted");
  expect(session.submitted[1]).toContain(PHRASE);
});

test("save: it ends when it is saved, and the context stays", async () => {
  session.work = () => session.writeShop();
  session.ask("r1", "save");
  await look();
  expect(session.steps("r1")).toEqual(["queued", "delivered", "saving", "saved"]);
  expect(session.clears).toBe(0);
});

test("a save that is not proven failed, with the reason", async () => {
  for (const kind of ["save", "save-restart"]) {
    session.ask(`r-${kind}`, kind);
    await look();
    expect(session.steps(`r-${kind}`)).toEqual(["queued", "delivered", "saving", "failed"]);
    expect(session.lastReason(`r-${kind}`)).toMatch(/wrote nothing/);
  }
});

test("a fresh start without a pickup file is refused, a mere save is not proven", async () => {
  const other = new FakeSession();
  await other.start();
  await other.prompt("hello");
  other.ask("r1", "save-restart");
  await other.pass(2_500);
  expect(other.steps("r1")).toEqual(["queued", "delivered", "refused"]);
  expect(other.lastReason("r1")).toMatch(/pickup phrase/);
  other.ask("r2", "save");
  await other.pass(2_500);
  expect(other.steps("r2")).toEqual(["queued", "delivered", "saving", "failed"]);
  expect(other.lastReason("r2")).toMatch(/nothing proves/);
});

test.each([
  ["typing", (s: FakeSession) => s.typed("x"), "cancelled", /typing/],
  ["Esc", (s: FakeSession) => s.escape(), "cancelled", /stopped/],
  ["a draft", async (s: FakeSession) => void (s.draft = "hm"), "refused", /draft/],
])("%s: saved, and then the reason why no fresh start follows", async (_what, happens, end, reason) => {
  session.work = async () => {
    await session.writeShop();
    await happens(session);
  };
  session.ask("r1", "save-restart");
  await look();
  expect(session.steps("r1")).toEqual(["queued", "delivered", "saving", "saved", end]);
  expect(session.lastReason("r1")).toMatch(reason);
  expect(session.clears).toBe(0);
});

test.each(["save-restart", "save-auto"])(
  "%s of a session at work: it saves once its turn has ended, goes on, and keeps its context",
  async (kind) => {
    session.work = async () => {
      session.work = () => session.writeShop();
      session.ask("r1", kind);
      await look();
      // A running turn is not disturbed.
      expect(session.submitted).toEqual([]);
    };
    await session.prompt("build it");
    await session.pass(4_500);
    expect(session.steps("r1")).toEqual(["queued", "delivered", "saving", "saved", "refused"]);
    expect(session.lastReason("r1")).toMatch(/at work/);
    expect(session.submitted).toHaveLength(1);
    expect(session.submitted[0]).toContain("go on with it after saving");
    expect(session.clears).toBe(0);
    expect(session.filled).toEqual([]);
    // The next one finds it at rest.
    session.ask("r2", "save-restart");
    session.work = () => session.writeShop("- later");
    const { id } = session;
    await look();
    expect(session.steps("r2", id).at(-1)).toBe("restarted");
  },
);

test("asked for just before the turn ended, and seen only afterwards, it is no session at rest", async () => {
  session.work = async () => {
    session.work = () => session.writeShop();
    session.ask("r1", "save-restart");
    session.now += 100;
  };
  await session.prompt("build it");
  await session.pass(4_500);
  expect(session.steps("r1").at(-1)).toBe("refused");
  expect(session.clears).toBe(0);
});

test("what the user stopped is not taken up again after the save", async () => {
  session.work = async () => {
    session.work = async () => {
      session.reason = "answer";
      await session.writeShop();
    };
    session.ask("r1", "save-restart");
    await look();
    session.reason = "aborted";
    await session.escape();
  };
  await session.prompt("build it");
  await session.pass(4_500);
  expect(session.submitted[0]).toContain("do nothing else after saving");
  expect(session.steps("r1").at(-1)).toBe("refused");
  expect(session.clears).toBe(0);
});

test("a cancel is delivered, and the save it is for ends cancelled", async () => {
  session.work = async () => {
    await session.writeShop();
    session.ask("c1", "cancel");
  };
  session.ask("r1", "save-restart");
  await look();
  expect(session.steps("r1")).toEqual(["queued", "delivered", "saving", "saved", "cancelled"]);
  expect(session.steps("c1")).toEqual(["queued", "delivered"]);
});

test("a cancel with nothing planned is refused, and holds for what is asked in the next seconds", async () => {
  session.work = () => session.writeShop();
  session.ask("c1", "cancel");
  await look();
  expect(session.steps("c1")).toEqual(["queued", "refused"]);
  // Two and a half seconds later.
  await session.command("pause", "self");
  await session.pass(300);
  expect(session.clears).toBe(0);
});

test("a cancel of long ago does not hold any more", async () => {
  session.work = () => session.writeShop();
  session.ask("c1", "cancel");
  await look();
  await session.pass(5_000);
  await session.command("pause", "self");
  await session.pass(300);
  expect(session.clears).toBe(1);
});

test("interrupt aborts the turn that runs, also while it runs; without one it is refused", async () => {
  session.ask("i1", "interrupt");
  await look();
  expect(session.steps("i1")).toEqual(["queued", "refused"]);
  session.work = async ({ turnId }) => {
    session.ask("i2", "interrupt");
    await look();
    expect(session.aborted).toEqual([turnId]);
  };
  await session.prompt("build it");
  expect(session.steps("i2")).toEqual(["queued", "delivered"]);
});

test("a prompt is submitted as the user's, once the session rests", async () => {
  session.ask("p1", "prompt", { text: "hello\nthere" });
  await look();
  expect(session.submitted).toEqual(["hello\nthere"]);
  expect(session.steps("p1")).toEqual(["queued", "delivered"]);

  session.work = async () => {
    session.work = async () => undefined;
    session.ask("p2", "prompt", { text: "later" });
    await look();
    expect(session.submitted).toHaveLength(1);
  };
  await session.prompt("build it");
  await session.settle();
  expect(session.submitted[1]).toBe("later");
});

test("a save whose conversation ends before it began failed", async () => {
  session.ask("r1", "save-restart");
  jest.spyOn(session, "turn").mockResolvedValue(undefined);
  const { id } = session;
  await session.pass(2_000);
  expect(session.steps("r1")).toEqual(["queued", "delivered"]);
  await session.fire("session.end", { reason: "resume", sessionId: id });
  expect(session.steps("r1", id)).toEqual(["queued", "delivered", "failed"]);
});

test("a second save while one runs is refused", async () => {
  session.work = async () => {
    session.work = async () => undefined;
    session.ask("r2", "save");
    await look();
  };
  session.ask("r1", "save");
  await look();
  expect(session.steps("r2")).toEqual(["refused"]);
  expect(session.lastReason("r2")).toMatch(/already saving/);
});

test("what was answered is not done again, whatever becomes of the files", async () => {
  session.ask("p1", "prompt", { text: "once" });
  await look();
  session.files.delete(`${session.desk}/p1.done.json`);
  session.ask("p1", "prompt", { text: "once" });
  await look();
  expect(session.submitted).toEqual(["once"]);

  // The plugin is loaded anew, and knows it from its store.
  await session.start();
  await look();
  expect(session.submitted).toEqual(["once"]);
});

test("a request that was only queued is taken, and its steps are kept", async () => {
  session.ask("p1", "prompt", { text: "go" });
  session.write(
    `${session.desk}/p1.done.json`,
    '{"version":1,"id":"p1","kind":"prompt","steps":[{"outcome":"queued","at":1}]}',
  );
  await look();
  expect(session.steps("p1")).toEqual(["queued", "delivered"]);
});

test("one that another way delivers is left to it", async () => {
  const outcome = '{"version":1,"id":"p1","kind":"prompt","by":"terminal","steps":[{"outcome":"queued","at":1}]}';
  session.ask("p1", "prompt", { text: "go" });
  session.write(`${session.desk}/p1.done.json`, outcome);
  await look();
  expect(session.submitted).toEqual([]);
  expect(session.text(`${session.desk}/p1.done.json`)).toBe(outcome);
});

test("one that an earlier run of the plugin began is not done twice, and says so", async () => {
  session.ask("r1", "save-restart");
  session.write(
    `${session.desk}/r1.done.json`,
    '{"version":1,"id":"r1","kind":"save-restart","by":"plugin","steps":[{"outcome":"delivered","at":1}]}',
  );
  await look();
  expect(session.submitted).toEqual([]);
  expect(session.steps("r1")).toEqual(["delivered", "failed"]);
});

test.each([
  ["expired", { expiresAt: 1_800_000_000 - 10, at: 1_800_000_000 - 20 }, ["expired"]],
  ["for another id", { id: "p2" }, ["refused"]],
  ["with control characters", { text: "a\u001b" }, ["refused"]],
  ["of another version", { version: 2 }, ["refused"]],
  ["of an unknown kind: no answer either", { kind: "delete" }, []],
])("a request does nothing: %s", async (_what, more, steps) => {
  session.ask("p1", "prompt", { text: "go", ...more });
  await look();
  expect(session.submitted).toEqual([]);
  expect(session.steps("p1")).toEqual(steps);
});

test("a link, a pipe, a file that is elsewhere and one that is too large do nothing", async () => {
  for (const id of ["link", "pipe", "elsewhere", "large"]) session.ask(id, "prompt", { text: "go" });
  const at = (id: string) => `${session.desk}/${id}.json`;
  session.write(at("link"), session.text(at("link")), { isLink: true });
  session.write(at("pipe"), session.text(at("pipe")), { kind: "other" });
  session.realPaths[at("elsewhere")] = "/etc/elsewhere.json";
  session.write(at("large"), `${session.text(at("large"))}${" ".repeat(64 * 1024)}`);
  await look();
  expect(session.submitted).toEqual([]);
});

test("a folder that is a link, or lies behind one, is not looked into", async () => {
  session.ask("p1", "prompt", { text: "go" });
  session.realPaths[session.desk] = "/elsewhere/control/claude/session-1";
  session.realPaths[`${session.desk}/p1.json`] = "/elsewhere/control/claude/session-1/p1.json";
  await look();
  expect(session.submitted).toEqual([]);
});

test("a home behind a link is a home", async () => {
  session.ask("p1", "prompt", { text: "go" });
  session.realPaths[OURS] = "/private/home";
  session.realPaths[session.desk] = "/private/home/control/claude/session-1";
  session.realPaths[`${session.desk}/p1.json`] = "/private/home/control/claude/session-1/p1.json";
  await look();
  expect(session.submitted).toEqual(["go"]);
});

test("of ten thousand files a hundred are looked at, the newest, and the others never", async () => {
  for (let index = 0; index < 10_000; index++) {
    session.write(`${session.desk}/x${index}.json`, "x", { mtimeMs: session.now - 60_000 + index });
  }
  session.ask("p1", "prompt", { text: "go" });
  await look();
  const reads = Object.keys(session.calls).filter((call) => /^read .*\/control\//.test(call));
  expect(reads.length).toBeLessThanOrEqual(100);
  expect(session.submitted).toEqual(["go"]);
  await session.pass(20_000);
  const later = Object.keys(session.calls).filter((call) => /^read .*\/control\//.test(call));
  expect(later.length).toBe(reads.length);
});

test("where nobody asks, a look is one stat", async () => {
  const before = { ...session.calls };
  await session.pass(20_000);
  const changed = Object.keys(session.calls).filter((call) => session.calls[call] !== before[call]);
  expect(changed).toEqual([`stat ${session.desk}`]);
});

test("a folder that did not change is not listed again", async () => {
  session.ask("p1", "prompt", { text: "go" });
  await session.pass(10_000);
  const listed = session.calls[`list ${session.desk}`];
  await session.pass(20_000);
  expect(session.calls[`list ${session.desk}`]).toBe(listed);
  session.ask("p2", "prompt", { text: "more" });
  await look();
  expect(session.submitted).toEqual(["go", "more"]);
});
