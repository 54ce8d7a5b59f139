import type { TerminalFacts } from "../../src/session/terminal-facts";
import type { Argv, Call } from "../../src/terminals/focus-plan";
import type { Machine, RunResult } from "../../src/terminals/machine";
import { ProcessTree, type RunningProcess } from "../../src/terminals/process-tree";

/** What a program does when it is run: what it prints, a status other than 0, or that it is not there. */
export type Answer = string | { code: number; stderr?: string } | "absent";

/** A machine of a test: what it has is given, and what was run is kept. */
export class FakeMachine implements Machine {
  platform: NodeJS.Platform = "darwin";
  display?: string;
  shell = "/bin/zsh";
  home = "/Users/ada";
  /** The processes; undefined as on Windows. */
  table: RunningProcess[] | undefined = [];
  facts = new Map<number, TerminalFacts>();
  sockets: string[] = [];
  foreign = new Set<string>();
  installed = new Set<string>();
  folders = new Set<string>(["/Users/ada/shop"]);
  readonly ran: Argv[] = [];
  readonly calls: Call[] = [];
  readonly startedCalls: Call[] = [];
  private readonly answers: { matches: (line: string) => boolean; answer: Answer }[] = [];

  constructor(given: Partial<Pick<FakeMachine, "platform" | "display" | "table" | "sockets" | "installed">> = {}) {
    Object.assign(this, given);
  }

  /** Says what a program answers when its command line holds a text; what is said last counts first. */
  answer(part: string, answer: Answer): this {
    this.answers.unshift({ matches: (line) => line.includes(part), answer });
    return this;
  }

  /** What was run that changes something: not the questions. */
  get acts(): Argv[] {
    const questions = ["list-panes", "list-clients", "list", "ls", "-ls", "getwindowpid", "-l"];
    return this.ran.filter((argv) => !argv.some((word) => questions.includes(word)));
  }

  async processes(): Promise<ProcessTree | undefined> {
    return this.table === undefined ? undefined : new ProcessTree(this.table);
  }

  async factsOf(pid: number): Promise<TerminalFacts | undefined> {
    return this.facts.get(pid);
  }

  tmuxSockets(): readonly string[] {
    return this.sockets;
  }

  ownsSocket(path: string): boolean {
    return !this.foreign.has(path);
  }

  isFolder(path: string): boolean {
    return this.folders.has(path);
  }

  has(program: string): boolean {
    return this.installed.has(program);
  }

  async run(call: Call): Promise<RunResult> {
    this.ran.push(call.argv);
    this.calls.push(call);
    return this.resultOf(call);
  }

  async start(call: Call): Promise<RunResult> {
    this.startedCalls.push(call);
    return this.resultOf(call);
  }

  private resultOf({ argv }: Call): RunResult {
    const line = argv.join(" ");
    const answer = this.answers.find(({ matches }) => matches(line))?.answer ?? "";
    if (answer === "absent") return { outcome: "absent" };
    if (typeof answer === "string") return { outcome: "ended", code: 0, stdout: answer, stderr: "" };
    return { outcome: "ended", code: answer.code, stdout: "", stderr: answer.stderr ?? "" };
  }
}

/** Processes from the inside out, each the parent of the one before, with a terminal device for the first. */
export function line(tty: string | undefined, ...commands: readonly (readonly [pid: number, command: string])[]) {
  return commands.map(([pid, command], index): RunningProcess => {
    const parent = commands[index + 1]?.[0] ?? 1;
    return { pid, parent, command, startedAt: 100, ...(index === 0 && tty !== undefined ? { tty } : {}) };
  });
}

/** Texts that do harm where they are taken for more than data. */
export const HOSTILE: readonly string[] = [
  "'; rm -rf ~; '",
  '"; rm -rf ~; "',
  "$(touch /tmp/pwned)",
  "`touch /tmp/pwned`",
  "#(touch /tmp/pwned)",
  "#{pane_id}",
  "a; touch /tmp/pwned",
  "a;",
  "-rf",
  "--help",
  "a b",
  "\\",
  "a\\'; touch /tmp/pwned; '",
  "a\nb",
  "a\rb",
  "a\u0000b",
  "\u001b]0;x\u0007",
  "\u202egpj.exe",
  '" & (do shell script "touch /tmp/pwned") & "',
  "\u2019; touch pwned; \u2019",
  "../../etc",
  "%0;kill-server",
  "",
];
