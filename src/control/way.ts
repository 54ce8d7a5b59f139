import type { Session } from "../session/session";
import type { ControlRequest, DeliveryWay, RequestKind } from "../session/request";
import type { ControlFolder } from "./control-folder";
import type { ControlSurroundings } from "./surroundings";

/** A request on its way to a session. */
export interface Dispatch {
  session: Session;
  request: ControlRequest;
  /** What a session without a receiver is told; empty where nothing is said. */
  text: string;
  control: ControlFolder;
  surroundings: ControlSurroundings;
}

/**
 * What came of sending. `queued`: it will be taken; `delivered`: the session has it; `unavailable`: nothing was sent, so
 * another way may be tried; `failed`: something was, and it is not certain what came of it.
 */
export type Sent = { outcome: "queued" | "delivered" } | { outcome: "unavailable" | "failed"; reason: string };

/** One way to reach a session that has no receiver. */
export interface Way {
  way: DeliveryWay;
  /** Why this way does not lead to the session at all; undefined when it may. Nothing is touched to tell. */
  refusal(session: Session, kind: RequestKind): string | undefined;
  send(dispatch: Dispatch): Promise<Sent>;
}

/** Nothing was sent. */
export function unavailable(reason: string): Sent {
  return { outcome: "unavailable", reason };
}
