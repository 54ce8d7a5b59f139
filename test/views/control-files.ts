import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ControlFolder } from "../../src/control/control-folder";
import type { Outcome, OutcomeStep, RequestKind, RequestOutcome } from "../../src/session/request";
import { now, type AgentFiles } from "./agent-files";

/** A request that was just filed for a session, as a command reports it. */
export function filed(kind: RequestKind, id = "id-1"): RequestOutcome {
  return { id, kind, by: "plugin", steps: [{ outcome: "queued", at: now() }] };
}

/** Writes how far a session came with a request, as its receiver does. */
export function tell(
  { places }: AgentFiles,
  sessionId: string,
  { id, kind }: Pick<RequestOutcome, "id" | "kind">,
  ...outcomes: readonly (Outcome | Omit<OutcomeStep, "at">)[]
): void {
  const control = new ControlFolder(places.home);
  const folder = control.requests({ agent: "claude", sessionId });
  control.make(folder);
  const at = now();
  const steps = outcomes.map((each) => ({ ...(typeof each === "string" ? { outcome: each } : each), at }));
  const text = JSON.stringify({ version: 1, id, kind, by: "plugin", steps });
  writeFileSync(join(folder, `${id}.done.json`), text, { mode: 0o600 });
}
