import type { ModelServer } from "./model/server";
import type { ScratchHome } from "./scratch-home";
import type { ShownSessions } from "./shown-sessions";
import type { Terminal } from "./terminal";

/** What a scenario plays with. */
export interface Stage {
  home: ScratchHome;
  model: ModelServer;
  terminal: Terminal;
  list: ShownSessions;
}

/** Something that happens with an agent, and what is shown meanwhile. */
export interface Scenario {
  name: string;
  /** What hooks cannot tell here: the expectation is what is shown, not what would be right. */
  knownLimit?: string;
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
  begin(terminal: Terminal): Promise<void>;
  scenarios: readonly Scenario[];
}
