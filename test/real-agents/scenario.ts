import type { Ran } from "./command";
import type { ModelServer } from "./model/server";
import type { ScratchHome } from "./scratch-home";
import type { ShownSessions } from "./shown-sessions";
import type { Terminal } from "./terminal";

/** How an agent is started beside what the scenario says. */
export interface Start {
  /** In place of the usual ones. */
  parameters?: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** What a scenario plays with. */
export interface Stage {
  home: ScratchHome;
  model: ModelServer;
  terminal: Terminal;
  list: ShownSessions;
  /** Starts the agent once more, in a terminal of its own, and comes to its prompt. */
  open(start: Start): Promise<Terminal>;
  /** Starts the agent without a terminal; ends when it does. */
  runAside(parameters: readonly string[]): Promise<void>;
  /** Runs `agent-sessions` and gives what it prints. */
  command(parameters: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs `agent-sessions` to its end, and gives its status, too. */
  attempt(parameters: readonly string[]): Promise<Ran>;
  /**
   * Whether `agent-sessions explain` says this of a session, of the first to appear by default.
   *
   * @throws Unmet when it does not
   */
  explains(expected: RegExp, index?: number): Promise<void>;
}

/** Something that happens with an agent, and what is shown meanwhile. */
export interface Scenario {
  name: string;
  /** What no source tells here: the expectation is what is shown, not what would be right. */
  knownLimit?: string;
  /** Nobody ran `agent-sessions setup`. */
  withoutHooks?: true;
  /** The agent's parameters, in place of the usual ones. */
  parameters?: readonly string[];
  /** How the first agent is started, where that depends on the home; in place of `parameters`. */
  start?(home: ScratchHome): Start;
  /** What else is in the environment of `agent-sessions`. */
  commandEnvironment?: Readonly<Record<string, string>>;
  play(stage: Stage): Promise<void>;
}

/** An agent that is run for real. */
export interface RealAgent {
  /** Its name for `agent-sessions setup`, and the name of its program. */
  name: string;
  /** The npm package that has it. */
  npmPackage: string;
  /** Puts what a user has who used it before into a home: no welcome, the folder trusted, the model on loopback. */
  prepare(home: ScratchHome, modelUrl: string): void;
  environment(modelUrl: string): Record<string, string>;
  parameters: readonly string[];
  /** Comes to where it takes a prompt. */
  begin(
    terminal: Terminal,
    how: { /** It is the first start since our hooks were put in. */ hasNewHooks: boolean },
  ): Promise<unknown>;
  scenarios: readonly Scenario[];
}
