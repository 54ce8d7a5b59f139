import { saidBy } from "./run-program";
import { unavailable, type Way } from "./way";

/** Starting Codex can take this long, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** By Codex's own queue: an idle session takes the message at once, a busy one after its turn. */
export const codexQueueWay: Way = {
  way: "codex-queue",
  refusal({ agent, state, sessionId }, kind) {
    if (agent !== "codex") return `${agent} has no queue`;
    if (kind === "interrupt") return "a queue stops nothing";
    if (state === "dormant") return "it has ended";
    // The queue takes names, too: what is no id could be another session's name.
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sessionId) ? undefined : "its id is none of Codex's";
  },
  async send({ session, text, surroundings }) {
    const result = await surroundings.run({
      program: "codex",
      parameters: ["queue", `--thread=${session.sessionId}`, `--message=${text}`],
      timeout: TIMEOUT_MS,
      ...(session.configDirectory === undefined ? {} : { environment: { CODEX_HOME: session.configDirectory } }),
    });
    if (result.outcome === "missing") return unavailable("codex is not installed where it is looked for");
    if (result.code === 0) return { outcome: "delivered" };
    // Ended by us or by a signal: the message may be in the queue already.
    if (result.code === null) return { outcome: "failed", reason: `codex queue did not end: ${saidBy(result)}` };
    return unavailable(`codex queue refused: ${saidBy(result)}`);
  },
};
