import { observe } from "../observe/observer";
import type { Snapshot } from "../observe/snapshot";
import { controlWatch } from "./control-watch";
import { placesOf } from "../store/places";
import type { CliIo } from "./io";

/** The snapshot as a command's surroundings show it. */
export function takeSnapshot(io: Pick<CliIo, "environment" | "clock" | "processes">): Promise<Snapshot> {
  const places = placesOf(io.environment);
  return observe({
    places,
    control: controlWatch(places),
    environment: io.environment,
    ...(io.clock === undefined ? {} : { clock: io.clock }),
    ...(io.processes === undefined ? {} : { processes: io.processes }),
  });
}
