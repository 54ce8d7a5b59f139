import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { scratchFolder } from "../../scratch";

const SRC = join(__dirname, "..", "..", "..", "src");

/** Bundles a source as the build does, and gives its path; other users may read it. */
export function built(name: string, entry: { file: string } | { text: string }): string {
  const folder = scratchFolder();
  chmodSync(folder, 0o755);
  const outfile = join(folder, `${name}.js`);
  buildSync({
    ...("file" in entry
      ? { entryPoints: [join(SRC, entry.file)] }
      : { stdin: { contents: entry.text, resolveDir: SRC, loader: "ts" as const } }),
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    define: { AGENT_SESSIONS_VERSION: '"9.8.7"' },
    logLevel: "error",
  });
  return outfile;
}

/** `agent-signal` as it is installed. */
export function builtAgentSignal(): string {
  return built("agent-signal", { file: "cli/agent-signal.ts" });
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

interface RunOptions {
  environment?: Record<string, string>;
  stdin?: string;
  cwd?: string;
  /** Run as another user, by number; only root can. */
  user?: number;
}

/** Runs a built command to its end. */
export function run(script: string, argv: readonly string[], options: RunOptions = {}): Ended {
  const { environment = {}, stdin = "", cwd, user } = options;
  const asUser = user === undefined ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
  const [program = process.execPath, ...rest] = [...asUser, process.execPath, script, ...argv];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    encoding: "utf8",
    input: stdin,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...environment },
    ...(cwd === undefined ? {} : { cwd }),
    timeout: 30_000,
  });
  return { code: status, out: stdout, err: stderr };
}

/** Starts a built command; what it writes can be read from its streams. */
export function start(
  script: string,
  argv: readonly string[],
  environment: Record<string, string>,
  output: "pipe" | "ignore" = "ignore",
): ChildProcess {
  return spawn(process.execPath, [script, ...argv], {
    stdio: ["ignore", output, output === "pipe" ? "inherit" : "ignore"],
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...environment },
  });
}

/** Tests of another user's files need root, who can become somebody else. */
export const testAsRoot: jest.It = process.geteuid?.() === 0 ? test : test.skip;

if (process.geteuid?.() !== 0) console.log("Not root: tests that need a second user are skipped.");
