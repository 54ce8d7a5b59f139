import type { Session } from "../session/session";
import { sessionInFront } from "../terminals/in-front";
import { ThisMachine } from "../terminals/this-machine";
import { carrierOf, quietIo, type Invoker } from "./invoker";
import { takeSnapshot } from "./take-snapshot";

/** The open session whose terminal is in front; undefined where that is not certain. Nothing is brought forward. */
export async function findInFront(invoker: Invoker): Promise<Session | undefined> {
  const { environment } = carrierOf(invoker);
  const { sessions } = await takeSnapshot(quietIo(environment, invoker));
  const open = sessions.filter(({ state }) => state !== "dormant");
  return sessionInFront(open, invoker.machine ?? new ThisMachine(environment));
}
