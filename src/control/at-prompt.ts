import type { Session } from "../session/session";

/** What tells whether a session may be typed into. */
type Watched = Pick<
  Session,
  "state" | "live" | "process" | "sameProcess" | "headless" | "unreadableSince" | "evidence" | "agent"
>;

/** Why a session waits at a dialog: what is typed there would answer it. Undefined when it does not. */
export function dialogRefusal({ state, live }: Pick<Session, "state" | "live">): string | undefined {
  if (state === "waiting" || live?.status === "waiting") return "it waits for you at a dialog: answer that first";
  if (state === "decision") return "it asks you a question: answer that first";
  return undefined;
}

/**
 * Why a session is not certain to be the conversation that its process has open; undefined when nothing speaks against it:
 * a process goes from one to another, and its registry names the one of now.
 */
export function otherConversationRefusal({
  sameProcess = [],
  live,
}: Pick<Session, "sameProcess" | "live">): string | undefined {
  return sameProcess.length > 0 && live?.status === undefined
    ? `its process may have another conversation open by now (${sameProcess.slice(0, 3).join(", ")})`
    : undefined;
}

/** Why a session cannot be typed into, however its terminal is found; undefined when it has one and a certain process. */
function seatRefusal({ live, process, headless, unreadableSince, sameProcess }: Watched): string | undefined {
  if (headless === true) return "it runs without a terminal";
  if (live?.kind === "background") return "it runs in the background, without a terminal";
  if (process === undefined) return "which process it is, is not certain";
  if (unreadableSince !== undefined) return "what it does now cannot be read";
  return otherConversationRefusal({ live, ...(sameProcess === undefined ? {} : { sameProcess }) });
}

/**
 * Why a session is not certain to wait at its prompt; undefined when it is: its registry says idle, or its hooks say
 * done or idle and its process is certain.
 */
export function promptRefusal(session: Watched): string | undefined {
  const seat = seatRefusal(session) ?? dialogRefusal(session);
  if (seat !== undefined) return seat;
  const { state, live } = session;
  switch (state) {
    case "working":
    case "compacting":
    case "waitingForSubagents":
      return "it works: what is typed now could go anywhere";
    case "dormant":
      return "it has ended";
    case "unknown":
      return "what it does is not known";
    case "failed":
    case "scheduled":
      return live?.status === "idle" ? undefined : "whether it waits at its prompt is not certain";
    case "idle":
    case "done":
      return live?.status === "busy" ? "it works: what is typed now could go anywhere" : undefined;
    case "waiting":
    case "decision":
      return "it waits for you at a dialog: answer that first";
    default:
      return state satisfies never;
  }
}

/** Agents in which Escape stops the turn, and which tell what they wait for. */
const TELLING: ReadonlySet<string> = new Set(["codex", "opencode"]);

/**
 * Why Escape in a session's terminal is not certain to stop its turn and nothing else; undefined when it is: the
 * registry says busy, or an agent that tells of its dialogs says that it works.
 */
export function turnRefusal(session: Watched): string | undefined {
  const seat = seatRefusal(session) ?? dialogRefusal(session);
  if (seat !== undefined) return seat;
  const { state, live, agent, evidence } = session;
  if (live?.status !== undefined) return live.status === "busy" ? undefined : "no turn of it runs";
  if (!isBusy(session)) return state === "dormant" ? "it has ended" : "no turn of it runs";
  const isTold =
    TELLING.has(agent) && evidence.some(({ source, state: told }) => source === "events" && told === state);
  return isTold ? undefined : "whether it stands at a dialog is not certain, and Escape would answer that";
}

/** Whether a turn of a session runs. */
export function isBusy({ state }: Pick<Session, "state">): boolean {
  return state === "working" || state === "compacting" || state === "waitingForSubagents";
}
