import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../../src/control/ask";
import { readFiled } from "../../src/control/request-files";
import { requestOutcome } from "../../src/control/request-log";
import { decodeRequest } from "../../src/files/control-request";
import { decodeStopAnswer } from "../../src/files/control-stop-answer";
import { REQUEST_KINDS } from "../../src/session/request";
import type { Session } from "../../src/session/session";
import { scratchFolder } from "../scratch";
import { controlScene, ended, markPlugin, type ControlScene } from "./control-scene";
import { busySessionOf, NOW, sessionOf } from "./session-sample";

const WITH_PLUGIN: Partial<Session> = { plugin: {}, process: { pid: 42, knownAt: NOW - 600 } };

function filesOf(scene: ControlScene, session: Session): string[] {
  const folder = scene.control.requests(session);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function stopAnswerOf(scene: ControlScene, session: Session) {
  const path = scene.control.stopAnswer(session);
  return existsSync(path) ? decodeStopAnswer(readFileSync(path, "utf8")) : undefined;
}

describe("a session with the plugin", () => {
  test.each(REQUEST_KINDS)("gets the request as a file: %s", async (kind) => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    const answer = await ask(session, { kind, ...(kind === "prompt" ? { text: "hi" } : {}) }, scene);
    expect(answer).toEqual({
      outcome: "reached",
      request: { id: "id-001", kind, by: "plugin", steps: [{ outcome: "queued", at: NOW }] },
    });
    const file = join(scene.control.requests(session), "id-001.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(decodeRequest(readFileSync(file, "utf8"))).toEqual({
      outcome: "request",
      request: {
        id: "id-001",
        kind,
        ...(kind === "prompt" ? { text: "hi" } : {}),
        author: "command",
        at: NOW,
        expiresAt: NOW + (kind === "cancel" || kind === "interrupt" ? 60 : 600),
      },
    });
    expect(scene.ran).toEqual([]);
  });

  test("that is busy is asked the same way: the plugin knows when", async () => {
    const scene = controlScene();
    const session = busySessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    expect(await ask(session, { kind: "save" }, scene)).toEqual({
      outcome: "reached",
      request: expect.objectContaining({ by: "plugin" }) as object,
    });
    expect(stopAnswerOf(scene, session)).toBeUndefined();
  });

  test.each(["save-restart", "save-auto"] as const)(
    "that is busy is asked for %s, and it is said that it only saves",
    async (kind) => {
      const scene = controlScene();
      const session = busySessionOf(WITH_PLUGIN);
      markPlugin(scene, session.sessionId);
      expect(await ask(session, { kind }, scene)).toMatchObject({
        request: { kind, by: "plugin" },
        note: expect.stringContaining("keeps its context") as string,
      });
    },
  );

  test.each([
    ["its process is gone", { look: "gone" }],
    ["nobody knows whether its process runs", { look: "unknown" }],
    ["its mark is of another process", { mark: { pid: 43 } }],
    ["its mark is damaged", { mark: { version: 9 } }],
    ["its mark is gone", { mark: undefined }],
    ["the observer saw no mark", { session: { plugin: undefined } }],
  ] as const)("is not asked by a file when %s", async (_what, given) => {
    const scene = controlScene();
    const { look = "running", session: changes = {} } = given as {
      look?: "gone" | "unknown";
      session?: Partial<Session>;
    };
    scene.processes.look = () => Promise.resolve(look);
    const session = sessionOf({ ...WITH_PLUGIN, ...changes });
    if (!("mark" in given) || given.mark !== undefined) {
      markPlugin(scene, session.sessionId, "mark" in given ? given.mark : {});
    }
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(filesOf(scene, session)).toEqual([]);
  });

  test("a link in place of the mark counts for none", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    const path = scene.control.pluginMark(session);
    const text = readFileSync(path, "utf8");
    rmSync(path);
    const elsewhere = join(scratchFolder(), "mark");
    writeFileSync(elsewhere, text);
    (await import("node:fs")).symlinkSync(elsewhere, path);
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
  });
});

describe("one request at a time", () => {
  test("a second one is refused while the first runs or was just made, and takes its place when nobody began it", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    await ask(session, { kind: "save" }, scene);
    scene.clock.now = NOW + 59;
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(await ask(session, { kind: "prompt", text: "hi" }, scene)).toMatchObject({ outcome: "refused" });
    // Stopping is not more work.
    expect(await ask(session, { kind: "interrupt" }, scene)).toMatchObject({ outcome: "reached" });
    scene.clock.now = NOW + 60;
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "reached" });
    expect(requestOutcome(scene.home, session, "id-001")?.steps.at(-1)).toEqual({
      outcome: "cancelled",
      at: NOW + 60,
      reason: "another request took its place",
    });
    expect(filesOf(scene, session)).not.toContain("id-001.json");
  });

  test("one that was begun is not replaced until nothing was heard of it for half an hour", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    await ask(session, { kind: "save" }, scene);
    const done = { version: 1, id: "id-001", kind: "save", by: "plugin", steps: [{ outcome: "saving", at: NOW + 1 }] };
    writeFileSync(join(scene.control.requests(session), "id-001.done.json"), JSON.stringify(done));
    scene.clock.now = NOW + 1800;
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("saving") as string,
    });
    scene.clock.now = NOW + 1801;
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "reached" });
  });

  test("a cancel ends what the plugin has not taken yet, and is there for what it has", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    await ask(session, { kind: "save-restart" }, scene);
    // What it would say to the cancel itself, that nothing is planned, is not what became of it.
    expect(await ask(session, { kind: "cancel" }, scene)).toMatchObject({
      outcome: "reached",
      request: { id: "id-001", kind: "save-restart", steps: [{ outcome: "queued" }, { outcome: "cancelled" }] },
    });
    expect(filesOf(scene, session)).toEqual(["id-001.done.json", "id-002.json"]);
    expect(requestOutcome(scene.home, session, "id-001")?.steps.at(-1)?.outcome).toBe("cancelled");
    const begun = {
      version: 1,
      id: "id-003",
      kind: "save-restart",
      by: "plugin",
      steps: [{ outcome: "saving", at: NOW }],
    };
    await ask(session, { kind: "save-restart" }, scene);
    writeFileSync(join(scene.control.requests(session), "id-003.done.json"), JSON.stringify(begun));
    expect(await ask(session, { kind: "cancel" }, scene)).toMatchObject({ request: { id: "id-004", kind: "cancel" } });
    expect(requestOutcome(scene.home, session, "id-003")?.steps.at(-1)?.outcome).toBe("saving");
  });

  test("two that ask at the same time: one reaches it", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    const answers = await Promise.all([1, 2, 3].map(() => ask(session, { kind: "save" }, scene)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["reached", "refused", "refused"]);
  });
});

describe("a busy session without the plugin", () => {
  test.each(["claude", "codex"])("of %s is asked at the end of its turn", async (agent) => {
    const scene = controlScene();
    const session = busySessionOf({ agent });
    scene.shown.set(session.id, session);
    const answer = await ask(session, { kind: "save" }, scene);
    expect(answer).toMatchObject({ outcome: "reached", request: { by: "stop-hook", steps: [{ outcome: "queued" }] } });
    const stop = stopAnswerOf(scene, session);
    expect(stop?.expiresAt).toBe(NOW + 600);
    expect(JSON.parse(stop?.printed ?? "")).toEqual({
      decision: "block",
      reason: expect.stringContaining("go on with that") as string,
    });
    expect(statSync(scene.control.stopAnswer(session)).mode & 0o777).toBe(0o600);
    // A receiver that comes later finds nothing to take.
    expect(filesOf(scene, session)).toEqual(["id-001.sent"]);
  });

  test("only saves where it was to start fresh, and says why", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    expect(await ask(session, { kind: "save-restart" }, scene)).toMatchObject({
      outcome: "reached",
      request: { kind: "save" },
      note: expect.stringContaining("needs the plugin") as string,
    });
  });

  test("gets a message the same way", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    await ask(session, { kind: "prompt", text: 'say "hi"' }, scene);
    expect(JSON.parse(stopAnswerOf(scene, session)?.printed ?? "")).toEqual({ decision: "block", reason: 'say "hi"' });
  });

  test("is asked in German where the locale is", async () => {
    const scene = controlScene({ environment: { LANG: "de_CH.UTF-8", HOME: "/home/dev" } });
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    await ask(session, { kind: "save" }, scene);
    expect(stopAnswerOf(scene, session)?.printed).toContain("Bitte schreib jetzt");
  });

  test("is told its memory file, and what that holds is noted without its words", async () => {
    const project = scratchFolder();
    mkdirSync(join(project, "memory"));
    writeFileSync(join(project, "memory", "MEMORY.md"), "- [Shop](shop.md) 🔑 `shop pickup`\n");
    writeFileSync(join(project, "memory", "shop.md"), "private line\n");
    const scene = controlScene({
      transcriptOf: () => ({ path: join(project, "4f2e.jsonl"), prompts: ["Shop pickup"] }),
    });
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    await ask(session, { kind: "save" }, scene);
    expect(stopAnswerOf(scene, session)?.printed).toContain(join(project, "memory", "shop.md"));
    const note = readFileSync(join(scene.control.requests(session), "id-001.sent"), "utf8");
    expect(note).toContain("shop.md");
    expect(note).not.toContain("private");
  });

  test("whose turn ends meanwhile is asked by the next way, and no answer is left behind", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.shown.set(session.id, sessionOf());
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(stopAnswerOf(scene, session)).toBeUndefined();
    expect(filesOf(scene, session)).toEqual([]);
  });

  test("whose turn ends with the answer has it", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.refresh = () => {
      rmSync(scene.control.stopAnswer(session));
      return Promise.resolve(sessionOf());
    };
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({
      outcome: "reached",
      request: { steps: [{ outcome: "queued" }, { outcome: "delivered" }] },
    });
  });

  test.each([
    ["its hooks do not report here", { evidence: [] }],
    ["it is Gemini", { agent: "gemini" }],
    ["its id is no plain name", { sessionId: "a b" }],
    ["what it does cannot be read", { unreadableSince: NOW }],
  ] satisfies [string, Partial<Session>][])("is not asked so when %s", async (_what, changes) => {
    const scene = controlScene();
    const session = { ...busySessionOf(), ...changes };
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(existsSync(join(scene.control.path, "stop"))).toBe(false);
  });

  test("can be asked anew after a minute: the last one who asked is the one", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    await ask(session, { kind: "save" }, scene);
    scene.clock.now = NOW + 61;
    await ask(session, { kind: "prompt", text: "another" }, scene);
    expect(stopAnswerOf(scene, session)?.printed).toContain("another");
    expect(requestOutcome(scene.home, session, "id-001")?.steps.at(-1)?.outcome).toBe("cancelled");
  });

  test("what was not delivered yet can be taken back", async () => {
    const scene = controlScene();
    const session = busySessionOf();
    scene.shown.set(session.id, session);
    expect(await ask(session, { kind: "cancel" }, scene)).toMatchObject({ outcome: "refused" });
    await ask(session, { kind: "save" }, scene);
    expect(await ask(session, { kind: "cancel" }, scene)).toMatchObject({
      outcome: "reached",
      request: { id: "id-001", kind: "save", steps: [{ outcome: "queued" }, { outcome: "cancelled" }] },
    });
    expect(stopAnswerOf(scene, session)).toBeUndefined();
    await ask(session, { kind: "save" }, scene);
    rmSync(scene.control.stopAnswer(session));
    expect(await ask(session, { kind: "cancel" }, scene)).toMatchObject({ outcome: "refused" });
  });
});

describe("Codex's queue", () => {
  const THREAD = "0199d1f2-1d47-76fc-99e3-ee42f99623d5";
  const codexOf = (given: Partial<Session> = {}) => sessionOf({ agent: "codex", sessionId: THREAD, ...given });

  test("takes the text as one argument", async () => {
    const scene = controlScene();
    scene.run = (command) => {
      scene.ran.push(command);
      return Promise.resolve(ended());
    };
    const session = codexOf({ configDirectory: "/home/dev/.codex-work" });
    const text = "--dangerously $(id); `id`\nnext";
    expect(await ask(session, { kind: "prompt", text }, scene)).toMatchObject({
      outcome: "reached",
      request: { by: "codex-queue", steps: [{ outcome: "queued" }, { outcome: "delivered" }] },
    });
    expect(scene.ran).toMatchObject([
      {
        program: "codex",
        parameters: ["queue", `--thread=${THREAD}`, `--message=${text}`],
        environment: { CODEX_HOME: "/home/dev/.codex-work" },
      },
    ]);
  });

  test("that refuses leaves the next way open; one that does not end may have it", async () => {
    const scene = controlScene();
    scene.run = () => Promise.resolve(ended("", 1, "no such thread"));
    const session = codexOf();
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("no such thread") as string,
    });
    expect(filesOf(scene, session)).toEqual([]);
    scene.run = () => Promise.resolve(ended("", null));
    expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(requestOutcome(scene.home, session, "id-002")?.steps.at(-1)?.outcome).toBe("failed");
  });

  test.each([
    ["an id that could be another thread's name", { sessionId: "work" }],
    ["an ended session", { state: "dormant" }],
    ["a session at a dialog", { state: "waiting" }],
  ] satisfies [string, Partial<Session>][])("gets nothing for %s", async (_what, changes) => {
    const scene = controlScene();
    expect(await ask(codexOf(changes), { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    expect(scene.ran).toEqual([]);
  });
});

describe("opencode's server", () => {
  const session = sessionOf({ agent: "opencode", sessionId: "ses_1", process: { pid: 42, knownAt: NOW - 60 } });
  const sceneWith = (...words: string[]) => {
    const scene = controlScene();
    scene.processes.argumentsOf = () => ["opencode", ...words];
    scene.askServer = (request) => {
      scene.asked.push(request);
      return Promise.resolve(
        request.method === "GET" ? { status: 200, text: '{"id":"ses_1"}' } : { status: 204, text: "" },
      );
    };
    return scene;
  };

  test.each([
    [["--port", "4096"], "http://127.0.0.1:4096"],
    [["--port=4096", "--hostname=localhost"], "http://localhost:4096"],
    [["--hostname", "::1", "--port", "4096"], "http://[::1]:4096"],
  ])("of %j gets the text", async (words, server) => {
    const scene = sceneWith(...words);
    expect(await ask(session, { kind: "prompt", text: "hi" }, scene)).toMatchObject({
      outcome: "reached",
      request: { by: "opencode", steps: [{ outcome: "queued" }, { outcome: "delivered" }] },
    });
    expect(scene.asked).toEqual([
      { url: `${server}/session/ses_1`, method: "GET" },
      { url: `${server}/session/ses_1/prompt_async`, method: "POST", body: { parts: [{ type: "text", text: "hi" }] } },
    ]);
  });

  test("stops a turn", async () => {
    const scene = sceneWith("--port", "4096");
    expect(await ask(session, { kind: "interrupt" }, scene)).toMatchObject({ outcome: "reached" });
    expect(scene.asked.at(-1)).toEqual({ url: "http://127.0.0.1:4096/session/ses_1/abort", method: "POST" });
  });

  test.each([
    ["no port", []],
    ["port 0, which is any", ["--port", "0"]],
    ["every address", ["--port", "4096", "--hostname", "0.0.0.0"]],
    ["another machine", ["--port", "4096", "--hostname=example.com"]],
    ["something behind the port", ["--port", "4096@example.com"]],
  ])("is not asked with %s", async (_what, words) => {
    const scene = sceneWith(...words);
    expect(await ask(session, { kind: "prompt", text: "hi" }, scene)).toMatchObject({ outcome: "refused" });
    expect(scene.asked).toEqual([]);
  });

  test("that is another one's, or wants a password, gets no text", async () => {
    for (const answer of [
      { status: 200, text: "<html>" },
      { status: 401, text: "" },
      { status: 404, text: "" },
    ]) {
      const scene = sceneWith("--port", "4096");
      scene.askServer = (request) => {
        scene.asked.push(request);
        return Promise.resolve(answer);
      };
      expect(await ask(session, { kind: "prompt", text: "hi" }, scene)).toMatchObject({ outcome: "refused" });
      expect(scene.asked.map(({ method }) => method)).toEqual(["GET"]);
    }
  });
});

describe("nobody is asked", () => {
  test.each([
    ["at a dialog", { state: "waiting" }],
    ["at a question", { state: "decision" }],
    ["at a dialog by its registry", { live: { status: "waiting" } }],
    ["that has ended", { state: "dormant" }],
  ] satisfies [string, Partial<Session>][])("a session %s, with the plugin or without", async (_what, changes) => {
    const scene = controlScene();
    for (const kind of ["save", "save-restart", "save-auto", "prompt"] as const) {
      for (const session of [sessionOf({ ...WITH_PLUGIN, ...changes }), sessionOf(changes)]) {
        markPlugin(scene, session.sessionId);
        const asked = { kind, ...(kind === "prompt" ? { text: "yes" } : {}) };
        expect(await ask(session, asked, scene)).toMatchObject({
          outcome: "refused",
          reason: expect.stringMatching(/./) as string,
        });
      }
    }
    expect(existsSync(scene.control.path)).toBe(false);
  });

  test("an id that can be no file, an agent that can be no folder", async () => {
    const scene = controlScene();
    for (const session of [sessionOf({ sessionId: "x".repeat(300) }), sessionOf({ agent: "stop" })]) {
      expect(await ask(session, { kind: "save" }, scene)).toMatchObject({ outcome: "refused" });
    }
  });

  test("a hostile id stays a name", async () => {
    const scene = controlScene();
    const session = sessionOf({ ...WITH_PLUGIN, sessionId: "../../../etc/passwd" });
    markPlugin(scene, session.sessionId);
    await ask(session, { kind: "save" }, scene);
    expect(readdirSync(join(scene.control.path, "claude"))).toEqual(["%2E.%2F..%2F..%2Fetc%2Fpasswd"]);
    expect(readFiled(scene.control.requests(session), "id-001")?.request?.kind).toBe("save");
  });

  test("where nothing may be written, that is the reason", async () => {
    const scene = controlScene();
    const session = sessionOf(WITH_PLUGIN);
    markPlugin(scene, session.sessionId);
    mkdirSync(scene.control.path, { mode: 0o700 });
    (await import("node:fs")).chmodSync(scene.control.path, 0o777);
    await expect(ask(session, { kind: "save" }, scene)).rejects.toThrow("can be written to by others");
  });
});
