import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { text } from "node:stream/consumers";
import { isatty } from "node:tty";
import { VERSION } from "../version";
import type { SignalIo } from "./io";

/** This process as the signal command's surroundings. */
export function processSignalIo(program: string): SignalIo {
  return {
    program,
    version: VERSION,
    stdout: (output) => {
      // A reader that left (`| head`) ends the command; there is nobody to tell.
      process.stdout.once("error", () => process.exit()).write(output);
    },
    stderr: (output) => void process.stderr.write(output),
    readStdin: () => text(process.stdin),
    isTerminal: isatty(0),
    environment: process.env,
    folder: workingFolder(),
    pid: process.pid,
    now: () => Date.now() / 1000,
    uuid: randomUUID,
  };
}

/** The folder this process runs in. A hook may run in one that was removed meanwhile, which has no name. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return homedir();
  }
}
