import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { reasonOf } from "../session/failure";
import type { Environment } from "../store/places";

/** A program to run without a shell: data are arguments, or come on its input. */
export interface Command {
  program: string;
  parameters: readonly string[];
  /** What it reads. */
  input?: string;
  /** Variables it needs beside the usual ones. */
  environment?: Environment;
  /** How long it may take, in milliseconds. */
  timeout?: number;
}

/** What came of it. `missing`: there is no such program; `code` is null for one that was ended. */
export type CommandResult =
  { outcome: "ended"; code: number | null; stdout: string; stderr: string } | { outcome: "missing" };

export type RunProgram = (command: Command) => Promise<CommandResult>;

const TIMEOUT_MS = 5_000;
const OUTPUT_LIMIT = 4 * 1024 * 1024;

/**
 * What every program gets of our environment: where the user's things are and how they speak. Nothing that belongs to
 * the session that may have started us: an agent would take itself for that one's part.
 */
const PASSED = [
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LC_MESSAGES",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "PATHEXT",
] as const;

/** Where programs lie that a launcher's PATH does not have. */
const FURTHER = [
  "/opt/homebrew/bin",
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/Applications/kitty.app/Contents/MacOS",
  "/Applications/WezTerm.app/Contents/MacOS",
];
const FURTHER_OF_USER = [".local/bin", ".opencode/bin", ".bun/bin", ".npm-global/bin", ".volta/bin"];

/** The folders in which programs are looked for: the PATH, then where they usually lie. */
export function programFolders(environment: Environment): string[] {
  const user = environment.HOME?.trim() || homedir();
  const named = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return Array.from(new Set([...named, ...FURTHER, ...FURTHER_OF_USER.map((folder) => join(user, folder))]));
}

/** Runs programs of this machine, each with an environment of its own. */
export function programRunner(environment: Environment): RunProgram {
  const folders = programFolders(environment);
  const passed: Record<string, string> = { PATH: folders.join(delimiter) };
  for (const name of PASSED) {
    const value = environment[name];
    if (value !== undefined) passed[name] = value;
  }
  return ({ program, parameters, input, environment: own = {}, timeout = TIMEOUT_MS }) => {
    const path = isAbsolute(program) ? program : findProgram(program, folders);
    if (path === undefined) return Promise.resolve({ outcome: "missing" });
    return new Promise((fulfill) => {
      const options = {
        timeout,
        killSignal: "SIGKILL" as const,
        maxBuffer: OUTPUT_LIMIT,
        windowsHide: true,
        env: { ...passed, ...own },
        cwd: passed.HOME ?? homedir(),
      };
      try {
        const child = execFile(path, [...parameters], options, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
          fulfill({ outcome: "ended", code, stdout, stderr: stderr === "" ? (error?.message ?? "") : stderr });
        });
        // One that ends without reading its input breaks the pipe; its code tells what went wrong.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(input ?? "");
      } catch (error) {
        // An argument that no command line can hold.
        fulfill({ outcome: "ended", code: null, stdout: "", stderr: reasonOf(error) });
      }
    });
  };
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  const endings = process.platform === "win32" ? [".exe"] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What a program said when it failed, on one line of a person's length: its error, before its warnings. */
export function saidBy({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const lines = `${stderr}\n${stdout}`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return (lines.find((line) => /^error\b/i.test(line)) ?? lines[0] ?? "").slice(0, 200);
}
