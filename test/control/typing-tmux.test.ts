import { machineSurroundings } from "../../src/control/machine";
import type { ControlSurroundings } from "../../src/control/surroundings";
import { pressEscape, typeText } from "../../src/control/typing";
import type { Session } from "../../src/session/session";
import { scratchFolder } from "../scratch";
import { FakeTerminal, HAS_TMUX } from "./fake-terminal";
import { sessionOf } from "./session-sample";

const withTmux = HAS_TMUX && process.platform === "linux" ? describe : describe.skip;

withTmux("in a real tmux", () => {
  let terminal: FakeTerminal;
  let pid: number;
  let session: Session;
  /** What a new look shows. */
  let shown: (Session | undefined)[];

  const surroundings = (): ControlSurroundings => ({
    ...machineSurroundings({
      home: scratchFolder(),
      environment: { PATH: process.env.PATH, HOME: scratchFolder() },
      author: "command",
      refresh: () => Promise.resolve(shown.length > 1 ? shown.shift() : shown[0]),
    }),
    pause: () => Promise.resolve(),
  });
  const agentOf = (): Session =>
    sessionOf({
      terminal: terminal.facts,
      process: { pid, knownAt: Date.now() / 1000 },
      live: { status: "idle" },
    });

  beforeEach(async () => {
    ({ terminal, pid } = await FakeTerminal.start());
    session = agentOf();
    shown = [session];
  });

  afterEach(() => terminal.stop());

  /** Whatever was typed before the end of this is read by now. */
  const nothingWasSent = async () => {
    await terminal.tmux("send-keys", "-t", terminal.pane, "-l", "~end");
    await terminal.tmux("send-keys", "-t", terminal.pane, "Enter");
    const told = await terminal.next();
    expect(told).toEqual({ sent: expect.stringMatching(/~end$/) as string });
    expect(terminal.unread).toEqual([]);
    return "sent" in told ? told.sent.slice(0, -"~end".length) : "";
  };

  test.each([
    "Save where you stand.",
    "ends in a semicolon;",
    "a ; b \\; c;;",
    "-l --looks like an option",
    "it is $HOME `id` $(id) 'quoted' \"too\" #{pane_id} %d",
    "Grüße, 日本語, 🔑",
    "long ".repeat(2000),
  ])("a text is typed once, as it is, into an empty line: %#", async (text) => {
    await terminal.tmux("send-keys", "-t", terminal.pane, "-l", "half a thought");
    expect(await typeText(session, text, surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ sent: text });
    expect(await nothingWasSent()).toBe("");
  });

  test("several lines are one message", async () => {
    const text = "first\n\tsecond\n\nlast; ";
    expect(await typeText(session, text, surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ sent: text });
    expect(await nothingWasSent()).toBe("");
    expect(await terminal.tmux("list-buffers")).toBe("");
  });

  test("a draft of several lines is not sent along, and a shell mode is left", async () => {
    await terminal.tmux("set-buffer", "-b", "draft", "one\n\ntwo two\nthree");
    await terminal.tmux("paste-buffer", "-p", "-d", "-b", "draft", "-t", terminal.pane);
    expect(await typeText(session, "first", surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ sent: "first" });
    await terminal.tmux("send-keys", "-t", terminal.pane, "-l", "!rm -rf");
    expect(await typeText(session, "second", surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ sent: "second" });
  });

  test("the conversation that its process has open by its registry is typed into", async () => {
    const current = { ...session, sameProcess: ["claude:before"] };
    shown = [current];
    expect(await typeText(current, "first", surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ sent: "first" });
  });

  test("an agent whose shell mode could not be left is not typed into", async () => {
    for (const agent of ["gemini", "opencode", "aider"]) {
      expect(await typeText({ ...session, agent }, "one", surroundings())).toMatchObject({ outcome: "refused" });
    }
    expect(await nothingWasSent()).toBe("");
  });

  test("what would be a command of the agent is not typed", async () => {
    for (const text of ["/clear", "!rm -rf ~", "#note", "&task", "@file", "$skill"]) {
      expect(await typeText(session, text, surroundings())).toMatchObject({ outcome: "refused" });
    }
    expect(await nothingWasSent()).toBe("");
  });

  test("nothing is typed into a session that is not certain to wait at its prompt", async () => {
    const others: Record<string, Partial<Session>> = {
      busy: { state: "working", live: { status: "busy" } },
      "busy by its registry alone": { state: "idle", live: { status: "busy" } },
      "waiting at a dialog": { state: "waiting", live: { status: "waiting" } },
      "waiting by its registry alone": { state: "idle", live: { status: "waiting" } },
      asking: { state: "decision" },
      compacting: { state: "compacting" },
      unknown: { state: "unknown" },
      ended: { state: "dormant" },
      headless: { headless: true },
      "in the background": { live: { status: "idle", kind: "background" } },
      "of no certain process": { process: undefined },
      "failed, and no registry tells of it": { state: "failed", live: undefined },
      "not readable": { unreadableSince: 1 },
      "perhaps not the conversation of now": { sameProcess: ["claude:other"], live: undefined },
    };
    for (const [what, changes] of Object.entries(others)) {
      const other = { ...session, ...changes };
      expect([what, await typeText(other, "text", surroundings())]).toMatchObject([what, { outcome: "refused" }]);
      // Nor when that comes out at the last look.
      shown = [other];
      expect([what, await typeText(session, "text", surroundings())]).toMatchObject([what, { outcome: "refused" }]);
    }
    expect(await nothingWasSent()).toBe("");
  });

  test("a dialog that comes up between the text and Enter is not answered", async () => {
    shown = [session, { ...session, state: "waiting", live: { status: "waiting" } }];
    const typed = await typeText(session, "yes", surroundings());
    expect(typed).toMatchObject({ outcome: "failed", reason: expect.stringContaining("not sent") as string });
    expect(await nothingWasSent()).toBe("yes");
  });

  test("a session that is known no more, or has another process, is not typed into", async () => {
    shown = [undefined];
    expect(await typeText(session, "text", surroundings())).toMatchObject({ outcome: "refused" });
    shown = [{ ...session, process: { pid: pid + 1, knownAt: 1 } }];
    expect(await typeText(session, "text", surroundings())).toMatchObject({ outcome: "refused" });
    expect(await nothingWasSent()).toBe("");
  });

  test("a pane that is scrolled back takes no text", async () => {
    await terminal.tmux("copy-mode", "-t", terminal.pane);
    expect(await typeText(session, "text", surroundings())).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("copy mode") as string,
    });
    await terminal.tmux("send-keys", "-t", terminal.pane, "-X", "cancel");
    expect(await nothingWasSent()).toBe("");
  });

  test("a window that types into all panes takes no text", async () => {
    await terminal.tmux("set-option", "-w", "-t", terminal.pane, "synchronize-panes", "on");
    expect(await typeText(session, "text", surroundings())).toMatchObject({ outcome: "refused" });
  });

  test("another pane than the agent's is not typed into: a stale place", async () => {
    const other = (await terminal.tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "cat")).trim();
    const stale = { ...session, terminal: { ...terminal.facts, TMUX_PANE: other } };
    shown = [stale];
    expect(await typeText(stale, "text", surroundings())).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("another process") as string,
    });
    expect((await terminal.tmux("capture-pane", "-p", "-t", other)).trim()).toBe("");
  });

  test("a pane that is used by another process by now is not typed into", async () => {
    await terminal.tmux("respawn-pane", "-k", "-t", terminal.pane, "cat");
    expect(await typeText(session, "rm", surroundings())).toMatchObject({ outcome: "refused" });
    expect((await terminal.tmux("capture-pane", "-p", "-t", terminal.pane)).trim()).toBe("");
  });

  test("a stopped agent's shell is not typed into", async () => {
    process.kill(pid, "SIGSTOP");
    // The shell takes the terminal back, and says so.
    while (!/Stopped|\[1\]/.test(await terminal.tmux("capture-pane", "-p", "-t", terminal.pane)));
    expect(await typeText(session, "touch pwned", surroundings())).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("shell") as string,
    });
    expect(await terminal.tmux("capture-pane", "-p", "-t", terminal.pane)).not.toContain("pwned");
    process.kill(pid, "SIGCONT");
  });

  test("a place that is gone, or none, is not typed into", async () => {
    const places: Record<string, string>[] = [
      { TMUX_PANE: "%99" },
      { TMUX: "/nowhere/tmux,1,0" },
      { TMUX_PANE: "%0;kill-server" },
      { TMUX_PANE: "0" },
      { TMUX: "kill-server" },
    ];
    for (const facts of places) {
      const lost = { ...session, terminal: { ...terminal.facts, ...facts } };
      shown = [lost];
      expect([facts, await typeText(lost, "text", surroundings())]).toMatchObject([facts, { outcome: "refused" }]);
    }
    expect(await nothingWasSent()).toBe("");
  });

  test("Escape reaches a session whose registry says busy, and no other", async () => {
    const busy: Session = { ...session, state: "working", live: { status: "busy" } };
    shown = [busy];
    expect(await pressEscape(busy, surroundings())).toEqual({ outcome: "typed" });
    expect(await terminal.next()).toEqual({ escape: true });
    for (const state of ["waiting", "decision", "idle"] as const) {
      const other: Session = { ...session, state, live: { status: state === "idle" ? "idle" : "waiting" } };
      expect(await pressEscape(other, surroundings())).toMatchObject({ outcome: "refused" });
      shown = [other];
      expect(await pressEscape(busy, surroundings())).toMatchObject({ outcome: "refused" });
    }
    expect(await nothingWasSent()).toBe("");
  });
});
