import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { secondsOfIso } from "../files/timestamp";
import { SessionsError } from "../session/failure";
import type { State } from "../session/state";
import { printableLines } from "../views/plain-text";
import { parsePromptShell } from "./bars/bar-options";
import type { SegmentRequest } from "./bars/segment";
import { addControlVerbs } from "./control-verbs";
import { examples } from "./examples";
import { parseAgents, parseStates } from "./filter";
import { EXIT, type CliIo, type ExitCode } from "./io";
import { list } from "./verbs/list";
import { mark } from "./verbs/mark";
import { monitor } from "./verbs/monitor";
import type { PromptRequest } from "./verbs/prompt";
import { show } from "./verbs/show";
import { status } from "./verbs/status";
import { watch } from "./verbs/watch";

interface SetupOptions {
  dryRun?: boolean;
  yes?: boolean;
  remove?: boolean;
  plugin?: boolean;
}

const EXIT_HELP = `
Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 nothing matched.
Files: ~/.agent-sessions (AGENT_SESSIONS_HOME), ~/.claude/aitention/status (AGENT_SESSIONS_STATUS_DIR),
/tmp/agent-signal/status.json (AGENT_SIGNAL_LIGHT_STATE_FILE). NO_COLOR turns colors off.`;

interface ListOptions {
  json?: boolean;
  watch?: boolean;
  state?: State[];
  agent?: string[];
  needsMe?: boolean;
  wide?: boolean;
  sort?: "cold";
}

/** Runs a command line through the whole program, help and usage errors included. */
export async function runProgram(argv: readonly string[], version: string, io: CliIo): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = new Command("agent-sessions");
  program
    .description("Shows which of your AI coding agents needs you.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help of a command")
    .showHelpAfterError("Run agent-sessions --help for the commands.")
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(printableLines(text)),
    })
    .exitOverride()
    .addHelpText("after", EXIT_HELP);

  program
    .command("list", { isDefault: true })
    .description("list the sessions, those that need you first")
    .option("--json", "print the snapshot as JSON (docs/snapshot-v1.schema.json)")
    .option("-w, --watch", "keep the list up to date until interrupted")
    .option("--state <states>", "only sessions in these states, with commas", checked(parseStates))
    .option("--agent <agents>", "only sessions of these agents, with commas", checked(parseAgents))
    .option("--needs-me", "only sessions that need you")
    .option("--wide", "the overview: context, version, warm or cold, whether it can be asked to pause")
    .addOption(new Option("--sort <order>", "cold: what goes cold next comes first").choices(["cold"]))
    .addHelpText(
      "after",
      examples([
        "agent-sessions list --needs-me",
        "agent-sessions list --state working,done --agent codex",
        "agent-sessions list --wide --sort cold",
        "agent-sessions list --watch",
      ]),
    )
    .action(async (options: ListOptions) => {
      const { json = false, state: states = [], agent: agents = [], needsMe = false, wide = false, sort } = options;
      const request = { json, states, agents, needsMe, wide, ...(sort === undefined ? {} : { sort }) };
      code = await (options.watch === true ? watch(request, io) : list(request, io));
    });

  program
    .command("show <id>")
    .description("show everything known of a session; a beginning of its id is enough")
    .option("--json", "print it as JSON")
    .addHelpText("after", examples(["agent-sessions show 4f2e", "agent-sessions show claude:4f2e8190 --json"]))
    .action(async (wanted: string, { json = false }: { json?: boolean }) => {
      code = await show({ wanted, json }, io);
    });

  program
    .command("explain <id>")
    .description("say why a session's row shows what it shows: what each source says, and what was overruled")
    .option("--json", "print it as JSON")
    .addHelpText("after", examples(["agent-sessions explain 4f2e"]))
    .action(async (wanted: string, { json = false }: { json?: boolean }) => {
      const { explain } = await import("./verbs/explain");
      code = await explain({ wanted, json }, io);
    });

  program
    .command("focus <id>")
    .description("go to the window, tab and pane of a session")
    .option("--json", "print what came of it as JSON")
    .addHelpText("after", examples(["agent-sessions focus 4f2e"]))
    .action(async (wanted: string, { json = false }: { json?: boolean }) => {
      const { focus } = await import("./verbs/focus");
      code = await focus({ wanted, json }, io);
    });

  program
    .command("resume <id>")
    .description("take an ended session up again in a new window of a terminal")
    .option("--print", "only print the command")
    .option("--terminal <name>", "a terminal (docs/terminals.md), or tmux")
    .option("--json", "print what came of it as JSON")
    .addHelpText("after", examples(["agent-sessions resume 4f2e", "agent-sessions resume 4f2e --print"]))
    .action(
      async (
        wanted: string,
        { print = false, terminal, json = false }: { print?: boolean; terminal?: string; json?: boolean },
      ) => {
        const { resume } = await import("./verbs/resume");
        code = await resume({ wanted, print, json, ...(terminal === undefined ? {} : { terminal }) }, io);
      },
    );

  program
    .command("events [id]")
    .description("print what came in, from whom, and what it did, the newest last")
    .option("--json", "print one JSON object a line")
    .option("--limit <number>", "so many of the newest (50)")
    .option("-f, --follow", "go on with what comes in, until interrupted")
    .addHelpText(
      "after",
      examples([
        "agent-sessions events",
        "agent-sessions events 4f2e --limit 200",
        "agent-sessions events --follow --json",
      ]),
    )
    .action(
      async (
        wanted: string | undefined,
        { json = false, limit, follow = false }: { json?: boolean; limit?: string; follow?: boolean },
      ) => {
        const { events } = await import("./verbs/events");
        const named = { ...(wanted === undefined ? {} : { wanted }), ...(limit === undefined ? {} : { limit }) };
        code = await events({ json, follow, ...named }, io);
      },
    );

  addControlVerbs(program, io, (ended) => {
    code = ended;
  });

  program
    .command("status")
    .description("print the aggregate on one line, for a prompt or a status bar")
    .option("--json", "print it with the keys of Agent Signal's status")
    .addHelpText(
      "after",
      examples(["agent-sessions status", "set -g status-right '#(agent-sessions status)'   (tmux)"]),
    )
    .action(async ({ json = false }: { json?: boolean }) => {
      code = await status({ json }, io);
    });

  program
    .command("alfred")
    .description("print the sessions as a Script Filter for Alfred (docs/launchers.md)")
    .option("--needs-me", "only sessions that need you")
    .addHelpText("after", examples(["agent-sessions alfred", "agent-sessions alfred --needs-me"]))
    .action(async ({ needsMe = false }: { needsMe?: boolean }) => {
      const { alfred } = await import("./verbs/alfred");
      code = await alfred({ needsMe }, io);
    });

  program
    .command("swiftbar")
    .description("print the menu of a SwiftBar or xbar plugin")
    .option("--count-unread", "count unread answers too")
    .addHelpText("after", examples(["agent-sessions swiftbar", "agent-sessions swiftbar --count-unread"]))
    .action(async ({ countUnread = false }: { countUnread?: boolean }) => {
      const { swiftbar } = await import("./verbs/swiftbar");
      code = await swiftbar({ countUnread }, io);
    });

  segmentCommand(program, "waybar")
    .description("print a custom module for Waybar, as JSON")
    .addHelpText("after", examples(["agent-sessions waybar", "agent-sessions waybar --short --title"]))
    .action(async (options: Partial<SegmentRequest>) => {
      const { waybar } = await import("./verbs/waybar");
      code = await waybar(segmentRequest(options), io);
    });

  segmentCommand(program, "tmux")
    .description("print a segment for tmux's status line; nothing when nothing is up")
    .addHelpText(
      "after",
      examples(["agent-sessions tmux --title", "set -g status-right '#(agent-sessions tmux) %H:%M'   (tmux)"]),
    )
    .action(async (options: Partial<SegmentRequest>) => {
      const { tmux } = await import("./verbs/tmux");
      code = await tmux(segmentRequest(options), io);
    });

  segmentCommand(program, "prompt")
    .description("print a segment for a shell's prompt; nothing when nothing is up")
    .option("--shell <shell>", "in color, for the prompt of bash, zsh or fish", checked(parsePromptShell))
    .addHelpText(
      "after",
      examples([
        "agent-sessions prompt --short",
        "setopt PROMPT_SUBST; RPROMPT='$(agent-sessions prompt --shell zsh)'   (zsh)",
      ]),
    )
    .action(async ({ shell, ...options }: Partial<PromptRequest>) => {
      const { prompt } = await import("./verbs/prompt");
      code = await prompt({ ...segmentRequest(options), ...(shell === undefined ? {} : { shell }) }, io);
    });

  program
    .command("read [ids...]")
    .description("mark answers as read")
    .option("--all", "every session's")
    .option("--until <time>", "only answers finished by this time (ISO 8601)", checked(parseTime))
    .option("--json", "print what was marked as JSON")
    .addHelpText("after", examples(["agent-sessions read 4f2e", "agent-sessions read --all"]))
    .action(
      async (
        ids: string[],
        { all = false, until, json = false }: { all?: boolean; until?: number; json?: boolean },
      ) => {
        if (all === ids.length > 0) {
          throw new SessionsError(
            "usage",
            "Name sessions, or give --all.",
            "Run agent-sessions read --help for examples.",
          );
        }
        const limit = until === undefined ? {} : { until };
        code = await mark(all ? { verb: "read-all", ...limit } : { verb: "read", ids, ...limit }, json, io);
      },
    );

  program
    .command("unread <ids...>")
    .description("mark a session's last answer as unread again")
    .option("--json", "print what was marked as JSON")
    .addHelpText("after", examples(["agent-sessions unread 4f2e"]))
    .action(async (ids: string[], { json = false }: { json?: boolean }) => {
      code = await mark({ verb: "unread", ids }, json, io);
    });

  program
    .command("setup [agents...]")
    .description(
      "have agents report: shows what would change in their settings, asks, and installs the recorder as a hook",
    )
    .option("--dry-run", "only show what would change")
    .option("-y, --yes", "do not ask")
    .option("--plugin", "with the plugin for Claude Code; with --remove, only it")
    .option("--no-plugin", "leave the plugin as it is")
    .option("--remove", "take our hooks and the plugin out again")
    .addHelpText(
      "after",
      examples([
        "agent-sessions setup",
        "agent-sessions setup claude codex --dry-run",
        "agent-sessions setup claude --plugin",
        "agent-sessions setup --remove",
      ]),
    )
    .action(async (agents: string[], { dryRun = false, yes = false, remove = false, plugin }: SetupOptions) => {
      const { setup } = await import("./verbs/setup");
      code = await setup({ agents, dryRun, yes, remove, ...(plugin === undefined ? {} : { plugin }) }, io);
    });

  program
    .command("doctor")
    .description("tell of each agent whether it reports, and what to do where it does not")
    .option("--json", "print it as JSON")
    .addHelpText("after", examples(["agent-sessions doctor"]))
    .action(async ({ json = false }: { json?: boolean }) => {
      const { doctor } = await import("./verbs/doctor");
      code = await doctor({ json }, io);
    });

  const monitoring = program
    .command("monitoring")
    .description("pause monitoring: the menu bar shows paused, and no signals are written; or resume it");
  monitoring
    .command("pause")
    .description("pause until resumed")
    .action(() => monitor("pause", io));
  monitoring
    .command("resume")
    .description("resume")
    .action(() => monitor("resume", io));

  program
    .command("record <agent> [event] [payload]")
    .description("leave an event in the inbox, as assets/bin/record does; for hooks on systems without sh");

  program
    .command("signal")
    .description("Agent Signal's command: agent-sessions signal --help")
    .helpOption(false)
    .allowUnknownOption()
    .argument("[arguments...]");

  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed its message already; asking for help or the version is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

/** A command that prints a one-line segment, with the options they all have. */
function segmentCommand(program: Command, name: string): Command {
  return program
    .command(name)
    .option("--always", "show zero when nothing is up")
    .option("--short", "signs in place of words: !2 ✓1 ▶3")
    .option("--title", "name the session that has waited longest");
}

function segmentRequest({ always = false, short = false, title = false }: Partial<SegmentRequest>): SegmentRequest {
  return { always, short, title };
}

/** A parser of ours as commander wants it: its message says what is wrong with the option. */
function checked<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}

function parseTime(text: string): number {
  const seconds = secondsOfIso(text);
  if (seconds === undefined)
    throw new SessionsError("usage", `"${text}" is not a time.`, "Example: 2026-05-28T03:45:00Z");
  return seconds;
}
