import type { PromptOrigin, TaskEnd } from "../../session/event";
import { cutText, oneLine } from "../../session/text";

const TITLE_LIMIT = 80;

/** Who wrote a prompt: the payload's `source` where it is there (it was not in recordings), else how it begins. */
export function originOf(prompt: string, source: string | undefined): PromptOrigin {
  if (prompt.startsWith("<task-notification")) return "notification";
  if (prompt.startsWith("<cross-session-message")) return "peer";
  switch (source) {
    case "loop_wakeup":
    case "schedule_wakeup":
      return "wakeup";
    case "system":
    case "poll_event":
      return "system";
    default:
      return "user";
  }
}

/** A title from the user's first words; prompts that the client wraps (`<command-…`) give none. */
export function titleFrom(prompt: string): string | undefined {
  const line = oneLine(prompt);
  return line === "" || line.startsWith("<") || line.startsWith("/") ? undefined : cutText(line, TITLE_LIMIT);
}

const NOTIFICATION = /<task-notification>\s*<task-id>([^<]{1,200})<\/task-id>([\s\S]*?)(?=<task-notification>|$)/g;

/** The background tasks whose end a prompt tells, with how they ended. */
export function taskEndsIn(prompt: string): TaskEnd[] {
  if (!prompt.startsWith("<task-notification")) return [];
  return Array.from(prompt.matchAll(NOTIFICATION), ([, id = "", rest = ""]) => {
    const status = /<status>([^<]{1,40})<\/status>/.exec(rest)?.[1] ?? "completed";
    const summary = /<summary>([^<]*)<\/summary>/.exec(rest)?.[1] ?? "";
    const code = /\(exit code (-?\d+)\)/.exec(summary)?.[1];
    const exitCode = code === undefined || !Number.isSafeInteger(Number(code)) ? undefined : Number(code);
    return {
      id,
      status,
      failed: status === "failed" || (exitCode !== undefined && exitCode !== 0 && status === "completed"),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
  });
}
