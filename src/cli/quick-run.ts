import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import type { CliIo, Output } from "./io";
import { keptFile } from "./kept/kept-answer";
import { answer, keepAnswer } from "./kept/keep-answer";
import { isOftenRun, runOften } from "./often-run";
import { processIo } from "./process-io";
import { wasUnprepared } from "./unprepared";

/** What the build puts before the whole program: it is this file's last line, a comment, which costs next to nothing. */
const PROGRAM_MARK = "\n//";

/**
 * Runs the quick program where it can tell, else the whole one as if the quick one had not been.
 *
 * @param command the command's own file
 */
export async function runQuick(argv: readonly string[], command: string): Promise<void> {
  // A run of some milliseconds ends before optimized code pays for its making.
  setFlagsFromString("--no-opt");
  const code = isOftenRun(argv) ? await tryOften(argv, command) : undefined;
  if (code === undefined) runWhole(command);
  else process.exitCode = code;
}

async function tryOften(argv: readonly string[], command: string): Promise<number | undefined> {
  const io = processIo();
  try {
    return keptFile(argv, process.env) === undefined ? await runPlain(argv, io) : await runTraced(argv, io, command);
  } catch {
    // The whole program meets the same, and says it.
    return undefined;
  }
}

async function runPlain(argv: readonly string[], io: CliIo): Promise<number | undefined> {
  const held = new HeldOutput(io);
  const code = await runOften(argv, held.io);
  if (wasUnprepared()) return undefined;
  held.release();
  return code;
}

/** As `runPlain`, and keeps the answer for the next run if it is one that holds. */
async function runTraced(argv: readonly string[], io: CliIo, command: string): Promise<number | undefined> {
  let held = new HeldOutput(io);
  let code = 0;
  const answered = await answer(
    async (surroundings) => {
      held = new HeldOutput({ ...io, ...surroundings });
      code = await runOften(argv, held.io);
      return held.answer;
    },
    process.env,
    Date.now(),
  );
  if (wasUnprepared()) return undefined;
  held.release();
  if (answered !== undefined && code === 0) {
    await keepAnswer(
      argv,
      answered,
      async (surroundings) => {
        const again = new HeldOutput({ ...io, ...surroundings });
        const ended = await runOften(argv, again.io);
        return ended === 0 && !wasUnprepared() ? again.answer : undefined;
      },
      process.env,
      command,
    ).catch(() => undefined);
  }
  return code;
}

/** A command's output, held back until it is known to count. */
class HeldOutput {
  readonly io: CliIo;
  private readonly written: { to: Output; text: string }[] = [];

  constructor(private readonly real: CliIo) {
    this.io = { ...real, stdout: this.hold(real.stdout), stderr: this.hold(real.stderr) };
  }

  /** What was written; undefined when a part of it is not for the reader of the answer. */
  get answer(): string | undefined {
    const isAll = this.written.every(({ to }) => to === this.real.stdout);
    return isAll ? this.written.map(({ text }) => text).join("") : undefined;
  }

  release(): void {
    for (const { to, text } of this.written) to.write(text);
  }

  private hold(to: Output): Output {
    const { isTerminal, columns, rows } = to;
    return { write: (text) => void this.written.push({ to, text }), isTerminal, columns, rows };
  }
}

function runWhole(command: string): void {
  setFlagsFromString("--opt");
  const own = readFileSync(__filename, "utf8").trimEnd();
  const program: unknown = JSON.parse(own.slice(own.lastIndexOf(PROGRAM_MARK) + PROGRAM_MARK.length));
  const compiled: unknown = new Script(`(function (require, module, exports, __filename, __dirname) {${program}\n})`, {
    filename: command,
  }).runInThisContext();
  const module = { exports: {} };
  if (typeof compiled === "function") compiled(require, module, module.exports, command, __dirname);
}
