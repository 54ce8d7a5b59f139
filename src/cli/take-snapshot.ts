import { observe } from "../observe/observer";
import type { Snapshot } from "../observe/snapshot";
import { placesOf } from "../store/places";
import type { CliIo } from "./io";

/** The snapshot as a command's surroundings show it. */
export function takeSnapshot(io: Pick<CliIo, "environment" | "clock" | "processes">): Promise<Snapshot> {
  return observe({
    places: placesOf(io.environment),
    environment: io.environment,
    ...(io.clock === undefined ? {} : { clock: io.clock }),
    ...(io.processes === undefined ? {} : { processes: io.processes }),
  });
}
