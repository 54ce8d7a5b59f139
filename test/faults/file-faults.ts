import fs from "node:fs";
import { dirname } from "node:path";

/** What goes wrong at which of a program's file operations. */
export interface FileFault {
  /**
   * `kill`: it ends there, just before the operation; `tear`: when the operation is half done. Else the code of the error
   * that it fails with: ENOSPC, EIO, EMFILE, EROFS, …
   */
  does: string;
  /** Which of the operations, from 1 on; 0: none, they are only counted. */
  at: number;
  /** `write` (the default): all that change a disk. `read`: all that look at one. `list`: readdir. `watch`: watching. */
  of?: "write" | "read" | "list" | "watch";
  /** `on`: every later one fails as well, as on a disk that is full. */
  span?: "once" | "on";
}

/** A file operation: its name, and the path it is about, empty where it has a file that is open. */
export interface Step {
  name: string;
  path: string;
}

/** Ends a program at a step; does not come back. */
export type End = () => never;

type Given = readonly unknown[];

const WRITES =
  "openSync writeSync writevSync writeFileSync appendFileSync copyFileSync renameSync linkSync symlinkSync unlinkSync rmSync " +
  "rmdirSync mkdirSync mkdtempSync chmodSync fchmodSync chownSync fchownSync utimesSync futimesSync truncateSync " +
  "ftruncateSync fsyncSync";
const READS =
  "openSync readSync readFileSync readdirSync opendirSync statSync lstatSync fstatSync readlinkSync realpathSync accessSync";

/** The operations of each kind. */
const STEPS: Readonly<Record<NonNullable<FileFault["of"]>, readonly string[]>> = {
  write: WRITES.split(" "),
  read: READS.split(" "),
  list: ["readdirSync", "opendirSync"],
  watch: ["watch", "watchFile"],
};

/** What a disk without room still does. */
const NEEDS_NO_ROOM = /^(unlink|rm|rmdir|f?chmod|f?chown|f?utimes|f?truncate)Sync$/;

/** What half of an operation is, where it has halves. */
const HALVES: ReadonlyMap<string, (given: Given) => void> = new Map([
  ["writeSync", ([file, data, ...rest]) => writeHalf(file, data, rest[2])],
  ["writeFileSync", ([file, data, options]) => writeHalf(opened(file, options), data)],
  ["appendFileSync", ([file, data]) => writeHalf(opened(file, { flag: "a" }), data)],
  ["rmSync", ([path, options]) => removeHalf(String(path), options)],
  ["mkdirSync", ([path, options]) => makeHalf(String(path), options)],
]);

/** Whether an operation can be half done. */
export function hasHalves(name: string): boolean {
  return HALVES.has(name);
}

/**
 * Has this program's file operations go wrong until it is undone.
 *
 * @param end how the program ends at `kill` and `tear`
 * @returns the operations as they come, and what undoes it
 */
export function faultFiles({ does, at, of = "write", span = "once" }: FileFault, end: End) {
  const done: Step[] = [];
  // Within an operation others may be called: the outermost one is the step.
  let isInside = false;
  let isOver = false;
  // Node itself may have taken note of a function while it was another one.
  let isUndone = false;
  const step = (name: string, given: Given) => {
    // Who has ended does nothing more, whoever catches that.
    if (isOver) end();
    if (does === "tear" && !hasHalves(name)) return;
    if (does === "ENOSPC" && NEEDS_NO_ROOM.test(name)) return;
    done.push({ name, path: typeof given[0] === "string" ? given[0] : "" });
    if (at === 0 || (span === "on" ? done.length < at : done.length !== at)) return;
    if (does !== "tear" && does !== "kill") throw failure(does, name, given[0]);
    if (does === "tear") HALVES.get(name)?.(given);
    isOver = true;
    end();
  };
  const undo = STEPS[of].flatMap((name) => {
    const real: unknown = Reflect.get(fs, name);
    if (typeof real !== "function") return [];
    const faulted = (...given: unknown[]): unknown => {
      if (isUndone || isInside || !counts(name, of, given)) return Reflect.apply(real, fs, given);
      isInside = true;
      try {
        if (!isOfProgram(given[0])) step(name, given);
        return Reflect.apply(real, fs, given);
      } finally {
        isInside = false;
      }
    };
    Reflect.set(fs, name, Object.assign(faulted, real));
    return [() => Reflect.set(fs, name, real)];
  });
  return {
    done,
    undo() {
      isUndone = true;
      for (const each of undo) each();
    },
  };
}

/** The program's own files are read before it runs, and while it does. */
function isOfProgram(path: unknown): boolean {
  return (
    typeof path === "string" && [dirname(process.argv[1] ?? ""), process.cwd()].some((each) => path.startsWith(each))
  );
}

/** Opening a file is a step of the kind it is opened for. */
function counts(name: string, of: FileFault["of"], [, flags]: Given): boolean {
  if (name !== "openSync") return true;
  const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;
  const writes =
    typeof flags === "number" ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0 : !/^rs?$/.test(String(flags ?? "r"));
  return writes === (of === "write");
}

function failure(code: string, name: string, path: unknown): Error {
  const syscall = name.replace(/Sync$/, "");
  const where = typeof path === "string" ? ` '${path}'` : "";
  return Object.assign(new Error(`${code}: injected, ${syscall}${where}`), { code, syscall });
}

function opened(file: unknown, options: unknown): unknown {
  if (typeof file === "number") return file;
  const flag = typeof options === "object" && options !== null && "flag" in options ? String(options.flag) : "w";
  return fs.openSync(String(file), flag, 0o600);
}

function writeHalf(file: unknown, data: unknown, position?: unknown): void {
  const bytes = data instanceof Uint8Array ? data : Buffer.from(String(data));
  if (typeof file !== "number") return;
  fs.writeSync(file, bytes, 0, bytes.length >> 1, typeof position === "number" ? position : null);
}

function removeHalf(path: string, options: unknown): void {
  const isWhole = typeof options === "object" && options !== null && "recursive" in options;
  if (!isWhole || fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const names = fs.readdirSync(path);
  for (const name of names.slice(0, (names.length + 1) >> 1)) {
    fs.rmSync(`${path}/${name}`, { recursive: true, force: true });
  }
}

/** Of several folders that are to be made, the outermost. */
function makeHalf(path: string, options: unknown): void {
  let first = path;
  while (first !== dirname(first) && !fs.existsSync(dirname(first))) first = dirname(first);
  const mode = typeof options === "object" && options !== null && "mode" in options ? Number(options.mode) : 0o777;
  if (first !== path) fs.mkdirSync(first, { mode });
}
