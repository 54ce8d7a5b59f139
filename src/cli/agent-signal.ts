import { basename } from "node:path";
import { processSignalIo } from "./signal/process-signal-io";
import { runSignal } from "./signal/run-signal";

const program = basename(process.argv[1] ?? "agent-signal").replace(/\.[cm]?js$/, "");

void runSignal(process.argv.slice(2), processSignalIo(program)).then((code) => {
  process.exitCode = code;
});
