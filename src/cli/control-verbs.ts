import type { Command } from "commander";
import { examples } from "./examples";
import type { CliIo, ExitCode } from "./io";

interface WaitOptions {
  wait?: boolean;
  json?: boolean;
}

interface PauseOptions extends WaitOptions {
  all?: boolean;
  restart?: boolean;
  auto?: boolean;
  includeCold?: boolean;
}

const WAIT = "follow each request to its end (steps on stderr)";
const JSON_REPORT = "print whom it reached, whom not and why as JSON";
const COLD = "wake cold ones too: each reads its whole context again";

/** Adds the verbs that ask something of sessions. */
export function addControlVerbs(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  program
    .command("pause [ids...]")
    .description("ask sessions to save where they stand; warm ones only")
    .option("--all", "every open session")
    .option("--restart", "start fresh once the save is proven")
    .option("--auto", "start fresh, and carry on alone where the save says so")
    .option("--include-cold", COLD)
    .option("-w, --wait", WAIT)
    .option("--json", JSON_REPORT)
    .addHelpText("after", examples(["agent-sessions pause --all", "agent-sessions pause 4f2e --restart --wait"]))
    .action(async (ids: string[], options: PauseOptions) => {
      const { all = false, restart = false, auto = false, includeCold = false, wait = false, json = false } = options;
      const { pause } = await import("./verbs/pause");
      end(await pause({ ids, all, restart, auto, includeCold, wait, json }, io));
    });

  program
    .command("restart <ids...>")
    .description("have sessions save, then start fresh (needs the plugin in them)")
    .option("--auto", "carry on alone where the save says so")
    .option("--include-cold", COLD)
    .option("-w, --wait", WAIT)
    .option("--json", JSON_REPORT)
    .addHelpText("after", examples(["agent-sessions restart 4f2e", "agent-sessions restart 4f2e --auto"]))
    .action(async (ids: string[], options: PauseOptions) => {
      const { auto = false, includeCold = false, wait = false, json = false } = options;
      const { restart } = await import("./verbs/restart");
      end(await restart({ ids, auto, includeCold, wait, json }, io));
    });

  program
    .command("cancel <ids...>")
    .description("take back what was asked: no fresh start")
    .option("-w, --wait", WAIT)
    .option("--json", JSON_REPORT)
    .addHelpText("after", examples(["agent-sessions cancel 4f2e"]))
    .action(async (ids: string[], { wait = false, json = false }: WaitOptions) => {
      const { cancel } = await import("./verbs/cancel");
      end(await cancel({ ids, wait, json }, io));
    });

  program
    .command("stop <id>")
    .description("stop the turn that runs")
    .option("--kill", "end its process, after asking")
    .option("-y, --yes", "do not ask")
    .option("-w, --wait", WAIT)
    .option("--json", JSON_REPORT)
    .addHelpText("after", examples(["agent-sessions stop 4f2e", "agent-sessions stop 4f2e --kill --yes"]))
    .action(async (id: string, options: WaitOptions & { kill?: boolean; yes?: boolean }) => {
      const { kill = false, yes = false, wait = false, json = false } = options;
      const { stop } = await import("./verbs/stop");
      end(await stop({ id, kill, yes, wait, json }, io));
    });

  program
    .command("send <id> <text...>")
    .description("give a session a message")
    .option("-w, --wait", WAIT)
    .option("--json", JSON_REPORT)
    .addHelpText("after", examples(['agent-sessions send 4f2e "go on with step 2"']))
    .action(async (id: string, text: string[], { wait = false, json = false }: WaitOptions) => {
      const { send } = await import("./verbs/send");
      end(await send({ id, text: text.join(" "), wait, json }, io));
    });
}
