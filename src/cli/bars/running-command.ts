/** How this very command is called from anywhere: its runtime and its file, both absolute, as an argument list. */
export type RunningCommand = readonly [program: string, ...argv: string[]];

/**
 * The command that runs now. With its runtime, since a menu bar's PATH may lack the one that its first line asks for.
 */
export function runningCommand(
  running: Pick<NodeJS.Process, "execPath" | "argv"> = process,
): RunningCommand | undefined {
  const file = running.argv[1];
  return file === undefined ? undefined : [running.execPath, file];
}
