import { SIGNALS } from "../../session/signal";

/** Commands that have a help of their own. */
export type HelpTopic = "list" | "status" | "signal" | "set" | "session" | "reset" | "hook" | "run";

interface Help {
  /** Forms of the command line, after the program's name. */
  usage: readonly string[];
  /** What it does, in a sentence or two. */
  about: readonly string[];
  options: readonly (readonly [option: string, meaning: string])[];
  examples: readonly string[];
}

const JSON_OPTION = ["-j, --json", "print the status as JSON"] as const;
const SESSION_OPTION = ["-s, --session <id>", "the session the signal is of"] as const;
const AGENT_OPTION = ["--agent <name>", "the agent (also --source)"] as const;
const EVENT_OPTION = ["--event <name>", "what happened, for the record (also --label)"] as const;
const HELP_OPTION = ["-h, --help", "print this help"] as const;

const HELP: Readonly<Record<HelpTopic, Help>> = {
  list: {
    usage: ["list"],
    about: ["Lists every signal with its display state, name and action, separated by tabs."],
    options: [HELP_OPTION],
    examples: ["list"],
  },
  status: {
    usage: ["status [--json]"],
    about: ["Shows the aggregate, the sessions and the recent events. What expired is removed from the document."],
    options: [JSON_OPTION, HELP_OPTION],
    examples: ["status", "status --json"],
  },
  signal: {
    usage: ["<signal> [--session <id>] [--agent <name>] [--event <name>] [--json]"],
    about: [
      "Sets a signal and shows the status: of a session when one is named, else by hand.",
      "By hand, idle clears every session, and off pauses until the next signal.",
      `Signals: ${SIGNALS.join(", ")}`,
    ],
    options: [SESSION_OPTION, AGENT_OPTION, EVENT_OPTION, JSON_OPTION, HELP_OPTION],
    examples: ["working --session build --agent script --event Compile", "permission --session build", "idle"],
  },
  set: {
    usage: ["set <signal> [--session <id>] [--agent <name>] [--event <name>] [--json]"],
    about: ["Sets a signal, as the signal's name alone does. Also: play."],
    options: [SESSION_OPTION, AGENT_OPTION, EVENT_OPTION, JSON_OPTION, HELP_OPTION],
    examples: ["set attention", "set done --session build"],
  },
  session: {
    usage: ["session <signal> [--session <id>] [--agent <name>] [--event <name>] [--json]"],
    about: ['Sets a session\'s signal; the session is "global" unless one is named.'],
    options: [SESSION_OPTION, AGENT_OPTION, EVENT_OPTION, JSON_OPTION, HELP_OPTION],
    examples: ["session working --session build"],
  },
  reset: {
    usage: ["reset [--json]"],
    about: ["Clears every session and the pause. Also: clear-all."],
    options: [JSON_OPTION, HELP_OPTION],
    examples: ["reset"],
  },
  hook: {
    usage: [
      "claude-hook [event] [--session <id>] [--agent <name>] [--event <name>]",
      "codex-hook [event] [--session <id>] [--agent <name>] [--event <name>]",
      "agent-hook [event] [--session <id>] [--agent <name>] [--event <name>]",
    ],
    about: [
      "Turns an agent's hook event, a JSON object on standard input, into its session's signal. Prints nothing.",
      "Also: generic-hook and hook for agent-hook.",
    ],
    options: [
      ["-s, --session <id>", "the session, instead of what the event says"],
      ["--agent <name>", "the agent, instead of what the event says (also --source)"],
      ["--event <name>", "the event's name for the record (also --label)"],
      HELP_OPTION,
    ],
    examples: ["agent-hook AgentStarted --session build </dev/null"],
  },
  run: {
    usage: ["run [options] [--] <command> [arguments]"],
    about: [
      "Runs a command as a session: working while it runs, then done, or blocked when its exit code is not 0.",
      "Ends with the command's exit code; 127 when there is no such command, 2 for a wrong command line.",
    ],
    options: [
      ["-s, --session <id>", "the session (script-<command>-<pid>)"],
      ["--agent <name>", "the agent (script; also --source)"],
      ["--start-event <name>", "the event when it starts (CommandStarted)"],
      ["--done-event <name>", "the event when it succeeds (CommandFinished)"],
      ["--blocked-event <name>", "the event when it fails, with its code (CommandFailed; also --failed-event)"],
      HELP_OPTION,
    ],
    examples: ["run -- make test", "run --session deploy --agent ci -- ./deploy.sh staging"],
  },
};

/** The help of one command. */
export function helpOf(topic: HelpTopic, program: string): string {
  const { usage, about, options, examples } = HELP[topic];
  return paragraphs([
    usage.map((form, index) => `${index === 0 ? "Usage:" : "      "} ${program} ${form}`),
    about,
    ["Options:", ...columns(options)],
    [examples.length === 1 ? "Example:" : "Examples:", ...examples.map((example) => `  ${program} ${example}`)],
  ]);
}

/** The help of the whole command. */
export function usage(program: string): string {
  const commands = [
    ["status [--json]", "show the aggregate, the sessions and the recent events"],
    ["<signal> [options]", "set a signal, by hand or of a session"],
    ["set <signal> [options]", "the same (also: play)"],
    ["session <signal> [options]", "set a session's signal"],
    ["reset", "clear every session (also: clear-all)"],
    ["list", "list the signals"],
    ["claude-hook [event]", "take a Claude Code hook event on standard input"],
    ["codex-hook [event]", "take a Codex hook event on standard input"],
    ["agent-hook [event]", "take any other agent's event (also: generic-hook, hook)"],
    ["run [options] -- <command>", "run a command and report it as a session"],
    ["help", "print this help"],
  ] as const;
  const options = [
    ["-s, --session <id>", "the session the signal is of"],
    ["--agent, --source <name>", "the agent"],
    ["--event, --label <name>", "what happened, for the record"],
    ["-j, --json", "print the status as JSON"],
    ["-h, --help", "print the help of a command"],
    ["--version", "print the version"],
  ] as const;
  return paragraphs([
    [`Usage: ${program} <command> [options]`],
    ["Keeps the state document of Agent Signal: what each agent session does, and which one needs you."],
    ["Commands:", ...columns(commands)],
    ["Options:", ...columns(options)],
    ["Signals:", ...signalLines()],
    [
      "Examples:",
      `  ${program} working --session build --agent script --event Compile`,
      `  echo '{"event":"AgentStarted","session_id":"build"}' | ${program} agent-hook`,
      `  ${program} run -- make test`,
      `  ${program} status --json`,
    ],
    ["Exit codes: 0 ok, 1 failed; run: the command's own.", `Run ${program} <command> --help for one command.`],
  ]);
}

/** The signals' names, some to a line. */
function signalLines(): string[] {
  const lines: string[] = [];
  for (let start = 0; start < SIGNALS.length; start += 6) lines.push(SIGNALS.slice(start, start + 6).join(", "));
  return lines.map((line, index) => `  ${line}${index === lines.length - 1 ? "" : ","}`);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

function paragraphs(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
