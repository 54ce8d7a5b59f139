import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemCodeOf } from "../../src/session/failure";
import { decodeInboxEntry, type InboxEntry } from "../../src/files/inbox-entry";

/** The recorder as it is shipped. */
export const SCRIPT = resolve(__dirname, "..", "..", "assets", "bin", "record");

/** Shells that can be /bin/sh somewhere; zsh and ksh too, as they are when called so. */
const CANDIDATES: readonly (readonly string[])[] = [
  ["dash"],
  ["busybox", "sh"],
  ["bash", "--posix"],
  ["bash"],
  ["ksh"],
  ["mksh"],
  ["zsh", "--emulate", "sh"],
];

export interface Shell {
  name: string;
  argv: readonly string[];
}

function isThere(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** The shells that this machine has. dash and busybox are the ones that must be. */
export const SHELLS: readonly Shell[] = CANDIDATES.filter(([command = "", ...options]) =>
  isThere(command, ...options, "-c", ":"),
).map((argv) => ({ name: argv.join(" "), argv }));

export const MISSING_SHELLS = CANDIDATES.map((argv) => argv.join(" ")).filter(
  (name) => !SHELLS.some((shell) => shell.name === name),
);

export const hasStrace = isThere("strace", "-o", "/dev/null", "true");
export const hasNamespaces = isThere("unshare", "--pid", "--fork", "true");
// Another user has to reach the recorder, too: a clone in a private folder keeps everybody out.
const asAnotherUser = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] as const;
export const canDropUser = isThere(...asAnotherUser, "test", "-x", SCRIPT);
export const canMount = isThere("sh", "-c", "d=$(mktemp -d) && mount -t tmpfs -o size=64k none $d && umount $d");
export const hasPseudoTerminal = isThere("script", "-qec", "true", "/dev/null");

/** A test that needs what not every machine has; where it is missing, the skipped line says what. */
export function testWhere(isPossible: boolean, need: string): (name: string, run: jest.ProvidesCallback) => void {
  return (name, run) => (isPossible ? test(name, run) : test.skip(`${name} (needs ${need})`, run));
}

export interface RunOptions {
  args?: readonly string[];
  input?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  script?: string;
  shell?: Shell;
  /** Shell code around the recorder, which is `"$@"` in it: redirections, a umask. */
  around?: string;
  /** A command in front of all. */
  prefix?: readonly string[];
  /** It is killed on the way, and so may leave its input unread. */
  isKilled?: boolean;
}

export interface Ran {
  status: number | null;
  signal: NodeJS.Signals | null;
  printed: string;
}

function commandLine({ args = ["claude"], script = SCRIPT, shell, around, prefix = [] }: RunOptions): string[] {
  const recorder = [...(shell?.argv ?? []), script, ...args];
  return [...prefix, ...(around === undefined ? [] : ["sh", "-c", around, "sh"]), ...recorder];
}

/** Runs the recorder to its end, in an environment of only what is given. */
export function run(options: RunOptions): Ran {
  const [command = "", ...rest] = commandLine(options);
  const { status, signal, stdout, stderr, error } = spawnSync(command, rest, {
    input: options.input ?? "",
    env: { PATH: process.env.PATH ?? "", ...options.env },
    cwd: options.cwd,
    timeout: 20_000,
  });
  // A recorder that leaves before all is read makes the writer fail: an agent would report it.
  if (error !== undefined && !(options.isKilled === true && systemCodeOf(error) === "EPIPE")) throw error;
  return { status, signal, printed: `${stdout}${stderr}` };
}

const started: ChildProcess[] = [];

// One that waits for ever is a test that failed; it may not hold up the others.
afterAll(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts the recorder, with its input still open. */
export function start(options: RunOptions & { detached?: boolean }): ChildProcess {
  const [command = "", ...rest] = commandLine(options);
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? "", ...options.env },
    cwd: options.cwd,
    detached: options.detached ?? false,
    stdio: ["pipe", "ignore", "ignore"],
  });
  started.push(child);
  return child;
}

/** How a process ended. */
export function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => settle({ code, signal }));
  });
}

/** What every run has to give, whatever happened in it. */
export const SILENT: Ran = { status: 0, signal: null, printed: "" };

/** An installed copy in a home, with its inbox. */
export function install(home: string): string {
  mkdirSync(join(home, "bin"), { recursive: true, mode: 0o700 });
  mkdirSync(join(home, "inbox"), { mode: 0o700 });
  const script = join(home, "bin", "record");
  copyFileSync(SCRIPT, script);
  chmodSync(script, 0o755);
  return script;
}

export interface Found {
  name: string;
  bytes: Buffer;
  mode: number;
  time: bigint;
  entry: InboxEntry;
}

/** The names in an inbox: those a reader sees, and the hidden ones. */
export function names(home: string): { visible: string[]; hidden: string[] } {
  const inbox = join(home, "inbox");
  const all = lstatSync(inbox, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(inbox).sort() : [];
  return {
    visible: all.filter((name) => !name.startsWith(".")),
    hidden: all.filter((name) => name.startsWith(".")),
  };
}

/** The entries of an inbox, or those of some names, in the order they are folded. Every one has to be readable. */
export function entries(home: string, isMeant: (name: string) => boolean = () => true): Found[] {
  return names(home)
    .visible.filter(isMeant)
    .map((name) => found(join(home, "inbox", name), name))
    .sort((one, other) => Number(one.time - other.time) || (one.name < other.name ? -1 : 1));
}

function found(path: string, name: string): Found {
  const bytes = readFileSync(path);
  const { mode, mtimeNs } = statSync(path, { bigint: true });
  const decoded = decodeInboxEntry(bytes.toString("utf8"), bytes.length);
  if (decoded.outcome === "refused") throw new Error(`${name} ${decoded.reason}`);
  return { name, bytes, mode: Number(mode) & 0o777, time: mtimeNs, entry: decoded.entry };
}

/** The only entry of an inbox, which holds nothing else. */
export function onlyEntry(home: string): Found {
  const [first, ...others] = entries(home);
  if (first === undefined) throw new Error("There is no entry");
  expect([others.map(({ name }) => name), names(home).hidden]).toEqual([[], []]);
  return first;
}

/** The bytes of an entry's payload, as they lie there. */
export function payloadBytes({ bytes }: Found): Buffer {
  return bytes.subarray(bytes.indexOf("\n\n") + 2);
}
