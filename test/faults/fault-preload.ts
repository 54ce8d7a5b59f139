import { writeFileSync } from "node:fs";
import { faultFiles, type FileFault } from "./file-faults";

/**
 * Loaded before a command (`node --require`): one of its file operations goes wrong, as `FAULT_FILE` says in JSON.
 * `FAULT_LOG` names a file that tells the operations, in JSON, once the command ends.
 */
function main(): void {
  const { FAULT_FILE: told = "{}", FAULT_LOG: log } = process.env;
  // What the command starts is not to be faulted.
  delete process.env.FAULT_FILE;
  delete process.env.FAULT_LOG;
  const fault: FileFault = JSON.parse(told);
  const { done, undo } = faultFiles(fault, () => {
    process.kill(process.pid, "SIGKILL");
    throw new Error("unreachable: the signal ends the process before the call returns");
  });
  if (log === undefined) return;
  process.on("exit", () => {
    undo();
    writeFileSync(log, JSON.stringify(done));
  });
}

main();
