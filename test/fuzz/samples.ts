import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MAPPED_AGENTS, mapperOf } from "../../src/agents/registry";
import { encodeInboxEntry } from "../../src/files/inbox-entry";
import { encodeSessionFile } from "../../src/files/session-file";
import { EMPTY_SIGNAL_DOCUMENT, encodeSignalDocument } from "../../src/files/signal-document";
import { encodeStatusFile } from "../../src/files/status-file";
import { channelOf, eventLine, type EventLine } from "../../src/session/event-line";
import { sessionKey } from "../../src/session/identity";
import { reportOf, type SessionRecord } from "../../src/session/record";
import { reduce } from "../../src/session/reduce";
import { projectSession } from "../../src/session/signal-projection";
import { signalRulesOf } from "../../src/store/signal-settings";
import { payloadOf } from "../player";
import { CAPTURES, recording, recordingsIn, type Entry } from "../recording";

/** When the recordings were made, and a little: every look at a sample happens then. In seconds since 1970. */
export const NOW = 1_796_100_000;

/** Every agent we map, and what no mapping is of. */
export const AGENTS: readonly string[] = [...MAPPED_AGENTS, "generic", "some-script"];

const RECORDED: Readonly<Record<string, readonly string[]>> = {
  codex: ["codex", "codex-daemon", "codex-more"],
  gemini: ["gemini", "gemini-more"],
  opencode: ["opencode", "opencode-more"],
  qwen: ["qwen"],
};

/** The real events of an agent; of one that was never recorded Claude Code's, which they resemble. */
export function eventsOf(agent: string): Entry[] {
  return (RECORDED[agent] ?? ["claude", "claude-control"]).flatMap(recordingsIn).flatMap(recording);
}

/** What a recorder would have left of real events, as an inbox's files; at most so many, spread over all of them. */
export function inboxSamples(agent: string, most: number): Buffer[] {
  return spread(eventsOf(agent), most).map((entry) =>
    encodeInboxEntry({
      agent,
      event: entry.event,
      parent: 4242,
      env: { ...entry.env, PWD: "/home/dev/work" },
      payload: Buffer.from(JSON.stringify(payloadOf(entry))),
    }),
  );
}

interface Played {
  records: SessionRecord[];
  lines: EventLine[];
}

let played: Played | undefined;

/** The records that real events of the recorded agents come to, one for each look that differs, and the log's lines. */
function play(): Played {
  if (played !== undefined) return played;
  const records = new Map<string, SessionRecord>();
  const lines = new Map<string, EventLine>();
  for (const agent of ["claude", ...Object.keys(RECORDED)]) {
    const known = new Map<string, SessionRecord>();
    for (const entry of eventsOf(agent)) {
      const setting = { at: entry.at / 1000, event: entry.event, env: entry.env };
      const mapped = mapperOf(agent)(payloadOf(entry), setting);
      if (mapped.outcome !== "event") continue;
      const key = sessionKey(mapped.identity);
      const before = known.get(key);
      const record = reduce(before, mapped.identity, mapped.event);
      known.set(key, record);
      records.set([agent, record.state, Object.keys(reportOf(record)).join()].join(), record);
      const line = eventLine(before, record, mapped.event, channelOf(agent, entry.event));
      lines.set([agent, ...Object.keys(line), line.after].join(), line);
    }
  }
  played = { records: Array.from(records.values()), lines: Array.from(lines.values()) };
  return played;
}

/** Session files of our own store. */
export function sessionSamples(): { record: SessionRecord; text: string }[] {
  return play().records.map((record) => ({
    record,
    text: encodeSessionFile({ record, folded: ["claude-0004242-0@1796010364910"] }),
  }));
}

/** Status files, with their names. */
export function statusSamples(): { name: string; text: string }[] {
  return play().records.map((record) => ({
    name: `${record.sessionId}.json`,
    text: encodeStatusFile({ ...reportOf(record), writer: undefined }),
  }));
}

/** Lines of event logs. */
export function eventLineSamples(): EventLine[] {
  return play().lines;
}

/** Documents of Agent Signal, as our projection of real sessions writes them. */
export function signalSamples(): string[] {
  const rules = signalRulesOf({});
  const documents: string[] = [];
  let document = EMPTY_SIGNAL_DOCUMENT;
  for (const [index, record] of play().records.entries()) {
    const now = record.eventAt + 1;
    document = projectSession(document, record, { now, rules, eventId: `EVENT-${index}` });
    if (index % 9 === 3) documents.push(encodeSignalDocument(document));
  }
  return documents;
}

/** Entries of Claude Code's registry as they stood on disk, with their names. */
export function registrySamples(): { name: string; text: string }[] {
  const found = new Map<string, { name: string; text: string }>();
  const folder = join(CAPTURES, "claude");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".status.jsonl"))) {
    for (const line of readFileSync(join(folder, file), "utf8").trimEnd().split("\n")) {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null || !("file" in value) || typeof value.file !== "string") continue;
      const { file: name, ...entry } = value;
      if (!("sessionId" in entry)) continue;
      found.set(Object.keys(entry).join(), { name, text: JSON.stringify({ ...entry, t: undefined }) });
    }
  }
  return Array.from(found.values());
}

/** Transcripts that agents wrote; of Copilot, of which none was recorded, one as others have seen them. */
export function transcriptSamples(agent: "claude" | "codex" | "gemini" | "copilot"): string[] {
  if (agent === "copilot") return [COPILOT.map((line) => `${JSON.stringify(line)}\n`).join("")];
  const folder = join(CAPTURES, "transcripts", agent);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
}

const COPILOT = [
  {
    type: "session.start",
    data: {
      sessionId: "s",
      copilotVersion: "0.0.369",
      selectedModel: "claude-sonnet-4.5",
      context: { cwd: "/home/dev/shop", gitRoot: "/home/dev/shop", branch: "main" },
    },
    timestamp: "2026-11-30T12:00:00.000Z",
  },
  { type: "user.message", data: { content: "Add a retry" }, timestamp: "2026-11-30T12:00:01.000Z" },
  { type: "assistant.message", data: { content: "Done.", model: "gpt-5" }, timestamp: "2026-11-30T12:00:09.000Z" },
  { type: "session.model_change", data: { newModel: "gpt-5.1" }, timestamp: "2026-11-30T12:01:00.000Z" },
  { type: "abort", data: { reason: "user" }, timestamp: "2026-11-30T12:02:00.000Z" },
];

/** At most so many of a list, spread over all of it. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)]).filter(
    (each) => each !== undefined,
  );
}
