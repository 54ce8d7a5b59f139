import { SessionsError } from "../../src/session/failure";
import { TERMINAL_FACTS } from "../../src/session/terminal-facts";
import { focusSession, type FocusResult } from "../../src/terminals/focus";
import type { Call } from "../../src/terminals/focus-plan";
import { sessionInFront } from "../../src/terminals/in-front";
import { posixText, powershellText, resumeCommand } from "../../src/terminals/resume-command";
import { resumeSession } from "../../src/terminals/resume";
import { TERMINALS, type TerminalApp } from "../../src/terminals/which-terminal";
import { FakeMachine, line } from "../terminals/fake-machine";
import { part } from "../thoroughness";
import { calmFault } from "./calm";
import { payloadsWith } from "./payloads";

const PLATFORMS = ["darwin", "linux", "win32"] as const;

/** By this every payload is found again, wherever it got to. */
const MARK = "zq7qz";

const payloads = payloadsWith("/tmp/c").map(([name, text]): [string, string] => [name, `${MARK}${text.slice(0, 120)}`]);

/** A machine on which process 10, an agent, runs in a terminal, and every variable of its environment is an enemy's. */
function machineIn(terminal: TerminalApp, platform: (typeof PLATFORMS)[number], text: string): FakeMachine {
  const program =
    platform === "darwin"
      ? `/Applications/${terminal.folders?.[0] ?? "None.app"}/Contents/MacOS/${terminal.processes[0] ?? "program"}`
      : (terminal.processes[0] ?? "none");
  const machine = new FakeMachine({
    platform,
    table: platform === "win32" ? undefined : line("/dev/pts/4", [10, "claude"], [9, "bash"], [7, program]),
    installed: new Set(["xdotool", "wmctrl", "code", "tmux", "x-terminal-emulator", ...terminal.processes]),
  });
  machine.facts.set(10, factsOf(terminal, text));
  machine.display = ":0";
  machine.sockets = ["/tmp/tmux-0/default"];
  machine.folders.add(`/w/${text}`);
  machine.answer("osascript", "done").answer("list-clients", "77 /dev/pts/9 $1 1800000000 0\n");
  return machine;
}

function factsOf({ termProgram = [] }: TerminalApp, text: string): Record<string, string> {
  const facts = Object.fromEntries(TERMINAL_FACTS.map((name) => [name, text]));
  // It is that terminal; everything else it tells is a lie.
  return termProgram[0] === undefined ? facts : { ...facts, TERM_PROGRAM: termProgram[0] };
}

/** Ids and sockets that look right, so that what comes after them is tried, too; one at a time is the enemy's. */
const PLAUSIBLE: Readonly<Record<string, string>> = {
  TMUX: "/tmp/tmux-0/default,5,0",
  TMUX_PANE: "%1",
  STY: "7.main",
  ITERM_SESSION_ID: "w0t0p0:0D8F5C1E-2B7A-4C3D-9E1F-6A5B4C3D2E1F",
  KITTY_WINDOW_ID: "3",
  KITTY_LISTEN_ON: "unix:/tmp/kitty",
  WEZTERM_PANE: "4",
  ZELLIJ_SESSION_NAME: "main",
  ZELLIJ_PANE_ID: "1",
  WINDOWID: "77",
  TERM_SESSION_ID: "0D8F5C1E-2B7A-4C3D-9E1F-6A5B4C3D2E1F",
};

function callsOf(machine: FakeMachine): Call[] {
  return [...machine.calls, ...machine.startedCalls];
}

/** Words that hold the enemy's text: each has to be one that may, as it is. */
function expectOnlyData(machine: FakeMachine, allowed: readonly string[], sources: ReadonlySet<string>): void {
  for (const { argv, environment } of callsOf(machine)) {
    const others = argv.filter((word) => !sources.has(word) && !allowed.includes(word));
    expect([argv, calmFault(others.join(" "))]).toEqual([argv, undefined]);
    expect([argv, /\p{Cc}/u.test(argv.filter((word) => allowed.includes(word)).join(" "))]).toEqual([argv, false]);
    for (const word of [...argv, ...Object.values(environment ?? {})]) {
      if (word?.includes(MARK) === true) expect(allowed).toContain(word);
    }
    if (argv[0] === "/usr/bin/osascript") {
      // The source of a script is the same whatever its data are.
      expect([argv.slice(0, 2), sources.has(argv[2] ?? ""), argv[3] ?? "--"]).toEqual([
        ["/usr/bin/osascript", "-e"],
        true,
        "--",
      ]);
    }
  }
}

/** The sources of the scripts that are run for an ordinary session. */
async function sourcesOf(terminal: TerminalApp): Promise<Set<string>> {
  const sources = new Set<string>();
  for (const text of ["shop", ...Object.values(PLAUSIBLE)]) {
    const machine = machineIn(terminal, "darwin", text);
    machine.facts.set(10, { ...factsOf(terminal, "shop"), ...PLAUSIBLE });
    await focusSession({ agent: "claude", cwd: "/Users/ada/shop", process: { pid: 10, knownAt: 200 } }, machine);
    await sessionInFront([{ agent: "claude", process: { pid: 10, knownAt: 200 } }], machine);
    await resumeSession({ agent: "claude", sessionId: "4f2e", state: "dormant" }, terminal.name, machine).catch(
      () => undefined,
    );
    for (const { argv } of callsOf(machine)) if (argv[0] === "/usr/bin/osascript") sources.add(argv[2] ?? "");
  }
  return sources;
}

function expectTold({ what, reason, offers }: FocusResult): void {
  expect(what).toMatch(/\.$/);
  for (const text of [what, reason ?? "", ...offers.map(({ title }) => title)])
    expect([text, text.includes(MARK)]).toEqual([text, false]);
}

describe.each(TERMINALS.map((terminal): [string, TerminalApp] => [terminal.name, terminal]))(
  "%s",
  (_name, terminal) => {
    test("goes there with words that are its own, or a folder as one of them", async () => {
      const sources = await sourcesOf(terminal);
      for (const platform of PLATFORMS) {
        for (const [index, [, text]] of part(Array.from(payloads.entries()), 6)) {
          const cwd = `/w/${text}`;
          const session = {
            agent: "claude",
            cwd,
            process: { pid: 10, knownAt: 200 },
            terminal: factsOf(terminal, text),
          };
          // Zellij's session may be called as the user likes; it is one word after its option.
          const names = calmFault(text) === undefined ? [text] : [];
          const machine = machineIn(terminal, platform, text);
          expectTold(await focusSession(session, machine));
          expectOnlyData(machine, [cwd, ...names], sources);
          // Without a process only the variables tell, and one of them is the enemy's.
          const variables = Object.keys(PLAUSIBLE);
          const turn = index + PLATFORMS.indexOf(platform) + TERMINALS.indexOf(terminal);
          const [program] = terminal.termProgram ?? [];
          const told = {
            ...PLAUSIBLE,
            ...(program === undefined ? {} : { TERM_PROGRAM: program }),
            [variables[turn % variables.length] ?? ""]: text,
          };
          const other = machineIn(terminal, platform, text);
          other.table = platform === "win32" ? undefined : [];
          expectTold(await focusSession({ agent: "claude", cwd, terminal: told }, other));
          expectOnlyData(other, [cwd, ...names], sources);
        }
      }
    });

    test("takes a session up again with a command line as one word", async () => {
      const sources = await sourcesOf(terminal);
      for (const platform of PLATFORMS) {
        for (const [name, text] of part(payloads, 6)) {
          const cwd = `/w/${text}`;
          const session = { agent: "claude", sessionId: "4f2e", state: "dormant" as const, cwd, configDirectory: cwd };
          const machine = machineIn(terminal, platform, text);
          const isPlain = /^\w[\w.-]*$/.test(text);
          const bad = { ...session, sessionId: isPlain ? `-${text}` : text };
          await expect(resumeSession(bad, terminal.name, machine)).rejects.toThrow(SessionsError);
          let result: Awaited<ReturnType<typeof resumeSession>>;
          try {
            result = await resumeSession(session, terminal.name, machine);
          } catch (error) {
            expect([name, error instanceof SessionsError]).toEqual([name, true]);
            expect(machine.startedCalls).toEqual([]);
            continue;
          }
          const command = resumeCommand(session, machine.home);
          if (command === undefined) throw new Error("claude can be resumed");
          const text1 = posixText(command);
          expect(result.text).toBe(platform === "win32" ? powershellText(command) : text1);
          const encoded = Buffer.from(powershellText(command), "utf16le").toString("base64");
          const link = `warp://action/new_window?path=${cwd.split("/").map(encodeURIComponent).join("/")}`;
          for (const { argv } of callsOf(machine)) {
            expect([
              argv,
              calmFault(
                argv
                  .slice(0, -1)
                  .filter((word) => !sources.has(word))
                  .join(" "),
              ),
            ]).toEqual([argv, undefined]);
            const last = argv.at(-1) ?? "";
            if (argv[0] === "/usr/bin/osascript") expect(sources.has(argv[2] ?? "")).toBe(true);
            if (last.includes(MARK)) expect([text1, `${text1}; exec /bin/zsh -l`, link]).toContain(last);
            else expect([name, last === encoded]).toEqual([name, true]);
            expect(argv.slice(0, -1).join(" ")).not.toContain(MARK);
          }
        }
      }
    });
  },
);
