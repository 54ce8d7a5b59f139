import { join } from "node:path";
import { agentNamed, sessionKey, type Identity } from "../session/identity";
import type { Event } from "../session/event";
import type { MapPayload, Mapped } from "../session/mapping";
import type { SessionRecord } from "../session/record";
import { reduce } from "../session/reduce";
import {
  channelOf,
  eventLine,
  ignoredLine,
  type Channel,
  type EventLine,
  type IgnoredLine,
} from "../session/event-line";
import { terminalOf } from "../session/terminal-facts";
import { reasonOf, SessionsError } from "../session/failure";
import { parseCutObject } from "../files/cut-json";
import type { InboxEntry } from "../files/inbox-entry";
import { EventLogWriter, LINES_KEPT } from "./event-log";
import { Inbox, type WaitingEntry } from "./inbox";
import { withLock } from "./lock";
import { SessionStore } from "./session-store";

/** What the fold needs of the rooms beside it. */
export interface FoldTools {
  /** The mapping of an agent's payloads. */
  mapperOf: (agent: string) => MapPayload;
  /** Tells others of sessions that changed: the status directory, the signal document. May be told twice. */
  project: (records: readonly SessionRecord[]) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** What a fold did. */
export interface Folded {
  /** Entries that are in their sessions now. */
  folded: number;
  ignored: number;
  rejected: number;
  /** Entries that are still being written: look again soon. */
  unfinished: number;
  /** The session files that were replaced. */
  files: string[];
}

/** An entry with what it means. */
interface Meant {
  entry: WaitingEntry;
  event: Event;
  from: Channel;
}

interface Group {
  identity: Identity;
  meant: Meant[];
}

/**
 * Folds the inbox into the sessions: under one lock, oldest first, each entry exactly once. A session's file is replaced
 * together with the ids of the entries it has taken in, and only then are these removed; so a kill at any step loses
 * none, and what the next fold finds again it leaves out. Entries that mean nothing, or cannot be read, hold up nobody.
 * What each entry did is then appended to its session's log, which may be lost, but holds up nobody either.
 *
 * @throws SessionsError when the inbox is not the user's, the lock cannot be had, or a session cannot be written; the
 *   others are folded all the same, and what was folded stays folded
 */
export function fold(home: string, tools: FoldTools): Folded {
  const inbox = new Inbox(home);
  const done: Folded = { folded: 0, ignored: 0, rejected: 0, unfinished: 0, files: [] };
  if (inbox.isEmpty) return done;
  inbox.check();
  return withLock(join(home, "fold.lock"), () => {
    const store = new SessionStore(home);
    const log = new EventLogWriter(home);
    const nowMs = tools.clock();
    const failures: unknown[] = [];
    const attempt: Attempt = (work) => {
      try {
        work();
      } catch (error) {
        failures.push(error);
      }
    };
    const groups = sortBySession(inbox, store, log, tools, nowMs, done, attempt);
    for (let begin = 0; begin < groups.length; begin += TOLD_TOGETHER) {
      const kept: Kept[] = [];
      for (const group of groups.slice(begin, begin + TOLD_TOGETHER)) {
        attempt(() => kept.push(...keepSession(group, store, log, done)));
      }
      if (kept.length === 0) continue;
      // A fold that is killed before this leaves the others untold: they are told again, since the entries are still there.
      attempt(() => {
        tools.project(kept.map(({ record }) => record));
        for (const { entries } of kept) for (const entry of entries) attempt(() => inbox.remove(entry));
      });
    }
    inbox.tidy(nowMs);
    log.tidy();
    if (failures.length > 0) throw failures[0];
    return done;
  });
}

/** Of so many sessions others are told at once: what tells of all of them in one file writes it once for them. */
const TOLD_TOGETHER = 100;

/** A session that is kept, with the entries that are in it now. */
interface Kept {
  record: SessionRecord;
  entries: readonly WaitingEntry[];
}

/** Does one part of a fold; that it cannot be done holds up no other part. */
type Attempt = (work: () => void) => void;

/** Reads what waits, one entry at a time, and keeps of each only its event. */
function sortBySession(
  inbox: Inbox,
  store: SessionStore,
  log: EventLogWriter,
  tools: FoldTools,
  nowMs: number,
  done: Folded,
  attempt: Attempt,
): Group[] {
  const groups = new Map<string, Group>();
  const ignored: IgnoredLine[] = [];
  const unread = (name: string, reason: string) =>
    attempt(() => {
      throw new SessionsError("unreadable", `${join(inbox.path, name)} cannot be read: ${reason}.`, "It waits on.");
    });
  for (const entry of inbox.waiting(unread)) {
    const read = inbox.read(entry, nowMs);
    switch (read.outcome) {
      case "gone":
        break;
      case "unfinished":
        done.unfinished += 1;
        break;
      case "rejected":
        done.rejected += 1;
        attempt(() => inbox.reject(entry, read.reason));
        break;
      case "unreadable":
        unread(entry.name, read.reason);
        break;
      case "entry": {
        const mapped = mapEntry(read.entry, entry.at / 1000, tools);
        if (mapped.outcome === "ignored") {
          done.ignored += 1;
          const { agent } = agentNamed(read.entry.agent);
          ignored.push(ignoredLine(entry.at / 1000, agent, mapped.event, channelOf(agent, read.entry.event)));
          inbox.remove(entry);
        } else if (mapped.outcome === "refused" || !store.holds(mapped.identity)) {
          done.rejected += 1;
          const reason = mapped.outcome === "refused" ? mapped.reason : "The session id is too long to be kept.";
          attempt(() => inbox.reject(entry, reason));
        } else {
          const key = sessionKey(mapped.identity);
          const group = groups.get(key) ?? { identity: mapped.identity, meant: [] };
          const from = channelOf(mapped.identity.agent, read.entry.event, mapped.event.byPlugin);
          group.meant.push({ entry, event: mapped.event, from });
          groups.set(key, group);
        }
        break;
      }
      default:
        read satisfies never;
    }
  }
  log.appendIgnored(ignored);
  return Array.from(groups.values());
}

function mapEntry({ agent, event, env, parent, payload }: InboxEntry, at: number, { mapperOf }: FoldTools): Mapped {
  let value: unknown;
  try {
    value = payload.trim() === "" ? undefined : JSON.parse(payload);
  } catch (error) {
    value = parseCutObject(payload);
    if (value === undefined) return { outcome: "refused", reason: `The payload is not JSON (${reasonOf(error)}).` };
  }
  const mapped = mapperOf(agent)(value, {
    at,
    env,
    ...(event === undefined ? {} : { event }),
    ...(parent === undefined ? {} : { parent }),
  });
  const terminal = mapped.outcome === "event" ? terminalOf(env) : undefined;
  if (mapped.outcome !== "event" || terminal === undefined) return mapped;
  return { ...mapped, event: { ...mapped.event, terminal } };
}

/** Takes entries into their session; none when nothing is known of it then. */
function keepSession({ identity, meant }: Group, store: SessionStore, log: EventLogWriter, done: Folded): Kept[] {
  const file = store.load(identity);
  const known = new Set(file?.folded);
  let record = file?.record;
  let isNews = false;
  const lines: EventLine[] = [];
  for (const [index, { entry, event, from }] of meant.entries()) {
    if (known.has(entry.id)) continue;
    const before = record;
    record = reduce(before, identity, event);
    if (index >= meant.length - LINES_KEPT) lines.push(eventLine(before, record, event, from));
    isNews = true;
    done.folded += 1;
  }
  if (record === undefined) return [];
  if (isNews) {
    store.save({ record, folded: meant.map(({ entry }) => entry.id) });
    log.append(identity, lines);
    done.files.push(store.fileOf(identity));
  }
  return [{ record, entries: meant.map(({ entry }) => entry) }];
}
