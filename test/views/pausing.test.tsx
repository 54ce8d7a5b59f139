import * as fc from "fast-check";
import { askSessions } from "../../src/cli/verbs/ask-sessions";
import type { Session } from "../../src/session/session";
import { STATES } from "../../src/session/state";
import { takeSnapshot } from "../../src/cli/take-snapshot";
import { pausePlan } from "../../src/views/pausing/pause-plan";
import { cliIo } from "../cli-io";
import { action, actions, all, cleanup, eventually, host, one, run, titleOf, Toast, type Node } from "../host";
import { launch } from "../host/launch";
import { propertyRuns } from "../property-runs";
import { AgentFiles, now } from "./agent-files";
import { filed, tell } from "./control-files";
import { FakeCommand } from "./fake-command";
import { FirstLook } from "./first-look";
import { row, rows, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

const NOW = 1_800_000_000;

let files: AgentFiles;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

async function open(how?: string): Promise<Node> {
  const { root } = await launch("pause-sessions", how === undefined ? {} : { arguments: { how } });
  await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
  return root;
}

/** Sessions of every kind: warm, at work, cold, at a dialog, ended, without an answer told. */
function everyKind(): void {
  const at = now();
  files.status("warm", "idle", { title: "Warm", done_at: at - 570 });
  files.status("busy", "working", { title: "Busy" });
  files.status("cold", "idle", { title: "Cold", done_at: at - 7200 });
  files.status("asks", "waiting", { title: "Asks", done_at: at - 600 });
  files.status("ended", "dormant", { title: "Ended", done_at: at - 600 });
  files.status("strange", "idle", { title: "Strange", agent: "amp", done_at: at - 600 });
}

function reporting(given: Record<string, unknown>): FakeCommand {
  const out = { kind: "save", reached: [], leftOut: [], refused: [], ...given };
  const command = new FakeCommand({ pause: { out, code: 1 } });
  files.prefer({ commandPath: command.path });
  return command;
}

describe("the list", () => {
  test("says whom it will reach, whom not and why, before anybody is asked", async () => {
    everyKind();
    const root = await open();
    expect(sections(root)).toEqual({
      "Will Be Asked": ["Warm", "Busy"],
      "Not Woken": ["Cold", "Strange"],
      "Not Asked": ["Asks"],
    });
    const note = (title: string) => row(root, title).props.subtitle;
    expect(note("Warm")).toBe("Warm, 50m left");
    expect(note("Cold")).toBe("Cold for 2h: waking it sends its whole context anew");
    expect(note("Strange")).toBe("Whether it is still cached is not known: waking it sends its whole context anew");
    expect(note("Asks")).toBe("It waits for you at a dialog: answer that first");
    expect(host.alerts).toEqual([]);
  });

  test("Enter asks those that are shown, and says what came of it", async () => {
    everyKind();
    const request = filed("save");
    const command = reporting({
      reached: [{ id: "claude:warm", title: "Warm", request }],
      refused: [{ id: "claude:busy", title: "Busy", reason: "no way leads there" }],
    });
    tell(files, "warm", request, "queued", "saved");
    const root = await open();
    await run(action(row(root, "Cold"), "Pause 2 Sessions"));
    expect(command.calls).toEqual([["pause", "--json", "--", "claude:warm", "claude:busy"]]);
    expect(host.toasts.map(({ style, title, message }) => ({ style, title, message }))).toEqual([
      { style: Toast.Style.Failure, title: "Saved: 1 of 2", message: "Busy: no way leads there" },
    ]);
  });

  test("rows show how far each came", async () => {
    everyKind();
    const root = await open();
    tell(files, "warm", filed("save"), "queued", "saving");
    await eventually(() =>
      expect(row(root, "Warm").props.accessories).toEqual([{ text: "saving …", tooltip: "Request: saving …" }]),
    );
    expect(sections(root)["Not Asked"]).toContain("Warm");
  });

  test("with restart it asks first, naming them", async () => {
    everyKind();
    const command = reporting({ kind: "save-restart", refused: [{ id: "claude:warm", title: "Warm", reason: "no" }] });
    const root = await open("save-restart");
    host.confirm = false;
    const start = action(row(root, "Warm"), "Pause and Restart 2 Sessions");
    await run(start);
    expect(host.alerts).toMatchObject([
      {
        title: "Save and Restart 2 Sessions?",
        message:
          "Warm, Busy. Each saves; once that is proven, its context is cleared and it starts fresh. " +
          "2 of them without the plugin: they only save.",
      },
    ]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    await run(start);
    expect(command.calls).toEqual([["pause", "--json", "--restart", "--", "claude:warm", "claude:busy"]]);
  });

  test("a cold one is woken only when the user says so, told what that costs", async () => {
    everyKind();
    const command = reporting({ refused: [{ id: "claude:cold", title: "Cold", reason: "no" }] });
    const root = await open();
    expect(actions(row(root, "Warm")).map(titleOf)).not.toContain("Wake and Pause This Session");
    host.confirm = false;
    await run(action(row(root, "Cold"), "Wake and Pause This Session"));
    expect(host.alerts).toMatchObject([
      { title: "Wake Cold?", message: "Cold for 2h: waking it sends its whole context anew." },
    ]);
    expect(command.calls).toEqual([]);
    host.confirm = true;
    await run(action(row(root, "Cold"), "Wake and Pause This Session"));
    expect(command.calls).toEqual([["pause", "--json", "--include-cold", "--", "claude:cold"]]);
  });

  test("with nobody to ask there is no action that asks", async () => {
    files.status("cold", "idle", { title: "Cold", done_at: now() - 7200 });
    const root = await open();
    expect(actions(row(root, "Cold")).map(titleOf)).toEqual(["Wake and Pause This Session", "Refresh"]);
  });

  test("nothing is open: it says so; a refresh looks anew", async () => {
    files.status("ended", "dormant", { title: "Ended" });
    const root = await open();
    expect(one(root, "List.EmptyView").props.title).toBe("No Open Session");
    files.status("cold", "idle", { title: "Cold", done_at: now() - 7200 });
    await eventually(() => expect(rows(root)).toEqual(["Cold"]));
    expect(one(root, "List.EmptyView").props).toMatchObject({
      title: "No Matching Sessions",
      description: "Change the search. All warm sessions are asked, whatever the search shows.",
    });
    files.status("warm", "idle", { title: "Warm", done_at: now() - 60 });
    await run(action(row(root, "Cold"), "Refresh"));
    expect(rows(root)).toEqual(["Warm", "Cold"]);
  });

  test("sessions that cannot be read are said, with the way on", async () => {
    files.status("warm", "idle", { title: "Warm", done_at: now() - 60 });
    const look = new FirstLook();
    const { root } = await launch("pause-sessions");
    expect(one(root, "List").props.isLoading).toBe(true);
    look.fail(new Error("The disk is gone."));
    await eventually(() => expect(one(root, "List").props.isLoading).toBe(false));
    expect(one(root, "List.EmptyView").props).toMatchObject({
      title: "Sessions Cannot Be Read",
      description: "The disk is gone. Correct it, or name another folder in the preferences.",
    });
    look.goOn();
    await run(action(one(root, "List.EmptyView"), "Refresh"));
    await eventually(() => expect(rows(root)).toEqual(["Warm"]));
    jest.restoreAllMocks();
  });

  test("a thousand", async () => {
    for (let n = 0; n < 1000; n += 1) files.status(`s${n}`, "working", { title: `Session ${n}` });
    const root = await open();
    expect(rows(root)).toHaveLength(1000);
    expect(actions(all(root, "List.Item")[0] ?? root).map(titleOf)[0]).toBe("Pause 1000 Sessions");
  });
});

describe("the plan", () => {
  test("asks exactly whom the command's pause --all would, and gives a reason for all others", async () => {
    everyKind();
    const io = cliIo(files.places);
    const { sessions, at } = await takeSnapshot(io);
    const plan = pausePlan(sessions, at);
    const { reached, refused, leftOut } = await askSessions({ kind: "save", sessions: "all" }, io, {
      run: () => Promise.resolve({ outcome: "missing" }),
    });
    const ids = (given: readonly { id: string }[]) => given.map(({ id }) => id).sort();
    const grouped = (group: string) => ids(plan.filter((each) => each.group === group).map(({ session }) => session));
    expect(grouped("cold")).toEqual(ids(leftOut));
    expect([...grouped("asked"), ...grouped("left-out")].sort()).toEqual(ids([...reached, ...refused]));
    expect(refused.find(({ id }) => id === "claude:asks")?.reason).toContain("dialog");
  });

  test("never asks one that has ended, is at a dialog or is cold, and leaves none out without a reason", () => {
    const session = fc.record({
      state: fc.constantFrom(...STATES),
      agent: fc.constantFrom("claude", "codex", "amp"),
      doneAt: fc.option(fc.integer({ min: NOW - 9000, max: NOW }), { nil: undefined }),
      headless: fc.option(fc.constant(true), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(session, { maxLength: 8 }), (given) => {
        const sessions = given.map(({ doneAt, headless, ...each }, index): Session => ({
          id: `${each.agent}:${index}`,
          sessionId: String(index),
          since: NOW - 60,
          title: "t",
          unread: false,
          needsYou: false,
          subagents: 0,
          sources: [],
          evidence: [],
          ...each,
          ...(doneAt === undefined ? {} : { doneAt }),
          ...(headless === undefined ? {} : { headless }),
        }));
        const plan = pausePlan(sessions, NOW);
        const open = sessions.filter(({ state, headless }) => state !== "dormant" && headless !== true);
        expect(plan.map(({ session: { id } }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
        for (const { session: each, group, note } of plan) {
          expect(note).not.toBe("");
          if (group !== "asked") continue;
          expect(["waiting", "decision", "dormant"]).not.toContain(each.state);
          const isBusy = ["working", "compacting", "waitingForSubagents"].includes(each.state);
          expect(isBusy || (each.doneAt !== undefined && each.doneAt > NOW - 3600)).toBe(true);
        }
      }),
      propertyRuns(300),
    );
  });
});
