import * as z from "zod";
import { moment, optional } from "./signal-field";

const window = z.object({
  remaining_percent: z.number(),
  used_percent: z.number(),
  window_minutes: optional(z.int()),
  resets_at: optional(moment),
});

/** The quota that the Codex desktop reader adds to a session's record. It is checked, and passed on as it is. */
export const quota = z.object({
  remaining_percent: z.number(),
  used_percent: optional(z.number()),
  limit_name: optional(z.string()),
  window_minutes: optional(z.int()),
  resets_at: optional(moment),
  updated_at: moment,
  primary: optional(window),
  secondary: optional(window),
  token_usage: optional(
    z.object({
      input_tokens: optional(z.int()),
      cached_input_tokens: optional(z.int()),
      output_tokens: optional(z.int()),
      reasoning_output_tokens: optional(z.int()),
      total_tokens: optional(z.int()),
      context_window_tokens: optional(z.int()),
    }),
  ),
});
