import { cutText } from "../../session/text";
import { titleFrom } from "../claude/prompt";
import { activityOf, inputDigest } from "../claude/tool";
import { inSnakeCase, lineOf, refusal, toolNamed } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { MapPayload } from "../../session/mapping";
import { ampPayload, type AmpPayload } from "./payload";

/** Maps the events of Amp's plugin API (plugin manual). No event tells of a permission, a question or the end. */
export const mapAmp: MapPayload = (payload, setting) => {
  const fields = inSnakeCase(payload);
  const type = fields.type ?? fields.event ?? fields.hook_event_name ?? setting.event;
  const parsed = ampPayload.safeParse({ ...fields, type });
  if (!parsed.success) return refusal(parsed.error);
  const { type: name, thread, thread_id, session_id, cwd } = parsed.data;
  const sessionId = thread?.id ?? thread_id ?? session_id;
  if (sessionId === undefined || sessionId === "") {
    return { outcome: "refused", reason: "thread: neither it nor thread_id is there" };
  }
  const happened = happeningOf(parsed.data);
  if (happened === undefined) return { outcome: "ignored", event: name };
  return {
    outcome: "event",
    identity: { agent: "amp", sessionId },
    event: { at: setting.at, name: cutText(name, 64), ...given("cwd", cwd), ...happened },
  };
};

function happeningOf(payload: AmpPayload): Happening | undefined {
  const { tool, tool_use_id: call, input } = payload;
  switch (payload.type) {
    case "session.start":
      // A thread is opened, a new one or an old one: its answers are seen then, and none is forgotten.
      return { kind: "session-started", source: "resume" };
    case "session.end":
      return { kind: "session-ended", byUser: false };
    case "agent.start":
      return { kind: "prompt-submitted", origin: "user", ...given("text", titleFrom(payload.message ?? "")) };
    case "tool.call":
      if (tool === undefined) return { kind: "noted" };
      return {
        kind: "tool-started",
        tool: cutText(tool, 64),
        ...given("call", call),
        input: inputDigest(input),
        ...given("activity", activityOf(input)),
        beside: true,
      };
    case "tool.result":
      return {
        kind: "tool-finished",
        ...given("tool", toolNamed(tool)),
        ...given("call", call),
        effects: [],
        onlyFromWork: true,
      };
    case "agent.end":
      return endOf(payload);
    default:
      return undefined;
  }
}

function endOf({ status, error }: AmpPayload): Happening {
  switch (status) {
    case "interrupted":
    case "cancelled":
      return { kind: "turn-stopped" };
    case "error": {
      const said = typeof error === "string" ? error : error?.message;
      return { kind: "turn-failed", reason: lineOf(said) ?? "Ended with an error" };
    }
    default:
      return { kind: "answer-finished" };
  }
}
