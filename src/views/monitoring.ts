import { invokeMonitoring } from "../cli/invoke";
import { settingsToAct } from "./settings";

/** Pauses or resumes monitoring, and gives what to say of it. */
export async function changeMonitoring(what: "pause" | "resume"): Promise<string> {
  await invokeMonitoring(what, settingsToAct().invoker);
  return what === "pause" ? "Monitoring Is Paused" : "Monitoring Goes On";
}
