import type { CliIo } from "../io";
import { pauseMonitoring, resumeMonitoring } from "./monitoring";

/** `agent-sessions monitoring pause` and `resume`, and what to say of it. */
export function monitor(what: "pause" | "resume", io: CliIo): void {
  if (what === "pause") {
    pauseMonitoring(io);
    io.stdout.write("Monitoring is paused.\n");
  } else {
    resumeMonitoring(io);
    io.stdout.write("Monitoring goes on.\n");
  }
}
