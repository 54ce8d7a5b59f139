import { reasonOf } from "../session/failure";
import type { Session } from "../session/session";
import { unavailable, type Way } from "./way";
import type { ControlSurroundings } from "./surroundings";

/** Where a server listens that only this machine reaches. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);

/** By the server of an opencode that was started with a port (opencode's server API, version 1.18). */
export const opencodeWay: Way = {
  way: "opencode",
  refusal({ agent, sessionId, process }) {
    if (agent !== "opencode") return `${agent} has no such server`;
    if (process === undefined) return "which process it is, is not certain";
    return /^[A-Za-z0-9_-]{1,128}$/.test(sessionId) ? undefined : "its id is none of opencode's";
  },
  async send({ session, request, text, surroundings }) {
    const server = await serverOf(session, surroundings);
    if (typeof server !== "string") return unavailable(server.reason);
    const place = `${server}/session/${session.sessionId}`;
    const { askServer } = surroundings;
    try {
      const known = await askServer({ url: place, method: "GET" });
      if (known.status === 401) return unavailable("its server wants a password");
      if (known.status !== 200 || !known.text.includes(session.sessionId)) {
        return unavailable("the server at its port does not know it");
      }
    } catch (error) {
      return unavailable(`its server does not answer: ${reasonOf(error)}`);
    }
    try {
      const answer =
        request.kind === "interrupt"
          ? await askServer({ url: `${place}/abort`, method: "POST" })
          : await askServer({
              url: `${place}/prompt_async`,
              method: "POST",
              body: { parts: [{ type: "text", text }] },
            });
      if (answer.status >= 200 && answer.status < 300) return { outcome: "delivered" };
      return unavailable(`its server refused (${answer.status})`);
    } catch (error) {
      return { outcome: "failed", reason: `its server did not answer: ${reasonOf(error)}` };
    }
  },
};

/** The address of a session's own server, from the command line of its process; only one that this machine alone reaches. */
async function serverOf(
  { process }: Session,
  { processes }: ControlSurroundings,
): Promise<string | { reason: string }> {
  if (process === undefined || (await processes.look(process)) !== "running") {
    return { reason: "whether its process still runs is not certain" };
  }
  return serverIn(processes.argumentsOf(process.pid) ?? []);
}

/** The server that a command line of opencode starts, as an address; or why there is none that may be used. */
export function serverIn(words: readonly string[]): string | { reason: string } {
  const port = Number(optionIn(words, "--port"));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return { reason: "its port is not known: start opencode with --port, and its server takes messages" };
  }
  const host = optionIn(words, "--hostname") ?? "127.0.0.1";
  if (!LOOPBACK.has(host)) return { reason: `its server listens on ${host}, not on this machine alone` };
  return `http://${host === "::1" ? "[::1]" : host}:${port}`;
}

function optionIn(words: readonly string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const word = words[at] ?? "";
  return word === name ? words[at + 1] : word.slice(name.length + 1);
}
