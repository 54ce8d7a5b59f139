import { reasonOf } from "../../session/failure";
import type { Environment } from "../../store/places";
import { runningCommand, type RunningCommand } from "../bars/running-command";
import { swiftbarFailure, swiftbarText, type MenuBarHost } from "../bars/swiftbar";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";

/**
 * `agent-sessions swiftbar`: the menu of a SwiftBar or xbar plugin. Everything goes to stdout, failures too: SwiftBar
 * shows nothing but an error when a plugin writes to stderr.
 *
 * @param command what the actions of the menu call
 */
export async function swiftbar(
  { countUnread }: { countUnread: boolean },
  io: CliIo,
  command: RunningCommand | undefined = runningCommand(),
): Promise<ExitCode> {
  const host = hostOf(io.environment);
  io.stdout.write(await menuOf(host));
  return EXIT.ok;

  async function menuOf(host: MenuBarHost): Promise<string> {
    try {
      const snapshot = await takeSnapshot(io);
      return swiftbarText(snapshot, { host, countUnread, ...(command === undefined ? {} : { command }) });
    } catch (error) {
      return swiftbarFailure(reasonOf(error), { host });
    }
  }
}

/** Who runs the plugin: xbar says so by a variable of its own, and SwiftBar by another. */
function hostOf({ SWIFTBAR, XBARDarkMode }: Environment): MenuBarHost {
  return SWIFTBAR === undefined && XBARDarkMode !== undefined ? "xbar" : "swiftbar";
}
