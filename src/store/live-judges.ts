import type { LiveEntry } from "../session/live-entry";
import { agentVerb, isAgentProcess } from "./agent-process";
import type { Judge } from "./live-registry";
import type { LockHolders } from "./lock-holders";
import { startTicksOf } from "./process-clock";
import type { ProcessTable, ProcessTree } from "./process-table";

/**
 * Judges entries by the process that they name (Claude): the same number that started when the entry says. Without a
 * number nothing is known.
 *
 * @param processes this machine's
 */
export function judgeByProcess(processes: ProcessTable): () => Judge {
  return () => (entry, _name, writtenAt) => {
    const { pid, processStart, processDomain, startedAt } = entry;
    if (pid === undefined) return { liveness: "unknown" };
    // A process writes its own entry, so it was there by then.
    const knownAt = startedAt ?? writtenAt;
    const start = processStart === undefined ? {} : { start: processStart };
    const domain = processDomain === undefined ? {} : { domain: processDomain };
    return { liveness: processes.look({ pid, knownAt, ...start, ...domain }) };
  };
}

/**
 * Judges entries by who holds their lock (Codex). A session in a terminal of its own runs while its process holds it,
 * and that process is certain. What a server holds may have lost its terminal: unknown, without a process. A lock that
 * nobody holds is of a session that is closed, if all holders can be seen.
 *
 * @param holders who holds the locks of the folder now
 */
export function judgeByLock(holders: () => LockHolders, processes: Pick<ProcessTree, "argumentsOf">): () => Judge {
  return () => {
    const { pids, areAll } = holders();
    return (lock, name, writtenAt) => {
      const pid = pids.get(name);
      // The file is made when the session begins, and never written.
      const entry = { ...lock, startedAt: writtenAt };
      if (pid === undefined) return { liveness: areAll ? "gone" : "unknown", entry };
      if (!isAgentProcess(entry.agent, pid, processes)) return { liveness: "unknown", entry };
      return { liveness: "running", entry: heldBy(entry, pid, processes) };
    };
  };
}

function heldBy(entry: LiveEntry, pid: number, processes: Pick<ProcessTree, "argumentsOf">): LiveEntry {
  const start = startTicksOf(pid);
  const verb = agentVerb(entry.agent, processes.argumentsOf(pid) ?? []);
  const isHeadless = verb === "exec" || verb === "e" || verb === "review";
  return {
    ...entry,
    pid,
    ...(start === undefined ? {} : { processStart: start }),
    ...(isHeadless ? { headless: true } : { kind: "interactive" }),
  };
}
