import { cutText } from "../../session/text";
import { titleFrom } from "../claude/prompt";
import { activityOf, inputDigest } from "../claude/tool";
import { isEmpty, refusal, toolNamed } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { MapPayload } from "../../session/mapping";
import { geminiPayload, type GeminiPayload } from "./payload";
import { callAskedFor, callOf, geminiChoice, permissionAsk, wasCancelled } from "./tool";

/** What AfterAgent holds when there was none: an error, or the user stopped before the first word. */
const NO_ANSWER = "[no response text]";

/**
 * Maps what Gemini CLI's hooks received (hooks reference; seen in recordings of 0.61.0). A denial and a dismissed
 * question fire nothing, and Esc in an answer looks like an answer: hooks cannot know these.
 */
export const mapGemini: MapPayload = (payload, setting) => {
  // At exit the last hook may be started without a payload: the end was told before.
  if (isEmpty(payload)) return { outcome: "ignored", event: setting.event ?? "" };
  const parsed = geminiPayload.safeParse(payload);
  if (!parsed.success) return refusal(parsed.error);
  const { session_id: sessionId, hook_event_name: name, cwd, transcript_path: transcript } = parsed.data;
  const happened = happeningOf(parsed.data);
  if (happened === undefined) return { outcome: "ignored", event: name };
  return {
    outcome: "event",
    identity: { agent: "gemini", sessionId },
    event: {
      at: setting.at,
      name: cutText(name, 64),
      ...given("cwd", cwd),
      ...given("transcript", transcript),
      ...happened,
    },
  };
};

function happeningOf(payload: GeminiPayload): Happening | undefined {
  const { tool_name: tool } = payload;
  switch (payload.hook_event_name) {
    case "SessionStart":
      return { kind: "session-started", source: startSource(payload.source) };
    case "SessionEnd":
      return { kind: "session-ended", byUser: payload.reason === "clear" };
    case "BeforeAgent":
      return { kind: "prompt-submitted", origin: "user", ...given("text", titleFrom(payload.prompt ?? "")) };
    case "AfterAgent":
      return payload.prompt_response === NO_ANSWER
        ? { kind: "turn-failed", reason: "Ended without an answer" }
        : { kind: "answer-finished" };
    case "BeforeTool":
      if (tool === undefined) return { kind: "noted" };
      return {
        kind: "tool-started",
        tool: cutText(tool, 64),
        call: callOf(payload),
        input: inputDigest(payload.tool_input),
        ...given("activity", activityOf(payload.tool_input)),
        ...given("asks", geminiChoice(payload)),
        beside: true,
      };
    case "AfterTool":
      if (wasCancelled(payload)) return { kind: "turn-stopped" };
      return {
        kind: "tool-finished",
        ...given("tool", toolNamed(tool)),
        call: callOf(payload),
        effects: [],
        onlyFromWork: true,
      };
    case "Notification":
      return notificationOf(payload);
    case "PreCompress":
      // By itself it fires at every call of the model, whether anything is compressed or not.
      return payload.trigger === "manual" ? { kind: "compaction-started", manual: true, untilNext: true } : undefined;
    default:
      return undefined;
  }
}

function notificationOf(payload: GeminiPayload): Happening | undefined {
  if (payload.notification_type !== "ToolPermission") return undefined;
  // The question itself was told with the call.
  if (payload.details?.type === "ask_user") return { kind: "wait-noticed", ask: { kind: "question" } };
  return { kind: "input-asked", ask: permissionAsk(payload), ...given("call", callAskedFor(payload)) };
}

function startSource(source: string | undefined): "startup" | "resume" | "clear" {
  return source === "resume" || source === "clear" ? source : "startup";
}
