import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { decodeOutcome } from "../../src/files/control-outcome";
import { decodeRequest } from "../../src/files/control-request";
import { decodeSent } from "../../src/files/control-sent";
import { decodeInboxEntry } from "../../src/files/inbox-entry";
import { decodePausedFlag } from "../../src/files/paused-flag";
import { decodePluginMark } from "../../src/files/plugin-mark";
import { decodeReadMarks } from "../../src/files/read-marks";
import { decodeSessionFile } from "../../src/files/session-file";
import { decodeSettingsMemories } from "../../src/files/settings-memory";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { decodeStatusFile } from "../../src/files/status-file";
import { reasonOf } from "../../src/session/failure";
import type { SessionRecord } from "../../src/session/record";
import type { SignalDocument } from "../../src/session/signal-document";
import { withLock } from "../../src/store/lock";
import type { Places } from "../../src/store/places";
import { environmentOf } from "../environment";
import { scratchFolder } from "../scratch";

/** A user with a home of his own and everything of ours in it, so that what a fault leaves can be looked through. */
export class World {
  /** The user's home folder. */
  readonly user: string;
  readonly places: Places;
  readonly environment: Readonly<Record<string, string>>;

  constructor(readonly folder = scratchFolder()) {
    this.user = join(folder, "user");
    this.places = {
      home: join(this.user, ".agent-sessions"),
      statusDirectory: join(this.user, ".claude", "aitention", "status"),
      signalStateFile: join(folder, "signal", "status.json"),
    };
    mkdirSync(this.places.home, { recursive: true, mode: 0o700 });
    this.environment = { HOME: this.user, ...environmentOf(this.places) };
  }

  /** A file of ours, by its path in our home. */
  ours(...parts: string[]): string {
    return join(this.places.home, ...parts);
  }

  /** Every file below the world's folder, by its path in it. */
  files(): string[] {
    return filesBelow(this.folder).map((path) => relative(this.folder, path));
  }

  /** What writers and locks leave beside a file when they are killed. */
  leftovers(): string[] {
    return this.files().filter((path) => isLeftover(basename(path)));
  }

  /** Locks of killed processes that cannot be had at once. They may stay until somebody needs them. */
  locksInTheWay(): string[] {
    const locks = this.files().filter((path) => /(^|\/)([\w-]+\.)?lock(\.agent-sessions)?$/.test(path));
    return locks.flatMap((path) => {
      try {
        return withLock(join(this.folder, path), () => [], 1000);
      } catch (error) {
        return [`${path} is in the way: ${reasonOf(error)}`];
      }
    });
  }

  /** Makes everything that is left look as if it lay there for hours. */
  ageLeftovers(): void {
    const then = Date.now() / 1000 - 3 * 3600;
    for (const path of this.leftovers()) utimesSync(join(this.folder, path), then, then);
  }

  /** Every file that says something which cannot be read, with the reason. Leftovers are none that count. */
  undecodable(): string[] {
    return this.files().flatMap((path) => {
      const reason = isLeftover(basename(path)) ? undefined : this.refusalOf(join(this.folder, path));
      return reason === undefined ? [] : [`${path} ${reason}`];
    });
  }

  /** What is known of each session, by agent and id. */
  records(): Map<string, SessionRecord> {
    const found = new Map<string, SessionRecord>();
    for (const path of filesBelow(this.ours("sessions"))) {
      if (isLeftover(basename(path))) continue;
      const decoded = decodeSessionFile(readFileSync(path, "utf8"));
      if (decoded.outcome !== "session") continue;
      const { record } = decoded.file;
      found.set(`${record.agent}:${record.sessionId}`, record);
    }
    return found;
  }

  /** The signal document; undefined when there is none or it cannot be read. */
  signals(): SignalDocument | undefined {
    if (!existsSync(this.places.signalStateFile)) return undefined;
    const decoded = decodeSignalDocument(readFileSync(this.places.signalStateFile, "utf8"));
    return decoded.outcome === "document" ? decoded.document : undefined;
  }

  /** The names in the inbox that a fold takes. */
  waiting(): string[] {
    const inbox = this.ours("inbox");
    return existsSync(inbox) ? readdirSync(inbox).filter((name) => !name.startsWith(".") && name !== "rejected") : [];
  }

  private refusalOf(path: string): string | undefined {
    const inOurs = relative(this.places.home, path);
    const text = () => readFileSync(path, "utf8");
    const told = (decoded: { outcome: string }, good: string) =>
      decoded.outcome === good ? undefined : `is damaged: ${JSON.stringify(decoded)}`;
    if (path === this.places.signalStateFile) return told(decodeSignalDocument(text()), "document");
    if (dirname(path) === this.places.statusDirectory) return told(decodeStatusFile(text(), basename(path)), "report");
    if (inOurs.startsWith("..")) return undefined;
    const [room = ""] = inOurs.split("/");
    switch (room) {
      case "sessions":
        return told(decodeSessionFile(text()), "session");
      case "cache":
        return !path.endsWith(".json") || isJson(text()) ? undefined : "is no JSON";
      case "plugin":
        return told(decodePluginMark(text()), "mark");
      case "read-marks.json":
        return told(decodeReadMarks(text()), "marks");
      case "paused.json":
        return told(decodePausedFlag(text()), "paused");
      case "set-up.json":
        return decodeSettingsMemories(text()) === undefined ? "is damaged" : undefined;
      case "inbox":
        return dirname(inOurs) === "inbox" ? told(decodeInboxEntry(text()), "entry") : undefined;
      case "control":
        if (inOurs.endsWith(".done.json")) return told(decodeOutcome(text()), "outcome");
        if (inOurs.endsWith(".json")) return told(decodeRequest(text()), "request");
        return inOurs.endsWith(".sent") ? told(decodeSent(text()), "sent") : undefined;
      default:
        return undefined;
    }
  }
}

/**
 * A check that what killed writers left goes once it is old and somebody writes again. What was seen to go is not tried
 * again, since it takes another run.
 *
 * @param write has somebody write again
 */
export function leftoverCheck(write: (world: World) => void): (world: World) => string[] {
  const seenToGo = new Set<string>();
  return (world) => {
    const kinds = world.leftovers().map((path) => path.replace(/[0-9a-f]{8,}(-[0-9a-f]+)*|\d+/g, "#"));
    if (kinds.every((kind) => seenToGo.has(kind))) return [];
    world.ageLeftovers();
    write(world);
    const stay = world.leftovers();
    if (stay.length === 0) for (const kind of kinds) seenToGo.add(kind);
    return stay.map((path) => `${path} stays for ever`);
  };
}

/** Whether a name is that of a file which has not taken its place. */
export function isDraft(name: string): boolean {
  return /\.agent-sessions-\d+-[0-9a-f]{8}$/.test(name);
}

/** A name that no reader takes for a file: a draft, a lock, a claim on one, a recorder's hidden file. */
function isLeftover(name: string): boolean {
  return isDraft(name) || /\.new$|\.lock(\.|$)|^lock(\.|$)/.test(name) || /^\.(claude|codex|gemini|agent)-/.test(name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function filesBelow(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
