/** How hooks of one set-up call the recorder. */
export interface Recorder {
  /** The installed recorder, absolute. */
  path: string;
  /** The inbox, absolute, for plugins that write their entries themselves. */
  inbox: string;
  /** Windows without sh: the command does what the recorder does. */
  platform: NodeJS.Platform;
}

/**
 * The command line of a hook, for `sh -c`. It stays the same from version to version: Codex asks for trust again when
 * a hook's command changes (its hooks page).
 */
export function recorderCommand({ path, platform }: Recorder, agent: string, event?: string): string {
  const program = platform === "win32" ? "agent-sessions record" : quoted(path);
  return [program, agent, ...(event === undefined ? [] : [event])].join(" ");
}

/** The same as arguments, for what starts programs without a shell. */
export function recorderArguments({ path, platform }: Recorder, agent: string, event: string): string[] {
  return [...(platform === "win32" ? ["agent-sessions", "record"] : [path]), agent, event];
}

/** A word that sh takes as it stands. */
function quoted(word: string): string {
  return /^[A-Za-z0-9/._@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What stands behind a command whose failure is none of the agent's. */
const IN_ANY_CASE = " || exit 0";

/**
 * Whether a command is one that a set-up of ours wrote for an agent, whatever home it had then. One that somebody built
 * more around is theirs.
 */
export function isOurCommand(command: unknown, agent: string): boolean {
  if (typeof command !== "string") return false;
  const line = command.trim();
  const called = line.endsWith(IN_ANY_CASE) ? line.slice(0, -IN_ANY_CASE.length) : line;
  const [, program = "", named] = /^(.+?) ([a-z]+)(?: [A-Za-z.-]+)?$/s.exec(called) ?? [];
  return named === agent && isRecorder(program);
}

/** Whether an argument list is one of ours. */
export function isOurArguments(list: unknown, agent: string): boolean {
  if (!Array.isArray(list)) return false;
  const words: unknown[] = list;
  const [program, ...rest] = words;
  if (program === "agent-sessions") return rest[0] === "record" && rest[1] === agent;
  return typeof program === "string" && program.endsWith("/bin/record") && rest[0] === agent;
}

function isRecorder(program: string): boolean {
  if (program === "agent-sessions record") return true;
  return /^[^\s'"`$&|;<>()]+\/bin\/record$/.test(program) || /^'(?:[^']|'\\'')+\/bin\/record'$/.test(program);
}
