import { existsSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { focusSession } from "../../src/terminals/focus";
import type { Whereabouts } from "../../src/terminals/place";
import { resumeSession } from "../../src/terminals/resume";
import { hasTmux, TmuxStage, until } from "./tmux-stage";

const describeTmux = hasTmux ? describe : describe.skip;
if (!hasTmux) console.warn("Skipped: these tests need tmux, script and setsid.");

const NOW = () => Date.now() / 1000;

describeTmux("a real tmux", () => {
  let stage: TmuxStage;

  beforeEach(() => {
    stage = new TmuxStage();
  });

  afterEach(() => stage.close());

  /** A session of claude in a pane, with its pid known, as Claude's hooks tell it. */
  function claudeIn(server: string, pane: string, more: Partial<Whereabouts> = {}): Whereabouts {
    const pid = Number(stage.format(server, pane, "#{pane_pid}"));
    return { agent: "claude", process: { pid, knownAt: NOW() }, ...more };
  }

  /** What kitty answers to `ls`: one window, with the process in front of the stage's client. */
  async function kitty(server: string): Promise<void> {
    const machine = stage.machine();
    const tree = await machine.processes();
    const [client] = stage.clients(server);
    const shown = tree?.line(Number(client)).find(({ command }) => command === "kitty");
    stage.program(
      "kitten",
      JSON.stringify([{ id: 1, tabs: [{ id: 1, windows: [{ id: 7, pid: Number(client) || shown?.pid }] }] }]),
    );
  }

  const inKitty = { KITTY_WINDOW_ID: "7", KITTY_LISTEN_ON: "unix:@test" };

  test("the pane is selected, and the client that shows another session is switched to it", async () => {
    stage.pane("a", ["new-session", "-s", "first", "-x", "80", "-y", "24"], "sleep", "1000");
    stage.pane("a", ["new-session", "-s", "second", "-x", "80", "-y", "24"], "sleep", "1000");
    const wanted = stage.pane("a", ["new-window", "-t", "second:"], "claude", "1000");
    stage.pane("a", ["split-window", "-t", wanted], "sleep", "1000");
    stage.pane("a", ["new-window", "-t", "second:"], "sleep", "1000");
    await stage.attach("a", "first", inKitty);
    await kitty("a");

    const result = await focusSession(claudeIn("a", wanted), stage.machine());
    expect(result).toEqual({
      outcome: "focused",
      what: `Focused pane ${wanted} in tmux in window 7 in kitty.`,
      offers: [],
    });
    expect(stage.tmux("a", "list-clients", "-F", "#{session_name} #{pane_id}")).toBe(`second ${wanted}`);
    expect(stage.calls("kitten")).toEqual(["@ --to unix:@test ls", "@ --to unix:@test focus-window --match id:7"]);
  });

  test("a pane that was moved to another session and renumbered is found by its process", async () => {
    stage.pane("a", ["new-session", "-s", "first"], "sleep", "1000");
    const wanted = stage.pane("a", ["new-window", "-t", "first:"], "claude", "1000");
    stage.pane("a", ["new-session", "-s", "second"], "sleep", "1000");
    await stage.attach("a", "second", inKitty);
    await kitty("a");
    stage.tmux("a", "move-window", "-s", wanted, "-t", "second:9");

    // What its hooks told is of before.
    const told = { TMUX: `${stage.socket("a")},1,0`, TMUX_PANE: "%999" };
    const result = await focusSession(claudeIn("a", wanted, { terminal: told }), stage.machine());
    expect(result.outcome).toBe("focused");
    expect(stage.tmux("a", "list-clients", "-F", "#{session_name}:#{window_index} #{pane_id}")).toBe(
      `second:9 ${wanted}`,
    );
  });

  test("an agent below a shell in the pane is found as well", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "sh", "-c", "claude 1000; true");
    stage.pane("a", ["new-window", "-t", "first:"], "sleep", "1000");
    await stage.attach("a", "first", inKitty);
    await kitty("a");
    const shell = Number(stage.format("a", wanted, "#{pane_pid}"));
    const childOf = async (pid: number) =>
      Array.from((await stage.machine().processes())?.all() ?? []).find(({ parent }) => parent === pid)?.pid;
    let pid = await childOf(shell);
    while (pid === undefined) pid = await childOf(shell);
    // A shell without job control leads the group: tmux names it, not the agent.
    expect(stage.format("a", wanted, "#{pane_current_command}")).toBe("sh");

    const terminal = { TMUX: `${stage.socket("a")},1,0`, TMUX_PANE: wanted, TERM_PROGRAM: "tmux" };
    for (const session of [{ process: { pid, knownAt: NOW() } }, { terminal }]) {
      stage.tmux("a", "next-window", "-t", "first:");
      expect(await focusSession({ agent: "claude", ...session }, stage.machine())).toMatchObject({
        outcome: "focused",
      });
      expect(stage.tmux("a", "list-clients", "-F", "#{pane_id}")).toBe(wanted);
    }
  });

  test("tmux in tmux: the inner pane, and the pane of the outer one that shows it", async () => {
    const wanted = stage.pane("inner", ["new-session", "-s", "in"], "claude", "1000");
    stage.pane("inner", ["new-window", "-t", "in:"], "sleep", "1000");
    stage.pane("outer", ["new-session", "-s", "out"], "sleep", "1000");
    const shows = stage.pane(
      "outer",
      ["new-window", "-t", "out:"],
      "env",
      "-u",
      "TMUX",
      "tmux",
      "-L",
      "inner",
      "attach",
    );
    stage.pane("outer", ["new-window", "-t", "out:"], "sleep", "1000");
    await until(() => stage.clients("inner").length === 1);
    await stage.attach("outer", "out", inKitty);
    await kitty("outer");

    const result = await focusSession(claudeIn("inner", wanted), stage.machine());
    expect(result).toMatchObject({
      outcome: "focused",
      what: `Focused pane ${wanted} in tmux in pane ${shows} in tmux in window 7 in kitty.`,
    });
    expect(stage.tmux("inner", "list-clients", "-F", "#{pane_id}")).toBe(wanted);
    expect(stage.tmux("outer", "list-clients", "-F", "#{pane_id}")).toBe(shows);
  });

  test("a session that no terminal shows is selected, and how to attach it is offered", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "claude", "1000");
    stage.pane("a", ["new-window", "-t", "first:"], "sleep", "1000");

    const result = await focusSession(claudeIn("a", wanted), stage.machine());
    expect(result).toMatchObject({
      outcome: "uncertain",
      what: `Selected pane ${wanted} in tmux.`,
      reason: "No terminal shows its tmux session.",
      offers: [{ kind: "attach", text: `tmux -S ${stage.socket("a")} attach-session -t '$0'` }],
    });
    expect(stage.format("a", "first:", "#{pane_id}")).toBe(wanted);
  });

  test("a pane that is gone, with its process: nothing is touched", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "claude", "1000");
    const other = stage.pane("a", ["new-window", "-t", "first:"], "sleep", "1000");
    const session = claudeIn("a", wanted);
    await stage.attach("a", "first", inKitty);
    await kitty("a");
    stage.tmux("a", "kill-pane", "-t", wanted);
    const gone = session.process?.pid ?? -1;
    await until(() => {
      try {
        process.kill(gone, 0);
        return false;
      } catch {
        return true;
      }
    });

    expect(await focusSession(session, stage.machine())).toMatchObject({
      outcome: "uncertain",
      what: "Nothing was brought forward.",
      reason: "Its process has ended.",
    });
    expect(stage.calls("kitten")).toEqual([]);
    expect(stage.format("a", "first:", "#{pane_id}")).toBe(other);
  });

  test("a number that another process has now is not followed", async () => {
    const other = stage.pane("a", ["new-session", "-s", "first"], "sleep", "1000");
    const pid = Number(stage.format("a", other, "#{pane_pid}"));
    const session = { agent: "claude", process: { pid, knownAt: NOW() - 3600 } };
    expect(await focusSession(session, stage.machine())).toMatchObject({
      outcome: "uncertain",
      reason: "Its process has ended; another one has its number now.",
    });
  });

  test("without a process, the pane its hooks told has to run the agent", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "claude", "1000");
    const other = stage.pane("a", ["split-window", "-t", wanted], "sleep", "1000");
    await stage.attach("a", "first", inKitty);
    await kitty("a");
    const told = (pane: string) => ({ TMUX: `${stage.socket("a")},1,0`, TMUX_PANE: pane, TERM_PROGRAM: "tmux" });
    await until(() => stage.format("a", wanted, "#{pane_current_command}") === "claude");

    expect(await focusSession({ agent: "claude", terminal: told(wanted) }, stage.machine())).toMatchObject({
      outcome: "focused",
    });
    expect(stage.format("a", "first:", "#{pane_id}")).toBe(wanted);
    stage.tmux("a", "select-pane", "-t", other);
    for (const [pane, reason] of [
      [other, `Its tmux pane ${other} runs another program now.`],
      ["%999", "Its tmux pane %999 is gone."],
    ] as const) {
      expect(await focusSession({ agent: "claude", terminal: told(pane) }, stage.machine())).toMatchObject({
        outcome: "uncertain",
        reason,
      });
      expect(stage.format("a", "first:", "#{pane_id}")).toBe(other);
    }
  });

  test("a session whose pane its agent's registry tells is found on the usual server", async () => {
    const wanted = stage.pane("default", ["new-session", "-s", "a:@9.%9"], "claude", "1000");
    stage.pane("default", ["new-window", "-t", "$0:"], "sleep", "1000");
    await until(() => stage.format("default", wanted, "#{pane_current_command}") === "claude");
    await stage.attach("default", "\\$0", inKitty);
    await kitty("default");
    const tmux = stage.format("default", wanted, "#{session_name}:#{window_id}.#{pane_id}");
    expect(await focusSession({ agent: "claude", tmux }, stage.machine())).toMatchObject({ outcome: "focused" });
    expect(stage.format("default", "$0:", "#{pane_id}")).toBe(wanted);
  });

  test("Codex: what its hooks told may be of another terminal, so only its process counts", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "claude", "1000");
    stage.pane("a", ["split-window", "-t", wanted], "sleep", "1000");
    const terminal = { TMUX: `${stage.socket("a")},1,0`, TMUX_PANE: wanted, TERM_PROGRAM: "tmux" };
    expect(await focusSession({ agent: "codex", terminal }, stage.machine())).toMatchObject({
      outcome: "uncertain",
      what: "Nothing was brought forward.",
      reason: expect.stringContaining("several terminals share"),
    });
    const pid = Number(stage.format("a", wanted, "#{pane_pid}"));
    const session = { agent: "codex", terminal, process: { pid, knownAt: NOW() } };
    expect((await focusSession(session, stage.machine())).what).toBe(`Selected pane ${wanted} in tmux.`);
  });

  test("resuming in tmux: a new window where the client is, in the very folder, whatever it is called", async () => {
    const id = "4f2e8190-9a6b-4c3d-8e1f-6a5b4c3d2e1f";
    const note = join(stage.folder, "note");
    unlinkSync(join(stage.programs, "claude"));
    writeFileSync(join(stage.programs, "claude"), `#!/bin/sh\npwd >'${note}'\necho "$*" >>'${note}'\n`, {
      mode: 0o755,
    });
    writeFileSync(join(stage.folder, ".profile"), `PATH='${stage.programs}':$PATH\n`);
    stage.pane("default", ["new-session", "-s", "first"], "sleep", "1000");
    await stage.attach("default", "first", inKitty);

    for (const name of ["#(touch pwned)", "$(touch pwned)", "a; touch pwned;", "it's", "#{pane_id}", "b;"]) {
      const cwd = join(stage.folder, name);
      mkdirSync(cwd);
      const session = { agent: "claude", sessionId: id, cwd, state: "dormant" } as const;
      expect(await resumeSession(session, "tmux", stage.machine())).toMatchObject({ outcome: "started" });
      await until(() => existsSync(note) && readFileSync(note, "utf8").split("\n").length === 3, name);
      expect(readFileSync(note, "utf8")).toBe(`${cwd}\n--resume ${id}\n`);
      // The shell stays when the agent has ended.
      expect(stage.tmux("default", "list-windows", "-t", "first", "-F", "#{window_active}").split("\n").at(-1)).toBe(
        "1",
      );
      rmSync(note);
      expect([cwd, stage.folder].filter((folder) => existsSync(join(folder, "pwned")))).toEqual([]);
    }
    expect(stage.tmux("default", "list-windows", "-t", "first").split("\n")).toHaveLength(7);
  });

  test("the client that was used last and shows the session is the one that is brought forward", async () => {
    const wanted = stage.pane("a", ["new-session", "-s", "first"], "claude", "1000");
    stage.pane("a", ["new-session", "-s", "second"], "sleep", "1000");
    await stage.attach("a", "first", inKitty);
    await stage.attach("a", "second", { ...inKitty, KITTY_WINDOW_ID: "8" });
    stage.program("kitten", "no JSON");
    const result = await focusSession(claudeIn("a", wanted), stage.machine());
    expect(result.what).toBe(`Focused pane ${wanted} in tmux in window 7 in kitty.`);
    expect(stage.tmux("a", "list-clients", "-F", "#{session_name}").split("\n").sort()).toEqual(["first", "second"]);
  });
});
