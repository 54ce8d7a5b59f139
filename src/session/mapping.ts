import type { Event } from "./event";
import type { Identity } from "./identity";

/** What a hook knew beside its payload. */
export interface HookSetting {
  /** When it was recorded, in seconds. */
  at: number;
  /** The event's name as the hook was registered for it; payloads of some agents do not tell. */
  event?: string;
  /** The environment facts it captured. */
  env: Readonly<Record<string, string | undefined>>;
  /** The process that started the hook: the agent, a shell between, or a daemon. Never proof of life. */
  parent?: number;
}

/**
 * A payload mapped: whose it is and what happened; `ignored` when it says nothing that is kept, with the event's name;
 * `refused` when it cannot be read, with the reason.
 */
export type Mapped =
  | { outcome: "event"; identity: Identity; event: Event }
  | { outcome: "ignored"; event: string }
  | { outcome: "refused"; reason: string };

/** Maps one agent's payloads to events; the only place that knows their shape. Pure, and never throws. */
export type MapPayload = (payload: unknown, setting: HookSetting) => Mapped;
