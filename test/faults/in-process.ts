import { randomUUID } from "node:crypto";
import { run } from "../../src/cli/run";
import { runSignal } from "../../src/cli/signal/run-signal";
import { cliIo } from "../cli-io";
import type { Call, Ended } from "./faulted-command";
import type { World } from "./world";

/** Runs a command in this process: the same code, without the start of a process. Not for those that read their input. */
export async function runHere(world: World, { program, argv, environment }: Call): Promise<Ended> {
  // No agent is to be found, so that none is started.
  const given = { ...environment, PATH: "/nowhere" };
  if (program === "agent-sessions") {
    const io = cliIo(world.places, { environment: given });
    const code = await run(argv, io);
    return { code, signal: null, out: io.out(), err: io.err() };
  }
  if (program !== "agent-signal") throw new Error("only the two commands run here");
  let [out, err] = ["", ""];
  const code = await runSignal(argv, {
    program,
    version: "9.8.7",
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    readStdin: () => "",
    isTerminal: false,
    environment: given,
    folder: world.folder,
    pid: process.pid,
    now: () => Date.now() / 1000,
    uuid: randomUUID,
  });
  return { code, signal: null, out, err };
}
