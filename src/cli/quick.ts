import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { isOftenRun, runOften } from "./often-run";
import { processIo } from "./process-io";
import { wasUnprepared } from "./unprepared";

/** What the build puts before the whole program: it is this file's last line, a comment, which costs next to nothing. */
const PROGRAM_MARK = "\n//";

// A run of some milliseconds ends before optimized code pays for its making.
setFlagsFromString("--no-opt");

/**
 * What prompts, status bars and scripts run all the time, as long as no file changed since the last run; for everything
 * else the whole program runs as if this had not been.
 */
async function quick(argv: readonly string[]): Promise<void> {
  const code = isOftenRun(argv) ? await tryOften(argv) : undefined;
  if (code === undefined) runWhole();
  else process.exitCode = code;
}

async function tryOften(argv: readonly string[]): Promise<number | undefined> {
  const io = processIo();
  const written: [write: (text: string) => void, text: string][] = [];
  const held = (output: typeof io.stdout) => ({
    write: (text: string) => void written.push([(each) => output.write(each), text]),
    isTerminal: output.isTerminal,
    columns: output.columns,
    rows: output.rows,
  });
  try {
    const code = await runOften(argv, { ...io, stdout: held(io.stdout), stderr: held(io.stderr) });
    if (wasUnprepared()) return undefined;
    for (const [write, text] of written) write(text);
    return code;
  } catch {
    // The whole program meets the same, and says it.
    return undefined;
  }
}

function runWhole(): void {
  setFlagsFromString("--opt");
  const own = readFileSync(__filename, "utf8").trimEnd();
  const program: unknown = JSON.parse(own.slice(own.lastIndexOf(PROGRAM_MARK) + PROGRAM_MARK.length));
  const compiled: unknown = new Script(`(function (require, module, exports, __filename, __dirname) {${program}\n})`, {
    filename: __filename,
  }).runInThisContext();
  const module = { exports: {} };
  if (typeof compiled === "function") compiled(require, module, module.exports, __filename, __dirname);
}

void quick(process.argv.slice(2));
