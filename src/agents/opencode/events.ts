import type { Ask } from "../../session/event";
import { cutText } from "../../session/text";
import { titleFrom } from "../claude/prompt";
import { activityOf, inputDigest } from "../claude/tool";
import { lineOf, toolNamed } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { MapPayload } from "../../session/mapping";
import { readOpencode, type OpencodeEvent, type OpencodeFields } from "./payload";

/**
 * Maps opencode's events and plugin hooks (plugin typings; seen in recordings of 1.18.33). A subagent is a session of
 * its own there: its events are its parent's, inside a subagent. Nothing tells of the end of a session but its
 * deletion, so its process has to: `OPENCODE_PID` is the one the plugin runs in.
 */
export const mapOpencode: MapPayload = (payload, setting) => {
  const read = readOpencode(payload, setting);
  if (read === undefined) return { outcome: "refused", reason: "type: neither payload nor hook names the event" };
  const { type, parent, directory } = read;
  const own = read.fields.sessionID ?? read.fields.info?.id;
  // Some events are about no session, an error before one began among them.
  if (own === undefined || own === "") return { outcome: "ignored", event: type };
  const happened = parent === undefined ? happeningOf(read) : happeningInside(read, own);
  if (happened === undefined) return { outcome: "ignored", event: type };
  const title = parent === undefined && type.startsWith("session.") ? titleOf(read.fields) : undefined;
  // Whoever deletes a session need not be the one that runs it.
  const pid = type === "session.deleted" ? undefined : pidOf(setting.env.OPENCODE_PID);
  return {
    outcome: "event",
    identity: { agent: "opencode", sessionId: parent ?? own },
    event: {
      at: setting.at,
      name: cutText(type, 64),
      ...given("agentId", parent === undefined ? undefined : own),
      ...given("cwd", directory),
      ...given("title", title),
      ...given("pid", pid),
      ...happened,
    },
  };
};

function happeningOf({ type, fields }: OpencodeEvent): Happening | undefined {
  switch (type) {
    case "session.created":
      return { kind: "session-started", source: "startup" };
    case "session.updated":
      return titleOf(fields) === undefined ? undefined : { kind: "noted" };
    case "session.deleted":
      return { kind: "session-ended", byUser: true };
    case "session.status":
      return statusOf(fields);
    case "session.idle":
      return { kind: "answer-finished", onlyFromWork: true };
    case "session.error":
      return fields.error?.name === "MessageAbortedError"
        ? { kind: "turn-stopped" }
        : { kind: "turn-failed", reason: failureOf(fields) };
    case "chat.message":
      return promptOf(fields);
    case "experimental.session.compacting":
      return { kind: "compaction-started", manual: false };
    case "message.part.updated":
      // "/compact" writes this part first; the events that follow do not tell it from a compaction by itself.
      return fields.part?.type === "compaction"
        ? { kind: "compaction-started", manual: fields.part.auto === false }
        : undefined;
    case "session.compacted":
      return { kind: "compaction-finished" };
    default:
      return stepOf(type, fields);
  }
}

/** What happens in a subagent's session: it runs, takes its steps and ends. Its own course is not the parent's. */
function happeningInside({ type, fields }: OpencodeEvent, subagent: string): Happening | undefined {
  switch (type) {
    case "session.created":
    case "chat.message":
      return { kind: "subagent-started", subagent };
    case "session.status":
      return fields.status?.type === "idle"
        ? { kind: "subagent-stopped", subagent }
        : { kind: "subagent-started", subagent };
    case "session.idle":
    case "session.error":
    case "session.deleted":
      return { kind: "subagent-stopped", subagent };
    default:
      return stepOf(type, fields);
  }
}

/** The steps of an agent, the main one or a subagent: its calls, and what they ask for. */
function stepOf(type: string, fields: OpencodeFields): Happening | undefined {
  switch (type) {
    case "tool.execute.before":
      if (typeof fields.tool !== "string") return undefined;
      return {
        kind: "tool-started",
        tool: cutText(fields.tool, 64),
        ...given("call", fields.callID),
        input: inputDigest(fields.args),
        ...given("activity", activityOf(fields.args)),
        beside: true,
      };
    case "tool.execute.after":
      return {
        kind: "tool-finished",
        ...given("tool", typeof fields.tool === "string" ? toolNamed(fields.tool) : undefined),
        ...given("call", fields.callID),
        effects: [],
        // A call that Esc broke off ends after the turn did.
        onlyFromWork: true,
      };
    case "permission.asked":
    case "permission.updated":
      // The second is its name in older versions.
      return { kind: "input-asked", ask: permissionOf(fields), ...requestOf(fields) };
    case "question.asked":
      return { kind: "input-asked", ask: questionOf(fields), ...requestOf(fields) };
    case "permission.replied":
      return answerOf(fields, (fields.reply ?? fields.response) === "reject");
    case "question.replied":
      return answerOf(fields, false);
    case "question.rejected":
      return answerOf(fields, true);
    default:
      return undefined;
  }
}

/** `busy` comes at every call of the model, `idle` whenever the session comes to rest, after an error twice. */
function statusOf({ status }: OpencodeFields): Happening | undefined {
  switch (status?.type) {
    case "busy":
      return { kind: "step-started" };
    case "idle":
      return { kind: "answer-finished", onlyFromWork: true };
    case "retry":
      return { kind: "noted" };
    default:
      return undefined;
  }
}

function promptOf({ parts }: OpencodeFields): Happening {
  const texts = (parts ?? []).filter(({ type }) => type === "text");
  const written = texts.find(({ synthetic }) => synthetic !== true);
  const text = titleFrom(written?.text ?? "");
  const origin = texts.length > 0 && written === undefined ? "system" : "user";
  return { kind: "prompt-submitted", origin, ...given("text", text) };
}

function requestOf({ id, callID, tool }: OpencodeFields): { source?: string; call?: string } {
  return { ...given("source", id), ...given("call", typeof tool === "object" ? (tool.callID ?? callID) : callID) };
}

function answerOf({ requestID, permissionID }: OpencodeFields, refused: boolean): Happening {
  return {
    kind: "input-answered",
    ...given("source", requestID ?? permissionID),
    ...(refused ? { refused } : {}),
  };
}

function permissionOf({ permission, type, title, patterns, metadata }: OpencodeFields): Ask {
  const what = activityOf(metadata) ?? (patterns === undefined ? title : patterns.join(", "));
  const said = [permission ?? type, what].filter((part) => part !== undefined && part !== "").join(": ");
  return { kind: "permission", ...given("message", lineOf(said)) };
}

function questionOf({ questions }: OpencodeFields): Ask {
  return { kind: "question", ...given("message", lineOf(questions?.[0]?.question)) };
}

function failureOf({ error }: OpencodeFields): string {
  return lineOf([error?.name, error?.data?.message].filter((part) => part !== undefined).join(": ")) ?? "Failed";
}

/** The session's own title; the one it has before it is named tells nothing. */
function titleOf({ info }: OpencodeFields): string | undefined {
  const title = lineOf(info?.title, 80);
  return title === undefined || /^(New|Child) session - \d{4}-\d\d-\d\dT/.test(title) ? undefined : title;
}

function pidOf(value: string | undefined): number | undefined {
  const pid = Number(value);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}
