import * as z from "zod";
import type { SessionRecord } from "../session/record";
import { STATES, WAIT_KINDS } from "../session/state";
import { byName } from "./by-name";
import type { Finding } from "./problem";
import { isMoment } from "./timestamp";

/** The version of our session files; a newer one is not read, so that it is not overwritten with less. */
const VERSION = 1;

/** One session in our own store: its record, and which entries of the inbox it has folded that may still lie there. */
export interface SessionFile {
  record: SessionRecord;
  /** Ids of inbox entries (name and modification time) that are in the record already. */
  folded: readonly string[];
}

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");
const phase = z.enum(["idle", "working", "done", "failed", "compacting", "dormant"]);

const background = z.object({
  at: moment.optional(),
  command: z.string().optional(),
  status: z.string().optional(),
  exitCode: z.int().optional(),
  failedAt: moment.optional(),
});

const call = z.object({
  tool: z.string(),
  call: z.string().optional(),
  input: z.string().optional(),
  agentId: z.string().optional(),
  activity: z.string().optional(),
});

const wait = z.object({
  kind: z.enum(WAIT_KINDS),
  message: z.string().optional(),
  call: z.string().optional(),
  tool: z.string().optional(),
  agentId: z.string().optional(),
  source: z.string().optional(),
});

const context = z.object({
  tokens: z.number().nonnegative().optional(),
  window: z.number().positive().optional(),
  model: z.string().optional(),
  lastAnswerAt: moment.optional(),
  ttl: z.number().positive().optional(),
  isGone: z.boolean().optional(),
  toldAt: moment.optional(),
});

/** Unknown fields are kept: a record of a later minor version loses nothing here. */
const record = z.looseObject({
  agent: z.string().min(1),
  sessionId: z.string().min(1),
  surface: z.string().optional(),
  phase,
  phaseBefore: phase.optional(),
  compactsUntilNext: z.literal(true).optional(),
  refused: z.literal(true).optional(),
  turn: z.string().optional(),
  waits: z.array(wait),
  state: z.enum(STATES),
  since: moment,
  eventAt: moment,
  event: z.string(),
  calls: z.array(call),
  subagents: z.array(z.string()),
  subagentTypes: byName(z.string()).optional(),
  background: byName(background),
  monitors: byName(z.object({ text: z.string(), at: moment.optional() })),
  message: z.string().optional(),
  cwd: z.string().optional(),
  permissionMode: z.string().optional(),
  title: z.string().optional(),
  turnStartedAt: moment.optional(),
  doneAt: moment.optional(),
  wakeupAt: moment.optional(),
  userPromptAt: moment.optional(),
  pid: z.int().positive().optional(),
  pidKnownAt: moment.optional(),
  headless: z.boolean().optional(),
  terminal: byName(z.string()).optional(),
  toldAt: moment.optional(),
  transcript: z.string().optional(),
  configDirectory: z.string().optional(),
  context: context.optional(),
  pluginPid: z.int().positive().optional(),
  pluginAt: moment.optional(),
});

const schema = z.object({ version: z.literal(VERSION), record, folded: z.array(z.string()) });

/** Reads a session file of ours. It is whole or not at all, since we write it atomically. */
export function decodeSessionFile(
  text: string,
): { outcome: "session"; file: SessionFile } | { outcome: "refused"; findings: Finding[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "refused", findings: [{ reason: "is not JSON", outcome: "refused" }] };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { outcome: "session", file: { record: parsed.data.record, folded: parsed.data.folded } };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  const reason = issue?.message ?? "is not valid";
  return { outcome: "refused", findings: [{ ...(field === "" ? {} : { field }), reason, outcome: "refused" }] };
}

/** The text of a session file. */
export function encodeSessionFile({ record, folded }: SessionFile): string {
  return `${JSON.stringify({ version: VERSION, record, folded })}\n`;
}
