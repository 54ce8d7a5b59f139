import { describeProblem } from "../files/problem";
import type { Snapshot } from "../observe/snapshot";
import { printable } from "../session/text";
import type { CliIo } from "./io";

/** Names on stderr what is wrong with files, the first few in full. */
export function reportProblems({ problems }: Pick<Snapshot, "problems">, io: Pick<CliIo, "stderr">): void {
  const shown = problems.slice(0, 5);
  for (const problem of shown) io.stderr.write(`agent-sessions: ${printable(describeProblem(problem))}\n`);
  const more = problems.length - shown.length;
  if (more > 0) io.stderr.write(`agent-sessions: ${more} more problems; agent-sessions list --json names them all.\n`);
}
