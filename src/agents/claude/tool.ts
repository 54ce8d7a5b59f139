import { createHash } from "node:crypto";
import { isMoment } from "../../files/timestamp";
import type { Ask, ToolEffect } from "../../session/event";
import { cutText, oneLine } from "../../session/text";
import type { ClaudePayload } from "./payload";

type Input = NonNullable<ClaudePayload["tool_input"]>;

/** The tools that put a choice before the user. */
const QUESTION = "AskUserQuestion";
const PLAN = "ExitPlanMode";

/** What a call is about, in one line: its own description, else the argument that tells most. */
export function activityOf(input: Input | undefined): string | undefined {
  const said = stringAt(input, [
    "description",
    "command",
    "file_path",
    "notebook_path",
    "path",
    "url",
    "query",
    "pattern",
  ]);
  return said === undefined ? undefined : cutText(oneLine(said), 200);
}

/** A permission request as the user would put it: the tool and what it wants to do. */
export function permissionMessage(tool: string, input: Input | undefined): string {
  const what = stringAt(input, ["command", "file_path", "notebook_path", "url", "query", "path", "description"]);
  return cutText(what === undefined ? tool : `${tool}: ${oneLine(what)}`, 500);
}

/** The choice a tool puts before the user, if it is one that does. */
export function choiceOf(tool: string, input: Input | undefined): Ask | undefined {
  if (tool === QUESTION) return { kind: "question", ...messageOf(firstQuestion(input)) };
  if (tool === PLAN) return { kind: "plan", ...messageOf(stringAt(input, ["plan"])) };
  return undefined;
}

/**
 * A digest of a call's input: a permission request repeats tool and input but names no call. Not the input itself,
 * which is the user's.
 */
export function inputDigest(input: Input | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify(input ?? null))
    .digest("base64url")
    .slice(0, 16);
}

/** What a finished call changed beside its own end: background work, wake-ups (hooks reference, tool results). */
export function effectsOf(payload: ClaudePayload): ToolEffect[] {
  const { tool_name: tool, tool_input: input, tool_response: response } = payload;
  switch (tool) {
    case "Bash": {
      const id = stringAt(response, ["backgroundTaskId"]);
      if (id === undefined) return [];
      const command = stringAt(input, ["command"]);
      return [{ effect: "command-started", id, ...(command === undefined ? {} : { command: cutText(command, 500) }) }];
    }
    case "Monitor": {
      const id = stringAt(response, ["taskId"]);
      const text = stringAt(input, ["description", "command"]) ?? "Monitor";
      return id === undefined ? [] : [{ effect: "monitor-started", id, text: cutText(oneLine(text), 200) }];
    }
    case "TaskStop":
    case "KillShell": {
      const id = stringAt(input, ["task_id", "shell_id"]);
      return id === undefined ? [] : [{ effect: "task-stopped", id }];
    }
    case "ScheduleWakeup": {
      const at = typeof response?.scheduledFor === "number" ? moment(response.scheduledFor) : undefined;
      if (at !== undefined) return [{ effect: "wakeup-planned", at }];
      return response?.stopped === true ? [{ effect: "wakeups-cancelled" }] : [];
    }
    case "CronCreate": {
      const at = moment(response?.nextFireAt);
      return at === undefined ? [] : [{ effect: "wakeup-planned", at }];
    }
    default:
      return [];
  }
}

function moment(value: unknown): number | undefined {
  const milliseconds = typeof value === "string" ? Date.parse(value) : value;
  return typeof milliseconds === "number" && isMoment(milliseconds / 1000) ? milliseconds / 1000 : undefined;
}

function firstQuestion(input: Input | undefined): string | undefined {
  const questions: unknown = input?.questions;
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  if (typeof first !== "object" || first === null || !("question" in first)) return undefined;
  return typeof first.question === "string" ? first.question : undefined;
}

function messageOf(text: string | undefined): { message?: string } {
  return text === undefined || text.trim() === "" ? {} : { message: cutText(oneLine(text), 500) };
}

function stringAt(values: Input | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = values?.[key];
    if (typeof value === "string" && value.trim() !== "") return value.toWellFormed();
  }
  return undefined;
}
