import type { MapPayload } from "../../src/session/mapping";
import { fold } from "../../src/store/fold";

/** Each event is a call of its own that stays: what is folded twice, lost or out of order shows in the list of calls. */
const mapCount: MapPayload = (payload, { at }) => {
  if (typeof payload !== "object" || payload === null || !("session" in payload) || !("number" in payload)) {
    return { outcome: "refused", reason: "not of this test" };
  }
  return {
    outcome: "event",
    identity: { agent: "claude", sessionId: String(payload.session) },
    event: { kind: "tool-started", at, name: "PreToolUse", agentId: "sub", tool: String(payload.number) },
  };
};

/** Folds a home over and over until its standard input ends. */
function main(home: string): void {
  let isOver = false;
  process.stdin.on("end", () => (isOver = true)).resume();
  const again = () => {
    fold(home, { clock: Date.now, mapperOf: () => mapCount, project: () => undefined });
    if (!isOver) setTimeout(again, 1);
  };
  again();
}

main(process.argv[2] ?? "");
