import * as z from "zod";
import { id, lenient, text } from "../fields";

/** A time of Qwen Code's: ISO 8601, or milliseconds. */
const moment = lenient(z.union([z.string(), z.number()]));

const backgroundTask = z.looseObject({ id, status: text, agent_type: text, description: text });

const cron = z.looseObject({ id: text, enabled: lenient(z.boolean()), next_run: moment });

/** What Qwen Code's Stop tells beside what it shares with Claude Code's (hooks reference; seen in recordings of
 * 0.24.4). */
export const qwenStop = z.looseObject({
  background_tasks: lenient(z.array(backgroundTask)),
  crons: lenient(z.array(cron)),
});

export type QwenStop = z.infer<typeof qwenStop>;
