import { join } from "node:path";
import { SessionsError } from "../session/failure";
import { cutText, printable } from "../session/text";
import type { Argv } from "./focus-plan";
import { plainPath } from "./identifiers";
import { commandLine, posixWord, powershellQuoted, powershellWord } from "./quoting";

/** What of a session tells how it is taken up again. */
export interface Resumable {
  agent: string;
  sessionId: string;
  /** The folder it worked in: agents look for their sessions by it. */
  cwd?: string;
  /** The configuration folder its agent used. */
  configDirectory?: string;
}

/** How a session is taken up again. */
export interface ResumeCommand {
  argv: Argv;
  /** Only what differs from the agent's defaults. */
  environment: Readonly<Record<string, string>>;
  cwd?: string;
}

interface ResumeRule {
  argv: (id: string) => Argv;
  /** The variable that names the agent's configuration folder, and that folder below the home. */
  configuration?: readonly [variable: string, usual: string];
}

/** How each agent resumes a session by its id (docs/terminals.md has the sources). aider cannot. */
const RULES: Readonly<Record<string, ResumeRule>> = {
  claude: { argv: (id) => ["claude", "--resume", id], configuration: ["CLAUDE_CONFIG_DIR", ".claude"] },
  codex: { argv: (id) => ["codex", "resume", id], configuration: ["CODEX_HOME", ".codex"] },
  gemini: { argv: (id) => ["gemini", "--resume", id] },
  qwen: { argv: (id) => ["qwen", "--resume", id] },
  opencode: { argv: (id) => ["opencode", "--session", id] },
  // Its value is optional, so it has to be part of the word.
  copilot: { argv: (id) => ["copilot", `--resume=${id}`], configuration: ["COPILOT_HOME", ".copilot"] },
  cursor: { argv: (id) => ["cursor-agent", "--resume", id] },
  droid: { argv: (id) => ["droid", "--resume", id] },
  amp: { argv: (id) => ["amp", "threads", "continue", id] },
};

/** What all these agents' ids look like. Nothing that fits can be an option, or anything but a word to a shell. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/**
 * The command that takes a session up again; undefined when its agent has none.
 *
 * @param home the user's home, below which the usual configuration folders are
 * @throws SessionsError `refused` when id or folder cannot be given to a program
 */
export function resumeCommand(
  { agent, sessionId, cwd, configDirectory }: Resumable,
  home: string,
): ResumeCommand | undefined {
  const rule = Object.hasOwn(RULES, agent) ? RULES[agent] : undefined;
  if (rule === undefined) return undefined;
  if (!SESSION_ID.test(sessionId)) {
    throw new SessionsError("refused", `"${printable(cutText(sessionId, 80))}" is no id that ${agent} gives.`);
  }
  const environment: Record<string, string> = {};
  if (rule.configuration !== undefined && configDirectory !== undefined) {
    const [variable, usual] = rule.configuration;
    const folder = checkedFolder(configDirectory);
    if (folder.replace(/(?<!\/)\/+$/, "") !== join(home, usual)) environment[variable] = folder;
  }
  return { argv: rule.argv(sessionId), environment, ...(cwd === undefined ? {} : { cwd: checkedFolder(cwd) }) };
}

function checkedFolder(path: string): string {
  const folder = plainPath(path);
  if (folder !== undefined) return folder;
  throw new SessionsError(
    "refused",
    `The session's folder "${printable(cutText(path, 80))}" cannot be given to a shell.`,
    "Resume it from that folder yourself.",
  );
}

/** The command for `sh`, `bash`, `zsh` and fish, in its folder. */
export function posixText({ argv, environment, cwd }: ResumeCommand): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${posixWord(value)} `);
  const folder = cwd === undefined ? "" : `cd ${posixWord(cwd)} && `;
  return `${folder}${variables.join("")}${commandLine(argv)}`;
}

/** The command for PowerShell, in its folder. */
export function powershellText({ argv, environment, cwd }: ResumeCommand): string {
  const folder = cwd === undefined ? [] : [`Set-Location -LiteralPath ${powershellQuoted(cwd)} -ErrorAction Stop`];
  const variables = Object.entries(environment).map(([name, value]) => `$env:${name} = ${powershellQuoted(value)}`);
  const [program, ...given] = argv;
  return [...folder, ...variables, [program, ...given.map(argumentOf)].join(" ")].join("; ");
}

/** Options of ours stand as they are. */
function argumentOf(word: string): string {
  return /^--[a-z]+(?:=[A-Za-z0-9_.-]+)?$/.test(word) ? word : powershellWord(word);
}
