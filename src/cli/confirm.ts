import { createInterface } from "node:readline/promises";
import { SessionsError } from "../session/failure";
import type { CliIo } from "./io";

/** Asks a question that only a yes answers. */
export type Confirm = (question: string) => Promise<boolean>;

/**
 * How this command asks its user.
 *
 * @throws SessionsError `usage` where there is no terminal to ask on
 */
export function confirmOn({ stdout, interrupt }: Pick<CliIo, "stdout" | "interrupt">): Confirm {
  if (process.stdin.isTTY !== true || !stdout.isTerminal) {
    throw new SessionsError("usage", "There is no terminal to ask on.", "Add --yes to do it.");
  }
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^\s*y(es)?\s*$/i.test(await terminal.question(question, { signal: interrupt }));
    } catch {
      // Interrupted, or the terminal is gone: nobody said yes.
      return false;
    } finally {
      terminal.close();
    }
  };
}
