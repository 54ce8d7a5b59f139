import * as z from "zod";
import { id, lenient, text } from "../fields";

/** What Cursor's hooks receive on stdin (hooks reference). Most events name the workspace, not a folder. */
export const cursorPayload = z.looseObject({
  hook_event_name: id,
  conversation_id: text,
  session_id: text,
  parent_conversation_id: text,
  cwd: text,
  workspace_roots: lenient(z.array(z.string())),
  prompt: text,
  tool_name: text,
  tool_input: lenient(z.union([z.record(z.string(), z.unknown()), z.string()])),
  tool_use_id: text,
  command: text,
  subagent_id: text,
  subagent_type: text,
  trigger: text,
  status: text,
  error_message: text,
});

export type CursorPayload = z.infer<typeof cursorPayload>;
