import * as z from "zod";
import type { LiveEntry, LiveStatus } from "../session/live-entry";
import { cutText } from "../session/text";
import { given } from "../session/given";
import { claudeSessionId, refusalOf, RegistryFields } from "./claude-registry";
import type { Finding } from "./problem";

/** What `claude agents --json` printed: the sessions in it and what was wrong with some, or why none can be used. */
export type ClaudeAgents =
  { outcome: "entries"; entries: LiveEntry[]; findings: Finding[] } | { outcome: "refused"; reason: string };

/** More sessions than this are no one's. */
const ENTRY_LIMIT = 5_000;

const list = z.array(z.unknown());
const head = z.looseObject({ sessionId: claudeSessionId });

/** What a background job's own state (`state`) means, where its worker tells no status. */
const OF_STATE: Readonly<Record<string, LiveStatus>> = { working: "busy", blocked: "waiting", done: "idle" };

/**
 * Reads the output of `claude agents --json` (CLI reference: an array of sessions). One without an id is left out and
 * named, and so is a field of the wrong type. Text around the array (a notice of an update) is passed over.
 *
 * @param configDirectory the configuration folder the command was run for
 */
export function decodeClaudeAgents(output: string, configDirectory: string): ClaudeAgents {
  const parsed = list.safeParse(arrayIn(output));
  if (!parsed.success) {
    const said = cutText(output.trim(), 120);
    return { outcome: "refused", reason: said === "" ? "printed nothing" : `printed no list of sessions: ${said}` };
  }
  const entries: LiveEntry[] = [];
  const findings: Finding[] = [];
  for (const [index, value] of parsed.data.slice(0, ENTRY_LIMIT).entries()) {
    const session = head.safeParse(value);
    if (!session.success) {
      const { field, reason } = refusalOf(session.error.issues[0]);
      const place = field === undefined ? `[${index}]` : `[${index}].${field}`;
      findings.push({ field: place, reason: `${reason}; left out`, outcome: "repaired" });
      continue;
    }
    const { sessionId, ...rest } = session.data;
    const fields = new RegistryFields(rest, `[${index}].`);
    entries.push({ agent: "claude", sessionId, ...entryOf(fields), configDirectory });
    findings.push(...fields.findings);
  }
  return { outcome: "entries", entries, findings };
}

function entryOf(fields: RegistryFields): Omit<LiveEntry, "agent" | "sessionId"> {
  const told = fields.state();
  const state = fields.text("state", 64) ?? "";
  const status = told.status ?? (Object.hasOwn(OF_STATE, state) ? OF_STATE[state] : undefined);
  return {
    ...fields.pid(undefined),
    ...told,
    ...given("status", status),
    ...given("startedAt", fields.moment("startedAt")),
    ...given("cwd", fields.path("cwd")),
    ...fields.name(),
    ...fields.kind(),
    ...given("jobId", fields.text("id", 128)),
  };
}

/** The JSON array in a text: the text itself, else from the first line that begins one to the last that ends one. */
function arrayIn(output: string): unknown {
  const text = output.replace(/^\ufeff/, "").trim();
  try {
    return JSON.parse(text);
  } catch {
    const begin = /^\[/m.exec(text)?.index;
    const end = text.lastIndexOf("]");
    if (begin === undefined || end < begin) return undefined;
    try {
      return JSON.parse(text.slice(begin, end + 1));
    } catch {
      return undefined;
    }
  }
}
