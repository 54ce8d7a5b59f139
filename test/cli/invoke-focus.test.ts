import { invokeFocus, invokeResume, openOffered } from "../../src/cli/invoke-focus";
import type { Invoker } from "../../src/cli/invoker";
import { SessionsError } from "../../src/session/failure";
import type { SessionRecord } from "../../src/session/record";
import { SessionStore } from "../../src/store/session-store";
import { FakeMachine, line } from "../terminals/fake-machine";
import { AgentFiles } from "../views/agent-files";
import { FakeCommand } from "../views/fake-command";
import { installCommand } from "./installed";

const NOW = 1_800_000_000;

let installed: string;

beforeAll(() => {
  installed = installCommand();
});

function invokerFor({ places }: AgentFiles, more: Partial<Invoker> = {}): Invoker {
  const { home, statusDirectory, signalStateFile } = places;
  return { preferences: { home, statusDirectory, signalStateFile }, ...more };
}

/** Sessions of which nothing tells the terminal. */
function unplaced(): AgentFiles {
  const files = new AgentFiles();
  files.status("4f2e", "idle", { ts: NOW - 100, cwd: "/nowhere/shop" });
  files.status("c0de", "dormant", { ts: NOW - 300, cwd: "/nowhere/shop", agent: "codex" });
  files.status("a1de", "idle", { ts: NOW - 300, agent: "aider" });
  return files;
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) =>
    error instanceof SessionsError ? error.message : `not ours: ${String(error)}`,
  );
}

describe("in this process and through the installed command", () => {
  test.each(["4f2e", "claude:4f2e", "c0de", "a1de", "gone", "", "--help", "$(touch x)", "line\nbreak"])(
    "going to %j comes to the same",
    async (id) => {
      const here = await outcomeOf(invokeFocus(id, invokerFor(unplaced())));
      expect(await outcomeOf(invokeFocus(id, invokerFor(unplaced(), { commandPath: installed })))).toEqual(here);
    },
  );

  test.each<[id: string, terminal: string | undefined]>([
    ["c0de", undefined],
    ["c0de", "kitty"],
    ["c0de", "-x"],
    ["a1de", undefined],
    ["gone", "tmux"],
  ])("resuming %j in %j comes to the same", async (id, terminal) => {
    const here = await outcomeOf(invokeResume(id, terminal, invokerFor(unplaced())));
    expect(await outcomeOf(invokeResume(id, terminal, invokerFor(unplaced(), { commandPath: installed })))).toEqual(
      here,
    );
  });

  test("what is offered is the same: the reason, and the command that resumes", async () => {
    for (const commandPath of [undefined, installed]) {
      expect(await invokeFocus("4f2e", invokerFor(unplaced(), { commandPath }))).toEqual({
        id: "claude:4f2e",
        outcome: "uncertain",
        what: "Nothing was brought forward.",
        reason: "Nothing tells which terminal it runs in.",
        offers: [
          {
            kind: "resume",
            title: "Copy Resume Command",
            text: expect.stringContaining("claude --resume 4f2e") as string,
          },
        ],
      });
    }
  });
});

describe("in this process", () => {
  /** A session in iTerm2 whose answer is unread. */
  function inIterm(): AgentFiles {
    const files = new AgentFiles();
    const record: SessionRecord = {
      agent: "claude",
      sessionId: "eeee-1",
      phase: "done",
      waits: [],
      state: "done",
      since: NOW - 30,
      eventAt: NOW - 30,
      event: "Stop",
      calls: [],
      subagents: [],
      background: {},
      monitors: {},
      doneAt: NOW - 30,
      pid: 10,
      pidKnownAt: NOW - 100,
    };
    new SessionStore(files.places.home).save({ record, folded: [] });
    return files;
  }

  const iterm = () =>
    new FakeMachine({
      table: line(
        "/dev/ttys003",
        [10, "claude"],
        [9, "-zsh"],
        [8, "/Applications/iTerm.app/Contents/MacOS/iTerm2"],
      ).map((each) => ({ ...each, startedAt: NOW - 200 })),
    });

  test("a session that is in front is read", async () => {
    const files = inIterm();
    const machine = iterm().answer("osascript", "done\n");
    const invoker = invokerFor(files, { machine, clock: () => NOW * 1000, processes: { look: () => "running" } });
    expect(await invokeFocus("claude:eeee-1", invoker)).toMatchObject({ outcome: "focused", offers: [] });
    expect(Object.keys(files.marks().sessions)).toEqual(["claude:eeee-1"]);
  });

  test("one that its terminal does not have is not read", async () => {
    const files = inIterm();
    const machine = iterm().answer("osascript", "missing\n");
    const invoker = invokerFor(files, { machine, clock: () => NOW * 1000, processes: { look: () => "running" } });
    expect(await invokeFocus("claude:eeee-1", invoker)).toMatchObject({ outcome: "uncertain" });
    expect(files.marks().sessions).toEqual({});
  });

  test("resumes in the terminal that is named, with the command line as an argument", async () => {
    const files = new AgentFiles();
    files.status("4f2e", "dormant", { ts: NOW - 100, cwd: "/Users/ada/shop" });
    const machine = new FakeMachine().answer("osascript", "done\n");
    const outcome = await invokeResume("claude:4f2e", "iterm2", invokerFor(files, { machine }));
    expect(outcome).toEqual({
      id: "claude:4f2e",
      outcome: "started",
      what: "Resumed in iTerm2.",
      text: "cd /Users/ada/shop && claude --resume 4f2e",
    });
    expect(machine.ran.at(-1)?.at(-1)).toBe("cd /Users/ada/shop && claude --resume 4f2e");
  });

  test("opens an offered terminal by its bundle, and nothing else", async () => {
    const machine = new FakeMachine();
    await openOffered({ title: "Open iTerm2" }, invokerFor(new AgentFiles(), { machine }));
    expect(machine.ran).toEqual([["/usr/bin/open", "-b", "com.googlecode.iterm2"]]);
    for (const title of ["Open /bin/sh", "iTerm2", "", "Open iTerm2; touch x"]) {
      await expect(openOffered({ title }, invokerFor(new AgentFiles(), { machine }))).rejects.toMatchObject({
        code: "refused",
      });
    }
    expect(machine.ran).toHaveLength(1);
    machine.answer("open", { code: 1, stderr: "Unable to find application\nmore" });
    await expect(openOffered({ title: "Open iTerm2" }, invokerFor(new AgentFiles(), { machine }))).rejects.toThrow(
      "iTerm2 did not open: Unable to find application.",
    );
  });
});

describe("the installed command", () => {
  const GONE = { id: "x", outcome: "uncertain", what: "Nothing.", reason: "Not known.", offers: [] };

  test.each<[string, { out?: unknown; err?: string; code?: number }]>([
    ["garbage", { out: "hello" }],
    ["nothing", {}],
    ["an outcome it does not know", { out: { ...GONE, outcome: "done" } }],
    ["JSON of another kind, and fails", { out: { changed: [] }, code: 1 }],
    ["an older command's answer", { out: { id: "x", outcome: "focused" } }],
  ])("that prints %s did not answer", async (_name, answer) => {
    const { path } = new FakeCommand({ focus: answer, resume: answer });
    const invoker = invokerFor(new AgentFiles(), { commandPath: path });
    for (const work of [() => invokeFocus("x", invoker), () => invokeResume("x", undefined, invoker)]) {
      await expect(work()).rejects.toThrow(`${path} did not answer as agent-sessions does.`);
    }
  });

  test("that fails with an outcome has answered; one that fails with words has failed", async () => {
    const told = new FakeCommand({ focus: { out: GONE, code: 1 } });
    expect(await invokeFocus("x", invokerFor(new AgentFiles(), { commandPath: told.path }))).toMatchObject({
      outcome: "uncertain",
      reason: "Not known.",
    });
    const failed = new FakeCommand({ focus: { err: "agent-sessions: It is broken.\n", code: 1 } });
    await expect(invokeFocus("x", invokerFor(new AgentFiles(), { commandPath: failed.path }))).rejects.toThrow(
      /^It is broken\.$/,
    );
    const usage = new FakeCommand({ focus: { out: GONE, err: "error: unknown option\n", code: 2 } });
    await expect(invokeFocus("x", invokerFor(new AgentFiles(), { commandPath: usage.path }))).rejects.toThrow(
      "unknown option",
    );
  });

  test("nothing it offers is run: a terminal that is not known, and a command line that is none, are left out", async () => {
    const offers = [
      { kind: "open-app", title: "Open Calculator", text: null },
      { kind: "resume", title: "Copy Resume Command", text: null },
      { kind: "open-app", title: "Open WezTerm", text: "rm -rf ~" },
    ];
    const { path } = new FakeCommand({ focus: { out: { ...GONE, offers }, code: 1 } });
    const { offers: taken } = await invokeFocus("x", invokerFor(new AgentFiles(), { commandPath: path }));
    expect(taken.map(({ title }) => title)).toEqual(["Open WezTerm"]);
  });
});
