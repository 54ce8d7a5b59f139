import { printKept } from "./kept/kept-answer";

/**
 * The command. What prompts, status bars and scripts run all the time takes the shortest of three ways: a kept answer
 * that still holds; the quick program, as long as no file changed since the last run; the whole program. The two
 * programs lie in a file of their own beside this one (scripts/build-commands.mjs), which is loaded when it is needed.
 */
async function main(argv: readonly string[]): Promise<void> {
  if (printKept(argv, process.env, __filename)) return;
  const { runQuick } = await import("./quick-run");
  await runQuick(argv, __filename);
}

void main(process.argv.slice(2));
