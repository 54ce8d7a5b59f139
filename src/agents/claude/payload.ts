import * as z from "zod";
import { id, lenient, text } from "../fields";

const backgroundTask = z.looseObject({
  id: z.string().transform((value) => value.toWellFormed()),
  type: text,
  status: text,
  description: text,
  command: text,
  agent_type: text,
});

/**
 * What Claude Code's hooks receive on stdin: the base fields of every event and the extra ones of those we map
 * (hooks reference; seen in recordings of 2.1.332). Only the session's id and the event's name are required.
 */
export const claudePayload = z.looseObject({
  session_id: id,
  hook_event_name: z.string().min(1),
  cwd: text,
  permission_mode: text,
  agent_id: text,
  agent_type: text,
  session_title: text,
  source: text,
  reason: text,
  prompt: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: lenient(z.record(z.string(), z.unknown())),
  tool_response: lenient(z.record(z.string(), z.unknown())),
  notification_type: text,
  message: text,
  trigger: text,
  error: text,
  error_details: text,
  last_assistant_message: text,
  background_tasks: lenient(z.array(backgroundTask)),
  session_crons: lenient(z.array(z.looseObject({ id: text, schedule: text, recurring: lenient(z.boolean()) }))),
  mcp_server_name: text,
  new_cwd: text,
  transcript_path: text,
  context_tokens: lenient(z.number().nonnegative()),
  seconds_since_last_response: lenient(z.number().nonnegative()),
  prompt_cache_likely_expired: lenient(z.boolean()),
  prompt_cache_warm: lenient(z.boolean()),
  cache_ttl: text,
  to_model: text,
  model: text,
});

export type ClaudePayload = z.infer<typeof claudePayload>;
