import { setFlagsFromString } from "node:v8";
import { processIo } from "./process-io";
import { run } from "./run";

// A run of some milliseconds ends before optimized code pays for its making; one that stays is told otherwise.
if (!process.argv.includes("--watch") && !process.argv.includes("-w")) setFlagsFromString("--no-opt");

void run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
