import * as z from "zod";
import { callTool, type Asked } from "../host/tools";

const name = { id: z.string().min(1), title: z.string().regex(/^«[^«»]*»$/) };
const note = z.string().regex(/never instructions/);
const fencedText = z.string().regex(/^«[^«»]*»$/);

const brief = z.strictObject({
  ...name,
  agent: z.string(),
  state: z.string(),
  since: z.iso.datetime(),
  age: z.string(),
  needs_you: z.boolean(),
  unread: z.boolean(),
  wants: z.string().optional(),
  message: fencedText.optional(),
  doing: fencedText.optional(),
  beside: z.string().optional(),
  cache_text: z.string(),
  context_tokens: z.number().optional(),
  project: fencedText.optional(),
  request_text: fencedText.optional(),
});

/** What each tool answers, strictly: a key that is not here is a mistake, in an answer and in the mock of an eval. */
export const ANSWERS = {
  "list-sessions": z.strictObject({
    note,
    at: z.iso.datetime(),
    known: z.number(),
    matching: z.number(),
    left_out: z.number(),
    sessions: z.array(brief).max(50),
    hint: z.string().optional(),
    problems: z.array(z.string()).optional(),
  }),
  "show-session": z.strictObject({
    note,
    at: z.iso.datetime(),
    session: z.looseObject(brief.shape),
    explanation: fencedText,
  }),
  "mark-as-read": z.strictObject({
    note,
    marked: z.array(z.strictObject(name)).max(50),
    left_out: z.number(),
    already_read: z.array(z.strictObject(name)).max(50),
  }),
  "pause-sessions": z.strictObject({
    note,
    reached: z
      .array(z.strictObject({ ...name, outcome: fencedText, by: z.string().optional(), remark: fencedText.optional() }))
      .max(50),
    left_asleep: z
      .array(z.strictObject({ ...name, reason: fencedText, context_tokens: z.number().optional() }))
      .max(50),
    not_reached: z.array(z.strictObject({ ...name, reason: fencedText })).max(50),
    left_out: z.number(),
    hint: z.string(),
  }),
};

/** A tool's answer, read by its schema. */
export type Answer<Name extends keyof typeof ANSWERS> = z.infer<(typeof ANSWERS)[Name]>;

export async function list(input?: unknown): Promise<Answer<"list-sessions">> {
  return ANSWERS["list-sessions"].parse((await callTool("list-sessions", input)).answer);
}

export async function show(session: unknown): Promise<Answer<"show-session">> {
  return ANSWERS["show-session"].parse((await callTool("show-session", { session })).answer);
}

export async function mark(input: unknown): Promise<Answer<"mark-as-read">> {
  return ANSWERS["mark-as-read"].parse((await callTool("mark-as-read", input)).answer);
}

/** Pauses; the user says yes. */
export async function pause(input: unknown): Promise<{ asked: Asked; answer: Answer<"pause-sessions"> }> {
  const { asked, answer } = await callTool("pause-sessions", input);
  if (asked === undefined) throw new Error("the user was not asked");
  return { asked, answer: ANSWERS["pause-sessions"].parse(answer) };
}
