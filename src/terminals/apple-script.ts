import type { Argv, StepAnswer } from "./focus-plan";

/**
 * A script with its data as arguments, which `on run argv` gets; nothing from outside is ever part of a source.
 * `--` ends the options, so data can begin with a dash. A script asks first whether its program runs: `tell` would
 * start it.
 */
export function script(source: string, ...data: readonly string[]): Argv {
  return ["/usr/bin/osascript", "-e", source, "--", ...data];
}

/** What our scripts return. */
export function answerOfScript(output: string): StepAnswer {
  switch (output.trim()) {
    case "done":
      return "done";
    case "missing":
      return "missing";
    default:
      return "unsupported";
  }
}
