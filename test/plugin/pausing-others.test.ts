import { FakeSession, MEMORY, OURS, PHRASE, SHOP } from "./fake-session";

let session: FakeSession;

beforeEach(async () => {
  session = new FakeSession();
  await session.start();
  await session.prompt(`${PHRASE}, please`);
});

/** Another session, which answered so many minutes ago. */
function another(pid: number, minutesAgo: number | undefined, more: Record<string, unknown> = {}): string {
  const sessionId = `other-${pid}`;
  session.list({ pid, sessionId, name: `name-${pid}`, ...more });
  if (minutesAgo !== undefined) session.transcript(sessionId, minutesAgo);
  return sessionId;
}

const withPlugin = (id: string) =>
  session.write(`${OURS}/plugin/${id}.json`, '{"version":1,"at":1,"pickup":"","file":""}');

test("warm sessions are asked, cold and unknown ones are left out and named", async () => {
  const warm = another(1, 10);
  const busy = another(2, 300, { status: "busy" });
  another(3, 56);
  another(4, undefined);
  const answer = await session.command("pause");
  expect(session.sent.map(({ to }) => to).sort()).toEqual([warm, busy].sort());
  expect(session.sent[0]?.text).toContain("[PAUSE-SAVE]");
  expect(session.sent[0]?.text).not.toContain("[PAUSE-FRESH]");
  expect(answer).toMatch(/saves to shop\.md/);
  expect(answer).toMatch(/Saving too: .*name-1/);
  expect(answer).toMatch(/cold: name-3\./);
  expect(answer).toMatch(/not known whether their cache is warm: name-4\./);
  expect(session.isPaneOpen).toBe(true);
});

test("it does not write to itself, and saves itself a moment later", async () => {
  await session.command("pause");
  expect(session.sent).toEqual([]);
  expect(session.submitted).toEqual([]);
  await session.pass(200);
  expect(session.submitted[0]).toContain(SHOP);
});

test("a mere pause starts nothing fresh", async () => {
  session.work = () => session.writeShop();
  await session.command("pause");
  await session.pass(300);
  expect(session.clears).toBe(0);
  expect(session.toasts).toEqual([]);
});

test("who refuses is named, with the reason, and the others are asked all the same", async () => {
  session.refusals[another(1, 1)] = "it holds\nmessages";
  another(2, 2);
  const answer = await session.command("pause");
  expect(answer).toContain("Not reached: name-1 (it holds messages).");
  expect(answer).toContain("Saving too: name-2.");
});

test("with new, sessions without the plugin only save, and are named", async () => {
  withPlugin(another(1, 1));
  another(2, 2);
  const answer = await session.command("pause", "new");
  expect(session.sent[0]?.text).toContain("[PAUSE-SAVE] [PAUSE-FRESH]");
  expect(answer).toContain("Without the plugin, so they save and do not start fresh: name-2.");
});

test("a dead process is no session, and neither is another one with its id", async () => {
  another(1, 1);
  session.files.delete("/proc/1/stat");
  another(2, 1, { procStart: "77" });
  await session.command("pause");
  expect(session.sent).toEqual([]);
});

test("when the sessions cannot be read, nobody is asked, and the reason is shown", async () => {
  for (const path of [...session.files.keys()]) if (path.includes("/.claude/sessions/")) session.files.delete(path);
  expect(await session.command("pause")).toMatch(/cannot be read: .*ENOENT/);
  await session.pass(300);
  expect(session.submitted).toEqual([]);
});

describe("asked by another session", () => {
  const MESSAGE = `<cross-session-message>Please save. [PAUSE-SAVE] [PAUSE-FRESH]</cross-session-message>`;

  test.each(["peer", "peer-send-message"])("it is told its file, saves and starts fresh: %s", async (origin) => {
    session.work = () => session.writeShop();
    const entered = await session.submit(MESSAGE, origin);
    expect(entered.text).toBe(MESSAGE);
    expect(String(entered.context)).toContain(SHOP);
    expect(String(entered.context)).toContain("do nothing else");
    await session.settle();
    expect(session.clears).toBe(1);
    expect(session.filled).toEqual([PHRASE]);
  });

  test("the marks of seed 002 ask for the same", async () => {
    session.work = () => session.writeShop();
    await session.submit("… [PAUSE-SICHERN] [PAUSE-NEU]", "peer");
    await session.settle();
    expect(session.clears).toBe(1);
  });

  test("without the mark of a fresh start it only saves", async () => {
    session.work = () => session.writeShop();
    await session.submit("… [PAUSE-SAVE]", "peer");
    await session.settle();
    expect(session.clears).toBe(0);
  });

  test("what it does not write, it is not cleared for", async () => {
    session.toasts.length = 0;
    await session.submit(MESSAGE, "peer");
    await session.settle();
    expect(session.clears).toBe(0);
    expect(session.toasts.join()).toMatch(/wrote nothing/);
  });

  test("in the middle of its work it saves, goes on with it, and is not cleared at its end", async () => {
    let context = "";
    session.work = async () => {
      session.work = async () => undefined;
      context = String((await session.submit(MESSAGE, "peer")).context);
      await session.writeShop();
    };
    await session.prompt("build it");
    await session.settle();
    expect(context).toContain("go on with it");
    expect(context).toContain(SHOP);
    expect(session.clears).toBe(0);
    expect(session.toasts.join()).toMatch(/does not start fresh/);

    // Nothing is left of it, either: who only asks for a save later gets only a save.
    session.work = () => session.writeShop("- later");
    await session.submit("… [PAUSE-SAVE]", "peer");
    await session.settle();
    expect(session.clears).toBe(0);
  });

  test("a user who writes the mark asks nobody for anything", async () => {
    session.work = () => session.writeShop();
    const entered = await session.submit(MESSAGE, "composer");
    expect(entered.context).toBeUndefined();
    await session.settle();
    expect(session.clears).toBe(0);
  });

  test("without a pickup file it is told how to go on, and nothing else", async () => {
    session.write(`${MEMORY}/MEMORY.md`, "- nothing");
    session.rows = [{ role: "user", text: "hello" }];
    session.work = () => session.writeShop();
    const entered = await session.submit(MESSAGE, "peer");
    expect(entered.context).toEqual([expect.stringContaining("do nothing else")]);
    await session.settle();
    expect(session.clears).toBe(0);
  });

  test("other messages are left alone", async () => {
    const entered = await session.submit("hello there", "peer");
    expect(entered.context).toBeUndefined();
  });
});

describe("the overview", () => {
  test("it opens and closes with the same command", async () => {
    expect(await session.command("sessions")).toMatch(/open/);
    expect(session.isPaneOpen).toBe(true);
    expect(await session.command("sessions")).toMatch(/closed/);
    expect(session.isPaneOpen).toBe(false);
  });

  test("a row has name, topic, cache, context and version, and says what it does not know", async () => {
    another(1, 10);
    session.write(`${OURS}/plugin/other-1.json`, '{"version":1,"at":1,"pickup":"garden pickup","file":"/g.md"}');
    another(2, undefined);
    another(3, 61);
    await session.command("sessions");
    const pane = await session.pane();
    expect(pane).toMatch(/^4 sessions · 2 warm · /);
    expect(pane).toMatch(/name-1 · warm, 50 min left\n {2}garden pickup\n {2}14k · 2\.1\.332$/m);
    expect(pane).toMatch(/name-2 · last answer unknown\n {2}–\n {2}context unknown · 2\.1\.332 · without plugin/);
    expect(pane).toMatch(/name-3 · ❄ cold for 61 min/);
    expect(pane).toMatch(/this-one \(this one\) · /);
  });

  test("it is read anew every 20 seconds while it is open, and not afterwards", async () => {
    await session.command("sessions");
    const list = `list /home/dev/.claude/sessions`;
    const first = session.calls[list] ?? 0;
    await session.pass(41_000);
    expect(session.calls[list]).toBe(first + 2);
    await session.command("sessions");
    await session.pass(60_000);
    expect(session.calls[list]).toBe(first + 2);
  });

  test("a transcript that did not change is not read again", async () => {
    another(1, 10);
    await session.command("sessions");
    const path = "/home/dev/.claude/projects/-home-dev-work/other-1.jsonl";
    const reads = session.calls[`read ${path}`];
    await session.pass(41_000);
    expect(session.calls[`read ${path}`]).toBe(reads);
    session.transcript("other-1", 0);
    await session.pass(20_000);
    expect(session.calls[`read ${path}`]).toBeGreaterThan(reads ?? 0);
  });

  test("an error takes the place of the rows", async () => {
    another(1, 10);
    await session.command("sessions");
    for (const path of [...session.files.keys()]) if (path.includes("/.claude/sessions/")) session.files.delete(path);
    await session.pass(20_000);
    const pane = await session.pane();
    expect(pane).toMatch(/cannot be read/);
    expect(pane).not.toContain("name-1");
  });

  test("a session that was asked is shown as saving until it rests and has answered", async () => {
    another(1, 10);
    await session.command("pause");
    expect(await session.pane()).toMatch(/name-1[^]*⏳ saving/);
    await session.pass(30_000);
    session.transcript("other-1", 0);
    await session.pass(20_000);
    expect(await session.pane()).toMatch(/name-1[^]*✓ saved/);
  });

  test("where processes cannot be listed, it says that a session may have ended", async () => {
    session.platform = "windows";
    another(1, 10);
    await session.command("sessions");
    expect(await session.pane()).toMatch(/name-1[^]*may have ended/);
  });

  test("on macOS the processes are listed once, when it opens", async () => {
    session.platform = "macos";
    another(1, 10);
    await session.command("sessions");
    await session.pass(41_000);
    expect(session.processes).toEqual([["/bin/ps", "-A", "-o", "pid="]]);
    expect(await session.pane()).not.toContain("name-1");
  });

  test("a process of another container may be anything", async () => {
    session.list({ pid: 4711, sessionId: session.id, name: "this-one", pidDomain: "a" });
    another(1, 10, { pidDomain: "b" });
    session.files.delete("/proc/1/stat");
    await session.command("sessions");
    expect(await session.pane()).toMatch(/name-1[^]*may have ended/);
  });

  test("it speaks German where the locale does", async () => {
    session.env.LC_ALL = "de_DE.UTF-8";
    await session.command("sessions");
    expect(await session.pane()).toMatch(/1 Session · 1 warm/);
    expect(await session.command("pause", "what")).toMatch(/^Aufruf/);
  });
});

describe("the mark", () => {
  const mark = () => session.json(`${OURS}/plugin/${session.id}.json`);

  test("it names phrase and file once they are known, and the last answer", () => {
    expect(mark()).toMatchObject({
      version: 1,
      pickup: PHRASE,
      file: SHOP,
      language: "en",
      pid: 4711,
      context: 14_000,
    });
    expect(mark().lastAnswerAt).toBe(session.now / 1000);
  });

  test("before the first prompt it has neither, and no answer is made up", async () => {
    const other = new FakeSession();
    await other.start();
    const first = other.json(`${OURS}/plugin/session-1.json`);
    expect(first).toMatchObject({ pickup: "", file: "" });
    expect(first).not.toHaveProperty("lastAnswerAt");
  });

  test("a phrase without a file is told, and looked for again in three turns only", async () => {
    const other = new FakeSession();
    await other.start();
    await other.prompt("garden pickup");
    const pickup = () => other.json(`${OURS}/plugin/session-1.json`);
    expect(pickup()).toMatchObject({ pickup: "garden pickup", file: "" });
    await other.prompt("two");
    other.write(`${MEMORY}/MEMORY.md`, "- [Garden](garden.md) 🔑 `garden pickup`");
    await other.prompt("three");
    expect(pickup()).toMatchObject({ file: `${MEMORY}/garden.md` });

    const late = new FakeSession();
    await late.start();
    for (const text of ["garden pickup", "two", "three"]) await late.prompt(text);
    late.write(`${MEMORY}/MEMORY.md`, "- [Garden](garden.md) 🔑 `garden pickup`");
    await late.prompt("four");
    expect(late.json(`${OURS}/plugin/session-1.json`)).toMatchObject({ file: "" });
  });

  test("after /clear by hand the new id has one of its own", async () => {
    await session.fire("session.end", { reason: "clear", sessionId: session.id });
    session.id = "session-9";
    session.rows = [];
    await session.pass(300);
    expect(mark()).toMatchObject({ pickup: "", file: "" });
    expect(mark()).not.toHaveProperty("lastAnswerAt");
    await session.prompt(PHRASE);
    expect(mark()).toMatchObject({ pickup: PHRASE, file: SHOP });
  });

  test("a resumed session has its phrase at once", async () => {
    const other = new FakeSession();
    other.rows = [{ role: "user", text: PHRASE }];
    await other.start();
    expect(other.json(`${OURS}/plugin/session-1.json`)).toMatchObject({ pickup: PHRASE });
  });

  test("the launcher reads it", async () => {
    const { decodePluginMark } = await import("../../src/files/plugin-mark");
    expect(decodePluginMark(session.text(`${OURS}/plugin/${session.id}.json`))).toMatchObject({
      outcome: "mark",
      mark: { pickup: PHRASE, file: SHOP, language: "en", pid: 4711 },
    });
  });
});
