import process from "node:process";

/** What a check did not find, or found instead. */
export class Missed extends Error {}

export interface Outcome {
  name: string;
  seconds: number;
  /** Why it failed; absent: it passed. */
  reason?: string;
  /** The screen at that moment. */
  screen?: string;
}

/** The checks of one host, told as they are made. A failed one does not keep the others from being made. */
export class Checks {
  readonly outcomes: Outcome[] = [];

  constructor(private readonly host: string) {}

  /** @param screen gives what the host shows, for whoever looks into a failure */
  async check(name: string, work: () => Promise<void>, screen?: () => Promise<string>): Promise<void> {
    const begun = Date.now();
    let failed: Pick<Outcome, "reason" | "screen"> = {};
    try {
      await work();
    } catch (error) {
      const shown = await screen?.().catch(() => undefined);
      failed = { reason: error instanceof Error ? error.message : String(error), ...(shown && { screen: shown }) };
    }
    const outcome = { name, seconds: (Date.now() - begun) / 1000, ...failed };
    this.outcomes.push(outcome);
    const word = outcome.reason === undefined ? "ok    " : "FAILED";
    process.stdout.write(`${word} ${this.host}: ${name} (${outcome.seconds.toFixed(1)} s)\n`);
    if (outcome.reason !== undefined) process.stdout.write(`       ${outcome.reason}\n`);
    if (outcome.screen !== undefined) process.stdout.write(`${outcome.screen.replace(/^/gm, "       | ")}\n`);
  }
}
