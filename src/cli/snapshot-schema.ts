import * as z from "zod";
import { DELIVERY_WAYS, OUTCOMES, REQUEST_KINDS } from "../session/request";
import { SOURCES } from "../session/session";
import { DISPLAY_STATES, SIGNALS } from "../session/signal";
import { STATES, WAIT_KINDS } from "../session/state";

const moment = z.iso.datetime().describe("ISO 8601, UTC");
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

const signal = z.enum(SIGNALS);

export const sessionSchema = z.object({
  id: z.string().describe("agent:session_id, unique in a snapshot"),
  agent: z.string(),
  session_id: z.string(),
  surface: maybe(z.string()).describe("where the agent runs, when that is part of its name (codex-vscode)"),
  state: z.enum(STATES),
  since: moment.describe("when the session entered the state"),
  age_seconds: z.int().nonnegative().describe("whole seconds from since to generated_at"),
  unread: z.boolean().describe("the last finished answer was not seen; outlives the session"),
  needs_you: z.boolean().describe("waiting, decision or failed"),
  title: z.string(),
  project: maybe(z.string()).describe("the name of the folder it works in"),
  cwd: maybe(z.string()),
  message: maybe(z.string()).describe("what the session wants; only while it needs you"),
  waiting_for: maybe(z.enum(WAIT_KINDS)),
  activity: maybe(z.string()),
  tool: maybe(z.string()),
  event: maybe(z.string()),
  event_at: maybe(moment),
  permission_mode: maybe(z.string()),
  turn_started_at: maybe(moment),
  done_at: maybe(moment),
  wakeup_at: maybe(moment),
  subagents: z.int().nonnegative(),
  running_subagents: z
    .array(z.object({ id: z.string(), type: maybe(z.string()) }))
    .describe("by id, where they are known; others tell only how many"),
  background: z.array(
    z.object({
      id: z.string(),
      command: maybe(z.string()),
      started_at: maybe(moment),
      status: maybe(z.string()),
      exit_code: maybe(z.int()),
      failed_at: maybe(moment),
    }),
  ),
  monitors: z.array(z.object({ id: z.string(), text: z.string(), started_at: maybe(moment) })),
  name: maybe(z.string()).describe("under which other sessions reach it"),
  kind: maybe(z.enum(["interactive", "background"])),
  version: maybe(z.string()).describe("of the agent"),
  config: maybe(z.string()).describe(
    "what to call its configuration folder, else its status directory; null for usual ones",
  ),
  pid: maybe(z.int().positive()),
  process: z.enum(["running", "gone", "unknown"]).describe("whether its process runs, where it is known for certain"),
  model: maybe(z.string()),
  context_tokens: maybe(z.number().nonnegative()).describe("what waking the session sends again"),
  context_window: maybe(z.number().positive()),
  last_answer_at: maybe(moment).describe("the clock of the prompt cache"),
  cache: z.object({
    state: z.enum(["active", "warm", "cold", "none", "unknown"]),
    until: maybe(moment).describe("when a warm one goes cold"),
    cold_since: maybe(moment).describe("the last answer before a cold one went cold"),
    ttl_seconds: maybe(z.number().positive()),
    ttl_from: maybe(z.enum(["preference", "session", "assumed"])),
  }),
  plugin: maybe(z.object({ pickup: maybe(z.string()), file: maybe(z.string()) })).describe(
    "our plugin runs in it; with the pickup phrase and the memory file it knows",
  ),
  request: maybe(
    z.object({
      id: z.string(),
      kind: z.enum(REQUEST_KINDS),
      by: maybe(z.enum(DELIVERY_WAYS)),
      steps: z.array(
        z.object({
          outcome: z.enum(OUTCOMES),
          at: moment,
          reason: maybe(z.string()),
          proof: maybe(z.object({ file: z.string(), lines: z.int().nonnegative() })),
        }),
      ),
    }),
  ).describe("the last request to it, while its outcome is news"),
  same_process: z.array(z.string()).describe("other rows of the same process, by id"),
  sources: z.array(z.enum(SOURCES)),
  unreadable_since: maybe(moment).describe("set when the row is the last good one: its file cannot be read now"),
});

/** What `show --json` prints: a session with what each source says of it. */
export const sessionDetailSchema = sessionSchema.extend({
  evidence: z.array(
    z.object({
      source: z.enum(SOURCES),
      file: z.string(),
      state: z.enum(STATES).describe("unknown where it tells none"),
      verdict: z.enum(["stands", "agrees", "overrules", "overruled", "adds"]),
      why: maybe(z.string()),
      at: moment,
      event: maybe(z.string()),
      unreadable_since: maybe(moment),
    }),
  ),
});

export const statusSchema = z.object({
  schema_version: z.literal(1),
  aggregate: signal,
  display_state: z.enum(DISPLAY_STATES),
  lamp_state: z.enum(DISPLAY_STATES).describe("the same as display_state"),
  priority: z.int().min(0).max(100),
  display_name: z.string(),
  summary: z.string(),
  action: z.string(),
  state_file: z.string(),
  updated_at: moment.optional().describe("the latest news of any source; absent when there is none"),
  needs_you: z.int().nonnegative(),
  unread: z.int().nonnegative(),
  sessions: z.array(
    z.object({
      session_id: z.string(),
      agent: z.string(),
      signal,
      last_event: z.string().optional(),
      updated_at: moment,
    }),
  ),
  recent_events: z.array(
    z.object({
      id: z.string(),
      session_id: z.string(),
      agent: z.string().optional(),
      signal,
      event: z.string().optional(),
      updated_at: moment,
    }),
  ),
});

/** What `list --json` prints, version 1. Fields may be added; these keep their meaning. */
export const snapshotSchema = z
  .object({
    schema_version: z.literal(1),
    generated_at: moment,
    aggregate: statusSchema,
    sessions: z.array(sessionSchema),
    problems: z.array(
      z.object({
        file: z.string(),
        field: maybe(z.string()),
        reason: z.string(),
        outcome: z.enum(["refused", "repaired", "unreadable"]),
      }),
    ),
  })
  .meta({ title: "Agent Sessions snapshot, version 1", description: "What `agent-sessions list --json` prints." });

/** The JSON Schema of `list --json`, as docs/snapshot-v1.schema.json holds it. */
export function snapshotJsonSchema(): unknown {
  return z.toJSONSchema(snapshotSchema);
}
