import type { Session } from "../session/session";

/** A row with the rows of the same process named in it, as long as neither changes. */
interface Tied {
  others: string;
  row: Session;
}

/**
 * Ties the rows of one process to each other: a conversation before /clear, one that was left for another. A process is
 * its number and its start where both rows know that; rows whose starts differ are of two processes.
 */
export class TiedRows {
  private readonly tied = new WeakMap<Session, Tied>();

  /** The rows in their order; those that are alone with their process are the same objects. */
  of(rows: readonly Session[]): Session[] {
    const byPid = new Map<number, Session[]>();
    for (const row of rows) {
      const pid = row.process?.pid;
      if (pid === undefined) continue;
      const group = byPid.get(pid);
      if (group === undefined) byPid.set(pid, [row]);
      else group.push(row);
    }
    return rows.map((row) => {
      const group = row.process === undefined ? undefined : byPid.get(row.process.pid);
      if (group === undefined || group.length === 1) return row;
      const others = group.filter((other) => other !== row && isSameProcess(row, other)).map(({ id }) => id);
      return others.length === 0 ? row : this.tie(row, others);
    });
  }

  private tie(row: Session, sameProcess: string[]): Session {
    const others = sameProcess.join("\n");
    const before = this.tied.get(row);
    if (before?.others === others) return before.row;
    const tied = { ...row, sameProcess };
    this.tied.set(row, { others, row: tied });
    return tied;
  }
}

function isSameProcess({ process: one }: Session, { process: other }: Session): boolean {
  return one?.start === undefined || other?.start === undefined || one.start === other.start;
}
