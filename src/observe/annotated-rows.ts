import type { RequestOutcome } from "../session/request";
import type { Session } from "../session/session";

/** What is known of sessions from outside: what was asked of them, and which have our plugin. */
export interface ControlWatch {
  /** Moves requests on as far as the sessions tell. Never throws. */
  settle(sessions: readonly Session[], now: number): void;
  /** The last request of each session while it is news, by the session's id; the same object while nothing changed. */
  requests(now: number): ReadonlyMap<string, RequestOutcome>;
  /** The plugin in a session; undefined where there is none. The same object while nothing changed. */
  pluginOf(session: Session): Session["plugin"];
}

/** A row with what was added to it, as long as neither changes. */
interface Annotated {
  others: string;
  request: string;
  plugin: Session["plugin"];
  row: Session;
}

/**
 * Adds to rows what no source of theirs tells: the other rows of their process (a conversation before /clear, one that
 * was left for another), the request that was made to them, the plugin in them. A row to which nothing is added is the
 * same object as before.
 */
export class AnnotatedRows {
  private readonly known = new WeakMap<Session, Annotated>();

  of(rows: readonly Session[], control: ControlWatch | undefined, now: number): Session[] {
    const byPid = rowsByPid(rows);
    const requests = control?.requests(now);
    return rows.map((row) => {
      const group = row.process === undefined ? undefined : byPid.get(row.process.pid);
      const others =
        group === undefined || group.length === 1
          ? []
          : group.filter((other) => other !== row && isSameProcess(row, other)).map(({ id }) => id);
      const request = requests?.get(row.id);
      const plugin = row.state === "dormant" ? undefined : control?.pluginOf(row);
      if (others.length === 0 && request === undefined && plugin === undefined) return row;
      return this.annotate(row, others, request, plugin);
    });
  }

  private annotate(
    row: Session,
    sameProcess: readonly string[],
    request: RequestOutcome | undefined,
    plugin: Session["plugin"],
  ): Session {
    const others = sameProcess.join("\n");
    const asked = request === undefined ? "" : `${request.id} ${request.steps.length} ${request.steps.at(-1)?.at}`;
    const before = this.known.get(row);
    if (before?.others === others && before.request === asked && before.plugin === plugin) return before.row;
    const annotated = {
      ...row,
      ...(sameProcess.length === 0 ? {} : { sameProcess }),
      ...(request === undefined ? {} : { request }),
      ...(plugin === undefined ? {} : { plugin }),
    };
    this.known.set(row, { others, request: asked, plugin, row: annotated });
    return annotated;
  }
}

function rowsByPid(rows: readonly Session[]): Map<number, Session[]> {
  const byPid = new Map<number, Session[]>();
  for (const row of rows) {
    const pid = row.process?.pid;
    if (pid === undefined) continue;
    const group = byPid.get(pid);
    if (group === undefined) byPid.set(pid, [row]);
    else group.push(row);
  }
  return byPid;
}

/** A process is its number and its start where both rows know that. */
function isSameProcess({ process: one }: Session, { process: other }: Session): boolean {
  return one?.start === undefined || other?.start === undefined || one.start === other.start;
}
