import type { CliIo, ExitCode } from "../io";
import { prompt } from "../verbs/prompt";
import { tmux } from "../verbs/tmux";
import { PROMPT_SHELLS } from "./prompt";
import type { SegmentRequest } from "./segment";

/** Runs one of the verbs that bars and prompts call every few seconds. */
export type OftenBar = (io: CliIo) => Promise<ExitCode>;

/**
 * What a command line of a bar or prompt does, read without the argument parser; undefined for any other command line,
 * and for one that only the parser can tell what is wrong with.
 */
export function oftenBar([verb, ...options]: readonly string[]): OftenBar | undefined {
  switch (verb) {
    case "tmux": {
      const request = segmentRequest(options);
      return request && ((io) => tmux(request, io));
    }
    case "prompt":
      return promptBar(options);
    case "waybar": {
      const request = segmentRequest(options);
      return request && (async (io) => (await import("../verbs/waybar")).waybar(request, io));
    }
    case "swiftbar": {
      const flags = flagsOf(options, ["--count-unread"]);
      const countUnread = flags?.has("--count-unread") === true;
      return flags && (async (io) => (await import("../verbs/swiftbar")).swiftbar({ countUnread }, io));
    }
    case "alfred": {
      const flags = flagsOf(options, ["--needs-me"]);
      const needsMe = flags?.has("--needs-me") === true;
      return flags && (async (io) => (await import("../verbs/alfred")).alfred({ needsMe }, io));
    }
    default:
      return undefined;
  }
}

function promptBar(options: readonly string[]): OftenBar | undefined {
  const words = options.flatMap((option) => (option.startsWith("--shell=") ? option.split("=") : [option]));
  const at = words.indexOf("--shell");
  const request = segmentRequest(at < 0 ? words : words.toSpliced(at, 2));
  if (at < 0 || request === undefined) return request && ((io) => prompt(request, io));
  const shell = PROMPT_SHELLS.find((each) => each === words[at + 1]);
  return shell && ((io) => prompt({ ...request, shell }, io));
}

function segmentRequest(options: readonly string[]): SegmentRequest | undefined {
  const flags = flagsOf(options, ["--always", "--short", "--title"]);
  return flags && { always: flags.has("--always"), short: flags.has("--short"), title: flags.has("--title") };
}

/** The flags given, when there is nothing else. */
function flagsOf(options: readonly string[], known: readonly string[]): ReadonlySet<string> | undefined {
  return options.every((option) => known.includes(option)) ? new Set(options) : undefined;
}
