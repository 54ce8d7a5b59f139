import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildSync } from "esbuild";
import { scratchFolder } from "../scratch";
import type { FileFault, Step } from "./file-faults";

const ROOT = resolve(__dirname, "..", "..");
const RECORD = join(ROOT, "assets", "bin", "record");
/** A command of ours; sources of ours that are run in a process of their own, which starts sooner; the recorder. */
export type Program = "agent-sessions" | "agent-signal" | { name: string; source: string } | "record";

/** A command line, and in which surroundings it runs. */
export interface Call {
  program: Program;
  argv: readonly string[];
  environment: Readonly<Record<string, string>>;
  stdin?: string;
  cwd?: string;
  /** A command in front of all. */
  prefix?: readonly string[];
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

const scripts = new Map<string, string>();

/**
 * The path of a command: as `npm run build` made it where `FAULT_BUILD` names the folder, else bundled from the sources.
 * Other users may run it.
 */
export function scriptOf(program: Exclude<Program, "record">): string {
  const name = typeof program === "string" ? program : program.name;
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const folder = scratchFolder();
  const script = join(folder, "build", `${name}.js`);
  const given = process.env.FAULT_BUILD;
  if (given !== undefined && typeof program === "string")
    cpSync(resolve(ROOT, given), dirname(script), { recursive: true });
  else bundle(typeof program === "string" ? `import "./cli/${name}";` : program.source, script);
  // What is shipped lies beside the bundle's folder.
  cpSync(join(ROOT, "assets"), join(folder, "assets"), { recursive: true });
  chmodSync(folder, 0o755);
  scripts.set(name, script);
  return script;
}

function bundle(contents: string, outfile: string): void {
  buildSync({
    stdin: { contents, resolveDir: join(ROOT, "src"), loader: "ts" },
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    define: { AGENT_SESSIONS_VERSION: '"9.8.7"' },
    logLevel: "error",
  });
}

let preload: string | undefined;

/** The path of what is loaded before a command that is to fail. */
function preloadPath(): string {
  if (preload !== undefined) return preload;
  const folder = scratchFolder();
  preload = join(folder, "fault-preload.js");
  buildSync({
    entryPoints: [join(__dirname, "fault-preload.ts")],
    outfile: preload,
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  chmodSync(folder, 0o755);
  return preload;
}

function lineOf({ program, argv, environment, prefix = [] }: Call, fault?: FileFault, log?: string) {
  const told =
    fault === undefined ? {} : { FAULT_FILE: JSON.stringify(fault), ...(log === undefined ? {} : { FAULT_LOG: log }) };
  const loaded = fault === undefined ? [] : ["--require", preloadPath()];
  const started = program === "record" ? ["/bin/sh", RECORD] : [process.execPath, ...loaded, scriptOf(program)];
  const [command = "", ...given] = [...prefix, ...started, ...argv];
  return { command, given, env: { PATH: "/usr/bin:/bin", LANG: "en_US.UTF-8", ...environment, ...told } };
}

/** Runs a command to its end. */
export function run(call: Call, fault?: FileFault, log?: string): Ended {
  const { command, given, env } = lineOf(call, fault, log);
  const { status, signal, stdout, stderr, error } = spawnSync(command, given, {
    encoding: "utf8",
    input: call.stdin ?? "",
    cwd: call.cwd,
    env,
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  if (error !== undefined && !("code" in error && error.code === "EPIPE")) throw error;
  return { code: status, signal, out: stdout, err: stderr };
}

/** The file operations of a command, in their order. */
export function stepsOf(call: Call, fault: Omit<FileFault, "at">): Step[] {
  const log = join(scratchFolder(), "steps");
  run(call, { ...fault, at: 0 }, log);
  const steps: Step[] = JSON.parse(readFileSync(log, "utf8"));
  return steps;
}

/** A command that runs on. */
export interface Running {
  /** What it wrote until now. */
  out(): string;
  err(): string;
  /** How it ended; undefined while it runs. */
  ended(): Pick<Ended, "code" | "signal"> | undefined;
  /** Its end, with everything it wrote. */
  end: Promise<Ended>;
  /** Kills it with all it started. */
  stop(): Promise<Ended>;
}

/** Starts a command. */
export function start(call: Call, fault?: FileFault): Running {
  const { command, given, env } = lineOf(call, fault);
  const child = spawn(command, given, { cwd: call.cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  let ended: Pick<Ended, "code" | "signal"> | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined).end(call.stdin ?? "");
  const end = new Promise<Ended>((settle, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      ended = { code, signal };
      settle({ code, signal, out, err });
    });
  });
  const stop = () => {
    // The whole group: what it started must not go on alone.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, "SIGKILL");
    }
    return end;
  };
  return { out: () => out, err: () => err, ended: () => ended, end, stop };
}

/** Runs a command and kills it after a time, with all it started; it may have ended before. */
export async function runFor(call: Call, milliseconds: number): Promise<Ended> {
  const running = start(call);
  const timer = new AbortController();
  void setTimeout(milliseconds, undefined, { signal: timer.signal }).then(running.stop, () => undefined);
  const ended = await running.end;
  timer.abort();
  return ended;
}
