import * as z from "zod";
import { id, lenient, text } from "../fields";

/** What Copilot CLI's hooks receive where it is not what Claude Code's do, in snake_case (hooks reference). */
export const copilotPayload = z.looseObject({
  session_id: id,
  cwd: text,
  source: text,
  agent_name: text,
  agent_id: text,
  notification_type: text,
  message: text,
  error: lenient(z.looseObject({ message: text, name: text })),
  recoverable: lenient(z.boolean()),
});

export type CopilotPayload = z.infer<typeof copilotPayload>;
