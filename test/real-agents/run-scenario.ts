import type { InstalledCommand } from "./command";
import { ModelServer } from "./model/server";
import { stopProcessesOf } from "./processes-of-home";
import { runAside } from "./run-aside";
import type { RealAgent, Scenario, Start } from "./scenario";
import { ScratchHome } from "./scratch-home";
import { ShownSessions, type Figure } from "./shown-sessions";
import { Terminal } from "./terminal";
import { Unmet } from "./wait-until";

/** How a scenario went. */
export interface Outcome {
  agent: string;
  scenario: string;
  course: readonly string[];
  /** How long after each deed the list was right. */
  figures: readonly Figure[];
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
  const terminals: Terminal[] = [];
  const ending = new AbortController();
  let list: ShownSessions | undefined;
  let failure: string | undefined;
  const agentEnvironment = { ...home.environment, ...agent.environment(model.url) };
  const commandEnvironment = { ...home.environment, ...scenario.commandEnvironment };
  const run = (parameters: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    command.run({ ...commandEnvironment, ...environment }, ...parameters);
  const open = async ({ parameters = agent.parameters, environment = {} }: Start) => {
    const terminal = await Terminal.start(home, { ...agentEnvironment, ...environment }, [program, ...parameters]);
    terminals.push(terminal);
    await agent.begin(terminal, { hasNewHooks: scenario.withoutHooks !== true && terminals.length === 1 });
    return terminal;
  };
  try {
    agent.prepare(home, model.url);
    if (scenario.withoutHooks !== true) await run(["setup", agent.name, "--yes"]);
    const shown = new ShownSessions(() => run(["list", "--json"]));
    list = shown;
    // The first look makes the baseline: what is answered before it counts as read.
    await shown.shows("nothing");
    const terminal = await open(scenario.start?.(home) ?? { parameters: scenario.parameters ?? agent.parameters });
    await scenario.play({
      home,
      model,
      terminal,
      list: shown,
      open,
      runAside: (parameters) =>
        runAside([program, ...parameters], { cwd: home.work, env: agentEnvironment, signal: ending.signal }),
      command: run,
      attempt: (parameters) => {
        const ran = command.attempt(commandEnvironment, ending.signal, ...parameters);
        // A scenario that failed meanwhile waits for it no more.
        ran.catch(() => undefined);
        return ran;
      },
      explains: async (expected, index) => {
        const text = await run(["explain", shown.session(index).id]);
        if (!expected.test(text)) throw new Unmet(`explain does not say ${expected}, but:\n${text}`);
      },
    });
    const rejected = home.rejectedEntries();
    if (rejected.length > 0) throw new Unmet(`the fold rejected ${rejected.join(", ")}`);
  } catch (error) {
    const reason = error instanceof Unmet ? error.message : String(error);
    const screens = await Promise.all(terminals.map((terminal) => terminal.screen().catch(() => "")));
    const asked = `model: ${model.requests.slice(-6).join(", ") || "not asked"}`;
    failure = [reason, `shown: ${list?.course.join(" → ")}`, asked, ...screens]
      .filter((text) => text !== "")
      .join("\n");
  } finally {
    await list?.stop();
    ending.abort();
    for (const terminal of terminals) await terminal.stop();
    model.stop();
    await stopProcessesOf(home.home);
    home.remove();
  }
  return {
    agent: agent.name,
    scenario: scenario.name,
    course: list?.course ?? [],
    figures: list?.figures ?? [],
    seconds: (Date.now() - start) / 1000,
    ...(scenario.knownLimit === undefined ? {} : { knownLimit: scenario.knownLimit }),
    ...(failure === undefined ? {} : { failure }),
  };
}
