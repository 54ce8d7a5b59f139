import { reasonOf, systemCodeOf } from "../session/failure";
import type { AgentProcess } from "../session/report";
import type { Session } from "../session/session";
import { otherConversationRefusal } from "./at-prompt";
import type { ControlSurroundings } from "./surroundings";

/** How long a process may take to end by itself, and how often it is looked at, in milliseconds. */
const PATIENCE_MS = 5_000;
const EVERY_MS = 100;

/** What came of ending a process. */
export type Killed = { outcome: "ended"; by: "SIGTERM" | "SIGKILL" } | { outcome: "refused"; reason: string };

/** Why a session's process may not be ended; undefined when it may. */
export function killRefusal(session: Session): string | undefined {
  const { process, live, sessionId, agent, state } = session;
  // An ended conversation's process may run the next one.
  if (state === "dormant") return "it has ended";
  if (live?.kind === "background") {
    const job = live.jobId ?? sessionId;
    return `its supervisor would start it again; end it there: ${agent} stop ${job}`;
  }
  return process === undefined ? "which process it is, is not certain" : otherConversationRefusal(session);
}

/**
 * Ends a session's process: by SIGTERM, and when it does not end, by SIGKILL. Right before each of the two it is looked at
 * anew that the number still is this process: by its start, since numbers are used again.
 */
export async function killSession(session: Session, surroundings: ControlSurroundings): Promise<Killed> {
  const refusal = killRefusal(session);
  const { process } = session;
  if (refusal !== undefined || process === undefined) return { outcome: "refused", reason: refusal ?? "" };
  const term = await signal(process, "SIGTERM", surroundings);
  if (term !== undefined) return { outcome: "refused", reason: term };
  if (await hasEnded(process, surroundings)) return { outcome: "ended", by: "SIGTERM" };
  const kill = await signal(process, "SIGKILL", surroundings);
  if (kill !== undefined) return { outcome: "refused", reason: kill };
  return (await hasEnded(process, surroundings))
    ? { outcome: "ended", by: "SIGKILL" }
    : { outcome: "refused", reason: `process ${process.pid} did not end` };
}

async function signal(
  process: AgentProcess,
  name: "SIGTERM" | "SIGKILL",
  { processes }: ControlSurroundings,
): Promise<string | undefined> {
  switch (await processes.look(process)) {
    case "running":
      break;
    case "gone":
      return name === "SIGTERM" ? "its process has ended already" : undefined;
    case "unknown":
      return `whether process ${process.pid} still is this session is not certain`;
  }
  try {
    processes.signal(process.pid, name);
    return undefined;
  } catch (error) {
    return systemCodeOf(error) === "ESRCH" ? undefined : `process ${process.pid} cannot be ended: ${reasonOf(error)}`;
  }
}

async function hasEnded(process: AgentProcess, { processes, pause }: ControlSurroundings): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += EVERY_MS) {
    if ((await processes.look(process)) === "gone") return true;
    await pause(EVERY_MS);
  }
  return (await processes.look(process)) === "gone";
}
