import { chmodSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { sessionFileName } from "../files/session-name";
import { SessionsError } from "../session/failure";
import type { Identity } from "../session/identity";
import { writing } from "../store/writing";
import { folderRefusal } from "../store/guarded-read";

/** Whom a request is for. */
export type Addressee = Pick<Identity, "agent" | "sessionId">;

/** The folder beside the agents' that holds the stop answers; no agent can be called so. */
const STOP = "stop";

/**
 * Where requests and their outcomes lie below our home (docs/control.md). Agents and ids come from outside: they become
 * names of files by the store's rule, or are refused.
 */
export class ControlFolder {
  constructor(readonly home: string) {}

  get path(): string {
    return join(this.home, "control");
  }

  /** Whoever writes here holds it. */
  get lock(): string {
    return join(this.path, "lock");
  }

  /** @throws SessionsError `refused` for an agent or an id that cannot be a name */
  requests({ agent, sessionId }: Addressee): string {
    return join(this.path, folderOf(agent), nameOf(sessionId));
  }

  /** @throws SessionsError as `requests` */
  stopAnswer({ agent, sessionId }: Addressee): string {
    return join(this.path, STOP, folderOf(agent), nameOf(sessionId));
  }

  /** @throws SessionsError as `requests` */
  pluginMark({ sessionId }: Pick<Addressee, "sessionId">): string {
    return join(this.home, "plugin", `${nameOf(sessionId)}.json`);
  }

  /**
   * Makes a folder below `control/`, 0700, and sees that nobody else can write on the way to it.
   *
   * @throws SessionsError `refused` for a folder of another user, a link, or one that others can write to; `unwritable`
   */
  make(folder: string): void {
    const way: string[] = [];
    for (let each = folder; each.length >= this.path.length && each !== dirname(each); each = dirname(each)) {
      way.unshift(each);
    }
    for (const each of [this.home, ...way]) {
      writing().makeFolder(each);
      const refusal = privacyRefusal(each, each !== this.home);
      if (refusal !== undefined) {
        throw new SessionsError("refused", `${each} ${refusal}.`, "Make it yours alone (chmod 700), or remove it.");
      }
      // The recorder takes answers only from folders that nobody else can even look into.
      if (each !== this.home && (lstatSync(each).mode & 0o777) !== 0o700) chmodSync(each, 0o700);
    }
  }
}

/** An agent as a folder's name; what is no name of an agent is refused. */
function folderOf(agent: string): string {
  if (agent !== STOP && /^[a-z0-9_-][a-z0-9._-]{0,31}$/.test(agent)) return agent;
  throw new SessionsError("refused", "The agent's name cannot be the name of a folder.");
}

function nameOf(sessionId: string): string {
  const name = sessionFileName(sessionId);
  if (name === undefined) throw new SessionsError("refused", "The session's id cannot be the name of a file.");
  return name.slice(0, -".json".length);
}

/** The id that a folder of requests is named after; undefined for a name that no id has. */
export function idNamed(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name);
    return sessionFileName(id) === `${name}.json` ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a folder of `control/` may be an agent's. */
export function isAgentFolder(name: string): boolean {
  return name !== STOP && /^[a-z0-9_-][a-z0-9._-]{0,31}$/.test(name);
}

/**
 * Why a folder is not the user's alone; undefined when it is, or is not there.
 *
 * @param plain a link is refused, too; only our home may be one
 */
export function privacyRefusal(path: string, plain = true): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink() && plain) return "is a symbolic link";
  const refusal = folderRefusal(path);
  if (refusal !== undefined) return refusal;
  if (!stats.isSymbolicLink() && process.geteuid !== undefined && (stats.mode & 0o022) !== 0) {
    return "can be written to by others";
  }
  return undefined;
}
