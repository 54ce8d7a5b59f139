import { ENTRY_LIMIT, factsOf } from "../../files/inbox-entry";
import { placesOf } from "../../store/places";
import { leaveEntry } from "../../store/record";
import { takeStopAnswer } from "../../store/stop-answer";
import { EXIT, type CliIo, type ExitCode } from "../io";

/** What a payload is read from. */
export type PayloadInput = AsyncIterable<Uint8Array | string> & { isTTY?: boolean };

/**
 * `agent-sessions record AGENT [EVENT] [PAYLOAD]`: what `assets/bin/record` does, for systems without sh. The payload
 * comes on standard input, or as the last argument. It always gives 0, and prints nothing: an agent would read what it
 * prints, and may stop a tool call for another code. Only the answer that waits for a session's Stop is printed.
 */
export async function record(
  argv: readonly string[],
  { environment, clock = Date.now }: Pick<CliIo, "environment" | "clock">,
  input: PayloadInput = process.stdin,
  print: (answer: Uint8Array) => Promise<void> = printed,
): Promise<ExitCode> {
  try {
    const [agent = "", event, ...rest] = argv;
    const given = rest.at(-1);
    const payload = given === undefined ? await read(input) : Buffer.from(given);
    const env = factsOf(environment, folder());
    const places = placesOf(environment);
    leaveEntry(places, { agent, event, parent: process.ppid, env, payload });
    const answer = takeStopAnswer(places, { agent, event, payload }, clock() / 1000);
    if (answer !== undefined) await print(answer);
  } catch {
    // Nobody who could be told is listening; `doctor` sees that entries do not arrive.
  }
  return EXIT.ok;
}

/** Prints bytes as they are. */
function printed(answer: Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    // A reader that is gone is told twice: here, and to whoever wrote.
    process.stdout.once("error", fail);
    process.stdout.write(answer, (error) => (error ? fail(error) : done()));
  });
}

/** Reads the input to its end, since an agent may report a hook that does not; keeps what an entry can hold. */
async function read(input: PayloadInput): Promise<Uint8Array> {
  const kept: Buffer[] = [];
  // A terminal is the user's, not a payload: some agents leave it to the hook as its input.
  if (input.isTTY === true) return Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of input) {
      if (size < ENTRY_LIMIT) kept.push(Buffer.from(chunk));
      size += chunk.length;
    }
  } catch {
    // What came before the failure is the payload.
  }
  return Buffer.concat(kept);
}

/** The folder this runs in; it may be gone. */
function folder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
