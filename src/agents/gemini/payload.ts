import * as z from "zod";
import { id, lenient, text, values } from "../fields";

/** What Gemini CLI's hooks receive on stdin (hooks reference; seen in recordings of 0.61.0). */
export const geminiPayload = z.looseObject({
  session_id: id,
  hook_event_name: id,
  cwd: text,
  transcript_path: text,
  source: text,
  reason: text,
  prompt: text,
  prompt_response: text,
  tool_name: text,
  tool_input: values,
  tool_response: lenient(z.looseObject({ llmContent: text })),
  notification_type: text,
  message: text,
  details: lenient(
    z.looseObject({ type: text, command: text, filePath: text, fileName: text, serverName: text, toolName: text }),
  ),
  trigger: text,
});

export type GeminiPayload = z.infer<typeof geminiPayload>;
