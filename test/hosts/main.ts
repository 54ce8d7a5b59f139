import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { interrupt } from "../real-agents/wait-until";
import type { Outcome } from "./checks";
import { copyExtension } from "./extension-copy";
import { checkTermcast, termcastIn } from "./termcast";
import { checkVicinae, isVicinaeIn } from "./vicinae";

const HOW = "See docs/hosts.md for what to install there.";

/** Runs the extension in every host that is installed; what is not there is skipped, and says so. */
async function main(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "agent-sessions-hosts-"));
  const outcomes: Outcome[] = [];
  try {
    const extension = copyExtension(scratch);
    const vicinae = process.env.VICINAE_DIR;
    if (vicinae === undefined) process.stdout.write(`skipped @vicinae/api: VICINAE_DIR is not set. ${HOW}\n`);
    else if (!isVicinaeIn(vicinae)) process.stdout.write(`skipped @vicinae/api: it is not in ${vicinae}. ${HOW}\n`);
    else outcomes.push(...(await checkVicinae(vicinae, extension)));
    const termcast = process.env.TERMCAST_DIR;
    const program = termcast === undefined ? undefined : termcastIn(termcast);
    if (termcast === undefined) process.stdout.write(`skipped termcast: TERMCAST_DIR is not set. ${HOW}\n`);
    else if (program === undefined) process.stdout.write(`skipped termcast: it is not in ${termcast}. ${HOW}\n`);
    else outcomes.push(...(await checkTermcast(program, extension)));
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  const failed = outcomes.filter(({ reason }) => reason !== undefined).length;
  process.stdout.write(`${outcomes.length} checks, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

// What runs is waited for no longer, and is cleaned up.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
void main().then((code) => {
  process.exitCode = code;
});
