import * as z from "zod";
import { id, lenient, text } from "../fields";

/**
 * What Codex's hooks receive beside what they share with Claude Code's (hooks reference; seen in recordings of
 * 0.171.0). `agent_id` is there inside subagents only.
 */
export const codexPayload = z.looseObject({
  session_id: id,
  hook_event_name: id,
  cwd: text,
  permission_mode: text,
  agent_id: text,
  turn_id: text,
});

/**
 * What Codex's `notify` program gets as its last argument. `client` names the program that runs the thread; a thread
 * that Codex itself started for a subagent has none (seen in recordings of 0.171.0).
 */
export const codexNotification = z.looseObject({
  type: z.literal("agent-turn-complete"),
  "thread-id": id,
  "turn-id": text,
  cwd: text,
  client: text,
  "input-messages": lenient(z.array(z.string())),
});

export type CodexNotification = z.infer<typeof codexNotification>;
