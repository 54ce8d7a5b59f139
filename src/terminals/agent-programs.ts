import { isSameProgram, programName } from "./which-terminal";

/** Names of an agent's own programs, and of what runs it where its package is a script. */
interface AgentPrograms {
  own: readonly string[];
  interpreters?: readonly string[];
}

const PROGRAMS: Readonly<Record<string, AgentPrograms>> = {
  claude: { own: ["claude"], interpreters: ["node", "bun"] },
  codex: { own: ["codex"] },
  gemini: { own: ["gemini"], interpreters: ["node"] },
  qwen: { own: ["qwen"], interpreters: ["node"] },
  opencode: { own: ["opencode"], interpreters: ["node", "bun"] },
  copilot: { own: ["copilot"], interpreters: ["node"] },
  cursor: { own: ["cursor-agent"], interpreters: ["node"] },
  droid: { own: ["droid"] },
  amp: { own: ["amp"], interpreters: ["node", "bun"] },
  aider: { own: ["aider"], interpreters: ["python", "python3"] },
};

function programsOf(agent: string): AgentPrograms {
  return (Object.hasOwn(PROGRAMS, agent) ? PROGRAMS[agent] : undefined) ?? { own: [agent] };
}

/** Whether a program is an agent by its own name; an agent that is not known goes by its. */
export function isOwnProgramOf(agent: string, command: string): boolean {
  const name = programName(command);
  return programsOf(agent).own.some((each) => isSameProgram(name, each));
}

/** Whether a program in the foreground of a terminal can be an agent: it is, or it is what runs it. */
export function mayBeProgramOf(agent: string, command: string): boolean {
  // Python's executables end with a version.
  const name = programName(command).replace(/^python3\.\d+$/, "python3");
  return (
    isOwnProgramOf(agent, command) || programsOf(agent).interpreters?.some((each) => isSameProgram(name, each)) === true
  );
}

/** Agents whose hooks may have another terminal's variables: Codex runs them under a daemon its terminals share. */
export function sharesHooks(agent: string): boolean {
  return agent === "codex";
}
