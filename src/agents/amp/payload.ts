import * as z from "zod";
import { id, lenient, text, values } from "../fields";

const thread = lenient(z.looseObject({ id: text }));

/**
 * What Amp's plugin sends: an event of the plugin API as it came, with its name (plugin manual; the API is marked
 * experimental). A session is a thread, wherever it is named.
 */
export const ampPayload = z.looseObject({
  type: id,
  thread,
  thread_id: text,
  session_id: text,
  cwd: text,
  message: text,
  tool: text,
  tool_use_id: text,
  input: values,
  status: text,
  error: lenient(z.union([z.string(), z.looseObject({ message: text })])),
});

export type AmpPayload = z.infer<typeof ampPayload>;
