import type { Ask } from "../../session/event";
import { choiceOf, inputDigest } from "../claude/tool";
import { lineOf } from "../fields";
import { given } from "../../session/given";
import type { GeminiPayload } from "./payload";

/**
 * A name for a call, since Gemini gives none: what the call is about, which its permission request repeats, else its
 * whole input.
 */
export function callOf({ tool_input: input }: GeminiPayload): string {
  const subject = subjectOf(input?.command) ?? subjectOf(input?.file_path);
  return subject === undefined ? inputDigest(input) : inputDigest({ subject });
}

/** The call a permission request is about, if its details tell. */
export function callAskedFor({ details }: GeminiPayload): string | undefined {
  const subject = subjectOf(details?.command) ?? subjectOf(details?.filePath);
  return subject === undefined ? undefined : inputDigest({ subject });
}

/** The choice a tool puts before the user, if it is one that does. */
export function geminiChoice({ tool_name: tool, tool_input: input }: GeminiPayload): Ask | undefined {
  switch (tool) {
    case "ask_user":
      return choiceOf("AskUserQuestion", input);
    case "exit_plan_mode":
      return choiceOf("ExitPlanMode", input);
    default:
      return undefined;
  }
}

/** A permission request as the user would put it. */
export function permissionAsk({ details, message }: GeminiPayload): Ask {
  const said = details?.command ?? details?.filePath ?? details?.fileName ?? mcpTool(details) ?? message;
  return { kind: "permission", ...given("message", lineOf(said)) };
}

/**
 * Whether a call ended because the user stopped the turn while it ran. No other event tells: Gemini's text for its
 * model is all there is (seen in recordings of 0.61.0).
 */
export function wasCancelled({ tool_response: response }: GeminiPayload): boolean {
  return /^(<untrusted_context>\s*)?Command was cancelled by user\b/.test(response?.llmContent ?? "");
}

function mcpTool(details: GeminiPayload["details"]): string | undefined {
  const { serverName, toolName } = details ?? {};
  return toolName === undefined ? undefined : serverName === undefined ? toolName : `${serverName}: ${toolName}`;
}

function subjectOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
