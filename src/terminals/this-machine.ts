import { execFile, spawn, type ExecFileException } from "node:child_process";
import { accessSync, constants, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { reasonOf } from "../session/failure";
import { TERMINAL_FACTS, type TerminalFacts } from "../session/terminal-facts";
import { isForeign } from "../store/guarded-read";
import type { Call } from "./focus-plan";
import { plainPath } from "./identifiers";
import type { Machine, RunResult } from "./machine";
import { processesOfPs, processOfStat, ProcessTree, type RunningProcess } from "./process-tree";

type Environment = Readonly<Record<string, string | undefined>>;

/** A terminal that has not answered by then will not, in milliseconds. */
const PATIENCE_MS = 5_000;

/** A terminal that runs so long has come up, in milliseconds. */
const STAYS_MS = 700;

const OUTPUT_LIMIT = 4 * 1024 * 1024;

/** More tmux servers than this are not asked. */
const SOCKET_LIMIT = 16;

/** Where the commands of terminals are when a launcher has no shell's PATH. */
const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/Applications/kitty.app/Contents/MacOS",
    "/Applications/WezTerm.app/Contents/MacOS",
    "/Applications/Alacritty.app/Contents/MacOS",
  ],
  linux: ["/usr/local/bin", "/usr/bin", "/bin", "/snap/bin"],
};

/** The variables that are read of a process: the recorder's, and the number of screen's window. */
const READ_FACTS: readonly string[] = [...TERMINAL_FACTS, "WINDOW"];

/** This machine, as the environment of this process shows it. */
export class ThisMachine implements Machine {
  readonly platform = process.platform;
  readonly display?: string;
  readonly shell: string;
  readonly home: string;
  private readonly path: string;
  /** Windows has variables in any case; two of one name would be one too many. */
  private readonly pathName: string;

  constructor(private readonly environment: Environment) {
    if (environment.DISPLAY !== undefined && environment.DISPLAY !== "" && !environment.WAYLAND_DISPLAY) {
      this.display = environment.DISPLAY;
    }
    this.home = environment.HOME || homedir();
    this.shell = plainPath(environment.SHELL) ?? "/bin/sh";
    const names = Object.keys(environment);
    this.pathName = (this.platform === "win32" && names.find((name) => /^path$/i.test(name))) || "PATH";
    const given = (environment[this.pathName] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
    this.path = Array.from(new Set([...given, ...(FOLDERS[this.platform] ?? [])])).join(delimiter);
  }

  async processes(): Promise<ProcessTree | undefined> {
    if (this.platform === "linux") return new ProcessTree(processesOfProc());
    if (this.platform === "win32") return undefined;
    const listed = await this.run({
      argv: ["/bin/ps", "-axo", "pid=,ppid=,tty=,lstart=,comm="],
      environment: { TZ: "UTC0" },
    });
    if (listed.outcome !== "ended" || listed.code !== 0) return undefined;
    return new ProcessTree(processesOfPs(listed.stdout));
  }

  async factsOf(pid: number): Promise<TerminalFacts | undefined> {
    if (this.platform === "linux") return factsOfEnviron(pid);
    if (this.platform !== "darwin") return undefined;
    const told = await this.run({ argv: ["/bin/ps", "-E", "-ww", "-o", "command=", "-p", String(pid)] });
    return told.outcome === "ended" && told.code === 0 ? factsOfPsLine(told.stdout) : undefined;
  }

  tmuxSockets(): readonly string[] {
    const user = process.getuid?.();
    if (user === undefined) return [];
    const folder = join(this.environment.TMUX_TMPDIR || "/tmp", `tmux-${user}`);
    try {
      const names = readdirSync(folder).sort((one, other) => Number(other === "default") - Number(one === "default"));
      return names.slice(0, SOCKET_LIMIT).map((name) => join(folder, name));
    } catch {
      return [];
    }
  }

  ownsSocket(path: string): boolean {
    try {
      const stats = lstatSync(path);
      return stats.isSocket() && !isForeign(stats);
    } catch {
      return false;
    }
  }

  isFolder(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  }

  has(program: string): boolean {
    return this.path.split(delimiter).some((folder) => {
      try {
        accessSync(join(folder, program), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  }

  run({ argv: [program, ...given], environment }: Call): Promise<RunResult> {
    const env = this.environmentWith({ LC_ALL: "C", ...environment });
    return new Promise((fulfill) => {
      try {
        const child = execFile(
          program,
          given,
          { timeout: PATIENCE_MS, killSignal: "SIGKILL", maxBuffer: OUTPUT_LIMIT, windowsHide: true, env, cwd: "/" },
          (error, stdout, stderr) => fulfill(resultOf(error, stdout, stderr)),
        );
        child.stdin?.end();
      } catch (error) {
        // An argument that no command line can hold.
        fulfill({ outcome: "failed", reason: reasonOf(error) });
      }
    });
  }

  start({ argv: [program, ...given], environment }: Call): Promise<RunResult> {
    const inherited = Object.fromEntries(READ_FACTS.map((name) => [name, undefined]));
    const env = this.environmentWith({ ...inherited, ...environment });
    return new Promise((fulfill) => {
      try {
        const child = spawn(program, given, { detached: true, stdio: "ignore", env, cwd: this.home });
        const settle = (result: RunResult) => {
          clearTimeout(stays);
          child.unref();
          fulfill(result);
        };
        const stays = setTimeout(() => settle({ outcome: "ended", code: 0, stdout: "", stderr: "" }), STAYS_MS);
        child.once("error", (error: NodeJS.ErrnoException) =>
          settle(error.code === "ENOENT" ? { outcome: "absent" } : { outcome: "failed", reason: error.message }),
        );
        child.once("exit", (code, signal) =>
          settle(
            code === null
              ? { outcome: "failed", reason: `it ended by ${signal ?? "a signal"}` }
              : { outcome: "ended", code, stdout: "", stderr: "" },
          ),
        );
      } catch (error) {
        fulfill({ outcome: "failed", reason: reasonOf(error) });
      }
    });
  }

  private environmentWith(changes: Environment): Record<string, string> {
    const entries = Object.entries({ ...this.environment, [this.pathName]: this.path, ...changes });
    return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  }
}

function resultOf(error: ExecFileException | null, stdout: string, stderr: string): RunResult {
  if (error === null) return { outcome: "ended", code: 0, stdout, stderr };
  if (typeof error.code === "number") return { outcome: "ended", code: error.code, stdout, stderr };
  if (error.code === "ENOENT") return { outcome: "absent" };
  return { outcome: "failed", reason: error.killed === true ? "it took too long" : error.message };
}

function processesOfProc(): RunningProcess[] {
  const boot = /^btime (\d+)$/m.exec(textOf("/proc/stat") ?? "")?.[1];
  const bootAt = boot === undefined ? undefined : Number(boot);
  return readdirSync("/proc").flatMap((name) => {
    // A process may end while the list is read.
    const stat = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : undefined;
    const process = stat === undefined ? undefined : processOfStat(stat, bootAt);
    return process === undefined ? [] : [process];
  });
}

function factsOfEnviron(pid: number): TerminalFacts | undefined {
  const text = textOf(`/proc/${pid}/environ`);
  if (text === undefined) return undefined;
  const entries = text.split("\0").flatMap((entry) => {
    const equals = entry.indexOf("=");
    const name = entry.slice(0, equals);
    return equals > 0 && equals < entry.length - 1 && READ_FACTS.includes(name)
      ? [[name, entry.slice(equals + 1)]]
      : [];
  });
  return Object.fromEntries(entries);
}

/**
 * The terminal's variables in a line of `ps -E`, which has the arguments, then the environment, all with blanks
 * between. An argument can look like a variable: the last one counts. A value with a blank is cut there, and then no
 * longer looks like what it should.
 */
export function factsOfPsLine(line: string): TerminalFacts {
  const entries = READ_FACTS.flatMap((name) => {
    const values = Array.from(line.matchAll(new RegExp(`(?:^|\\s)${name}=(\\S+)`, "g")), ([, value = ""]) => value);
    const value = values.at(-1);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
