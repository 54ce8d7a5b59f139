import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { isatty } from "node:tty";
import { runSignal } from "./signal/run-signal";
import { VERSION } from "./version";

void runSignal(process.argv.slice(2), {
  program: basename(process.argv[1] ?? "agent-signal").replace(/\.[cm]?js$/, ""),
  version: VERSION,
  stdout: (output) => {
    // A reader that left (`| head`) ends the command; there is nobody to tell.
    process.stdout.once("error", () => process.exit()).write(output);
  },
  stderr: (output) => void process.stderr.write(output),
  readStdin: () => text(process.stdin),
  isTerminal: isatty(0),
  environment: process.env,
  folder: process.cwd(),
  pid: process.pid,
  now: () => Date.now() / 1000,
  uuid: randomUUID,
}).then((code) => {
  process.exitCode = code;
});
