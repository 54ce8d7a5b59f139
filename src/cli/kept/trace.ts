import fs from "node:fs";
import type { Environment } from "../../store/places";
import { isThere, locksNow, startOf, userNow, versionOf, type Premises, type Version } from "./premises";

/** A run while it is traced. */
export interface Trace {
  /** The environment to give the run: what it reads of it is noted. */
  environment: Environment;
  /** Ends the tracing. What the run depended on; undefined when that cannot be told for sure. */
  end(): Premises | undefined;
}

/** Functions of node:fs that neither look at a path nor change anything. */
const HARMLESS = new Set(["fstatSync", "readSync", "closeSync"]);

/** Flags of an opened file under which nothing is written. */
const READING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0);

type AnyFunction = (...given: unknown[]) => unknown;

/**
 * Traces what a run depends on, by standing between it and node:fs: whatever it looks at is noted, and whatever is not
 * known here makes the premises unsure, so that nothing can be forgotten.
 *
 * @param answers the folder in which answers are kept: keeping one changes it, and it is looked at whenever one is read
 */
export function traced(environment: Environment, answers: string): Trace {
  const notes = new Notes(answers);
  const restore = [...patchFiles(notes), patchKill(notes)];
  return {
    environment: new Proxy(environment, {
      get: (target, name) => {
        const value = typeof name === "string" ? target[name] : undefined;
        if (typeof name === "string") notes.environment.set(name, value ?? null);
        return value;
      },
      has: (target, name) => {
        notes.doubt();
        return name in target;
      },
      ownKeys: (target) => {
        notes.doubt();
        return Reflect.ownKeys(target);
      },
    }),
    end() {
      for (const each of restore) each();
      return notes.premises();
    },
  };
}

/** What was seen so far. */
class Notes {
  readonly environment = new Map<string, string | null>();
  private readonly files = new Map<string, Version | null>();
  private readonly pids = new Set<number>();
  private readonly numbers = new Set<number>();
  private readsLocks = false;
  private isUnsure = false;

  constructor(private readonly answers: string) {}

  /** Something was done whose outcome cannot be told to be the same again. */
  doubt(): void {
    this.isUnsure = true;
  }

  /** @param stats what stands at a path; undefined: nothing */
  saw(path: string, stats: fs.Stats | undefined): void {
    // What a link leads to may change while the link does not.
    if (stats?.isSymbolicLink() === true) this.doubt();
    if (path === this.answers) return;
    const version = stats === undefined ? null : versionOf(stats);
    const before = this.files.get(path);
    if (before !== undefined && String(before) !== String(version)) this.doubt();
    this.files.set(path, version);
  }

  /** A path was read, or a folder listed. */
  read(path: string): void {
    if (path.startsWith("/proc/")) this.readProcess(path);
    else if (!this.files.has(path)) this.saw(path, lstatOf(path));
  }

  number(pid: number): void {
    if (process.platform === "linux") this.pids.add(pid);
    else this.numbers.add(pid);
  }

  private readProcess(path: string): void {
    const [, pid, what] = /^\/proc\/(\d+)\/(stat|cmdline|fd)(?:\/\d+)?$/.exec(path) ?? [];
    if (pid !== undefined && what !== undefined) this.pids.add(Number(pid));
    else if (path === "/proc/locks") this.readsLocks = true;
    // The machine's start and this process's own namespace stay as they are.
    else if (path !== "/proc/stat" && path !== "/proc/self/ns/pid") this.doubt();
  }

  premises(): Premises | undefined {
    if (this.isUnsure) return undefined;
    return {
      files: Array.from(this.files),
      processes: Array.from(this.pids, (pid) => [pid, startOf(pid)]),
      numbers: Array.from(this.numbers, (pid) => [pid, isThere(pid)]),
      locks: this.readsLocks ? locksNow() : null,
      environment: Array.from(this.environment),
      user: userNow(),
    };
  }
}

function lstatOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Puts itself before each function of node:fs; gives what takes each back. */
function patchFiles(notes: Notes): (() => void)[] {
  return Object.entries(fs).flatMap(([name, original]: [string, unknown]) => {
    const isFunction = typeof original === "function" && !/^[A-Z]/.test(name);
    if (!isFunction || HARMLESS.has(name)) return [];
    const call: AnyFunction = (...given) => Reflect.apply(original, fs, given);
    return [replaced(fs, name, watched(name, call, notes))];
  });
}

function watched(name: string, call: AnyFunction, notes: Notes): AnyFunction {
  switch (name) {
    case "lstatSync":
      return (path, ...options) => {
        let stats: unknown;
        try {
          stats = call(path, ...options);
        } catch (error) {
          if (typeof path === "string" && isMissing(error)) notes.saw(path, undefined);
          else notes.doubt();
          throw error;
        }
        if (typeof path !== "string" || (stats !== undefined && !(stats instanceof fs.Stats))) notes.doubt();
        else notes.saw(path, stats);
        return stats;
      };
    case "statSync":
    case "readFileSync":
    case "readdirSync":
    case "readlinkSync":
      return (path, ...options) => {
        if (typeof path === "string") notes.read(path);
        else notes.doubt();
        return call(path, ...options);
      };
    case "openSync":
      return (path, flags, ...mode) => {
        const reads = flags === "r" || (typeof flags === "number" && (flags & ~READING) === 0);
        if (reads && typeof path === "string") notes.read(path);
        else notes.doubt();
        return call(path, flags, ...mode);
      };
    default:
      return (...given) => {
        notes.doubt();
        return call(...given);
      };
  }
}

function patchKill(notes: Notes): () => void {
  const original = process.kill.bind(process);
  return replaced(process, "kill", (pid, signal) => {
    // A run that only looks asks whether somebody is there; it signals nobody.
    if (typeof pid !== "number" || signal !== 0) throw new Error("a run that is traced sends no signal");
    notes.number(pid);
    return original(pid, signal);
  });
}

function replaced(owner: object, name: string, by: AnyFunction): () => void {
  const before: unknown = Reflect.get(owner, name);
  Reflect.set(owner, name, by);
  return () => void Reflect.set(owner, name, before);
}

function isMissing(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
