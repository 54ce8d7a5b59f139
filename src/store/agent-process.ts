import type { ProcessTree } from "./process-table";

/** How an agent's processes are told by their command lines. */
interface Program {
  /** The program's own name, without `.exe`. */
  name: RegExp;
  /** Where its script or binary lies, when a runtime runs it or a version is its name; slashes are forward. */
  path?: RegExp;
  /** Python module, `python -m …`. */
  module?: string;
  /** First words after the program under which it is no session: servers that hold several, settings, look-ups. */
  others?: readonly string[];
}

/** Seen with Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, opencode 1.18.33; the rest by their packages' `bin`. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  claude: {
    name: /^claude$/,
    path: /\/@anthropic-ai\/claude-code(-[^/]+)?\/(cli\.m?js|claude(\.exe)?)$|\/claude\/versions\/\d[^/]*$/,
    others: [
      ..."agents attach auth auto-mode bg-pty-host config daemon doctor install logs mcp migrate-installer".split(" "),
      ..."plugin respawn rm setup-token stop kill update upgrade".split(" "),
    ],
  },
  codex: {
    name: /^codex(-(x86_64|aarch64|arm64|x64)-.+)?$/,
    path: /\/@openai\/codex\/bin\/codex\.js$/,
    others: [
      ..."a agents app app-server apply archive cloud completion debug delete doctor exec-server features".split(" "),
      ..."help login logout mcp mcp-server migrate-nfs-db migrate-rollouts plugin queue remote-control".split(" "),
      ..."sandbox unarchive update".split(" "),
    ],
  },
  gemini: {
    name: /^gemini$/,
    path: /\/@google\/gemini-cli\/(bundle|dist)\/(gemini|index)\.js$/,
    others: ["mcp", "extensions", "skills", "hooks"],
  },
  qwen: {
    name: /^qwen$/,
    path: /\/@qwen-code\/qwen-code\/(dist\/)?(cli|index)\.js$/,
    others: ["mcp", "extensions"],
  },
  opencode: {
    name: /^opencode$/,
    path: /\/opencode-ai\/bin\/opencode(\.js)?$/,
    others: [
      ..."agent attach auth completion db debug export github import mcp models plugin".split(" "),
      ..."providers session stats uninstall upgrade".split(" "),
    ],
  },
  cursor: {
    name: /^cursor-agent$/,
    path: /\/cursor-agent\/(versions\/[^/]+\/)?(dist\/)?index\.js$/,
    others: ["login", "logout", "mcp", "status", "update"],
  },
  copilot: { name: /^copilot$/, path: /\/@github\/copilot\/(index|npm-loader)\.js$/ },
  droid: { name: /^droid$/, others: ["mcp", "update"] },
  amp: { name: /^amp$/, path: /\/@sourcegraph\/amp\/dist\/main\.js$/, others: ["login", "logout", "mcp", "update"] },
  aider: { name: /^aider$/, path: /\/aider\/(__main__|main)\.py$/, module: "aider" },
};

/** What runs a script that is its first word. */
const RUNTIME = /^(node|nodejs|bun|deno|pythonw?[\d.]*|pypy[\d.]*)$/;

/** Options of runtimes whose value is a word of its own. */
const WITH_VALUE = new Set(
  "-r --require --import --loader --experimental-loader --env-file --preload -C --conditions -W -X".split(" "),
);

/** Runtimes' own commands before a script: `bun run`, `deno run`. */
const RUNTIME_VERBS = new Set(["run", "x"]);

/**
 * Whether a command line is that of a session of an agent: its native binary, or a runtime with its script. A shell
 * that was told to start it, or a server that holds several sessions, is none; neither is an agent we do not know.
 *
 * @param words the command line, the program first
 */
export function runsAgent(agent: string, words: readonly string[]): boolean {
  const program = Object.hasOwn(PROGRAMS, agent) ? PROGRAMS[agent] : undefined;
  const rest = program === undefined ? undefined : afterProgram(program, words);
  if (program === undefined || rest === undefined) return false;
  const [first] = rest;
  return first === undefined || program.others?.includes(first) !== true;
}

/** The first word after an agent's program that is no option (`exec` of `codex exec`); undefined when it is not run. */
export function agentVerb(agent: string, words: readonly string[]): string | undefined {
  const program = Object.hasOwn(PROGRAMS, agent) ? PROGRAMS[agent] : undefined;
  const rest = program === undefined ? undefined : afterProgram(program, words);
  return rest?.find((word) => !word.startsWith("-"));
}

/**
 * Whether a process runs that agent, as a reader sees it: then its number is certain.
 *
 * @param processes who knows the command line of a process; nothing known is no proof
 */
export function isAgentProcess(agent: string, pid: number, processes: Pick<ProcessTree, "argumentsOf">): boolean {
  return runsAgent(agent, processes.argumentsOf(pid) ?? []);
}

/** The words after the agent's program; undefined when the command line does not run it. */
function afterProgram(program: Program, words: readonly string[]): readonly string[] | undefined {
  const [first = ""] = words;
  // A program may have put a title in its command line's place: one word with spaces.
  const plain = first.startsWith("/") || first.includes("\\") ? first : (first.split(" ")[0] ?? first);
  if (isProgram(program, plain)) return words.slice(1);
  if (!RUNTIME.test(nameOf(plain))) return undefined;
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "-m") return words[index + 1] === program.module ? words.slice(index + 2) : undefined;
    if (word === "-e" || word === "-c" || word === "--eval" || word === "-p" || word === "--print") return undefined;
    if (WITH_VALUE.has(word)) index += 1;
    else if (!word.startsWith("-") && !(index === 1 && RUNTIME_VERBS.has(word))) break;
  }
  return isProgram(program, words[index] ?? "") ? words.slice(index + 1) : undefined;
}

function isProgram({ name, path }: Program, word: string): boolean {
  return name.test(nameOf(word)) || path?.test(word.replaceAll("\\", "/")) === true;
}

/** The name of the program at a path, without the endings of Windows. */
function nameOf(word: string): string {
  const last = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  return last.replace(/\.(exe|cmd)$/i, "");
}
