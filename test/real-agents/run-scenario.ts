import type { InstalledCommand } from "./command";
import { ModelServer } from "./model/server";
import type { RealAgent, Scenario } from "./scenario";
import { ScratchHome } from "./scratch-home";
import { ShownSessions } from "./shown-sessions";
import { Terminal } from "./terminal";
import { Unmet } from "./wait-until";

/** How a scenario went. */
export interface Outcome {
  agent: string;
  scenario: string;
  course: readonly string[];
  seconds: number;
  knownLimit?: string;
  /** Why it failed, with the screen at that moment; absent: it went as expected. */
  failure?: string;
}

/** Plays one scenario with a user, a model and a terminal of its own. */
export async function runScenario(
  agent: RealAgent,
  program: string,
  scenario: Scenario,
  command: InstalledCommand,
): Promise<Outcome> {
  const start = Date.now();
  const model = await ModelServer.start();
  const home = new ScratchHome(model.url);
  let terminal: Terminal | undefined;
  let list: ShownSessions | undefined;
  let failure: string | undefined;
  try {
    agent.prepare(home, model.url);
    await command.run(home.environment, "setup", agent.name, "--yes");
    const shown = new ShownSessions(() => command.run(home.environment, "list", "--json"));
    list = shown;
    // The first look makes the baseline: what is answered before it counts as read.
    await shown.shows("nothing");
    const environment = { ...home.environment, ...agent.environment(model.url) };
    terminal = await Terminal.start(home, environment, [program, ...agent.parameters]);
    await agent.begin(terminal);
    await scenario.play({ home, model, terminal, list: shown });
    const rejected = home.rejectedEntries();
    if (rejected.length > 0) throw new Unmet(`the fold rejected ${rejected.join(", ")}`);
  } catch (error) {
    const reason = error instanceof Unmet ? error.message : String(error);
    const screen = await terminal?.screen().catch(() => "");
    const asked = `model: ${model.requests.slice(-6).join(", ") || "not asked"}`;
    failure = [reason, asked, screen ?? ""].filter((text) => text !== "").join("\n");
  } finally {
    await list?.stop();
    await terminal?.stop();
    model.stop();
    home.remove();
  }
  return {
    agent: agent.name,
    scenario: scenario.name,
    course: list?.course ?? [],
    seconds: (Date.now() - start) / 1000,
    ...(scenario.knownLimit === undefined ? {} : { knownLimit: scenario.knownLimit }),
    ...(failure === undefined ? {} : { failure }),
  };
}
