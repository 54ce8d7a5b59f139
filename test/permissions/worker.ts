import { createInterface } from "node:readline";
import { reasonOf } from "../../src/session/failure";
import type { Seen } from "./place";
import { PLACES } from "./places";
import type { World } from "./world";

/** What whoever looks is asked. */
export interface Ask {
  place: string;
  act: "look" | "write";
  world: World;
}

/** What came of it. `failed` is no message to a user: the program itself broke. */
export type Answer =
  | { outcome: "seen"; seen: Seen }
  | { outcome: "wrote"; isWritten: boolean }
  | { outcome: "refused"; reason: string; isOurs: boolean }
  | { outcome: "failed"; reason: string };

function answerTo({ place: name, act, world }: Ask): Answer {
  const place = PLACES.find((each) => each.name === name);
  if (act === "write") {
    try {
      return { outcome: "wrote", isWritten: place?.writes?.write(world) ?? false };
    } catch (error) {
      return { outcome: "refused", reason: reasonOf(error), isOurs: (error as Error).name === "SessionsError" };
    }
  }
  try {
    const seen = place?.reads?.look(world);
    return seen === undefined
      ? { outcome: "failed", reason: `nothing to look at: ${name}` }
      : { outcome: "seen", seen };
  } catch (error) {
    return { outcome: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Answers one question a line. */
function main(): void {
  process.umask(0o077);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const ask: Ask = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(answerTo(ask))}\n`);
  });
}

main();
