/** A hook's JSON object, as it came. */
export type Payload = Readonly<Record<string, unknown>>;

/** The environment a hook runs in. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>;

/** What is left of a name when case and everything but letters and digits do not matter: `session-id` is `sessionId`. */
export function simplified(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a value is an object with keys. */
export function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of the keys that has a text, by the very key. Blank texts, objects, arrays and null are passed over. */
export function exact(payload: Payload, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(payload, key) ? textOf(payload[key]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** As `exact`, and when that finds nothing, by keys that are the same in another spelling. */
export function first(payload: Payload, keys: readonly string[]): string | undefined {
  const text = exact(payload, keys);
  if (text !== undefined) return text;
  const entries = Object.entries(payload).map(([key, value]) => [simplified(key), value] as const);
  for (const key of keys.map(simplified)) {
    for (const [name, value] of entries) {
      const text = name === key ? textOf(value) : undefined;
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** As `first`, and when that finds nothing, in what describes the event, however deep. The text is trimmed. */
export function nested(value: unknown, keys: readonly string[]): string | undefined {
  if (isPayload(value)) {
    const text = first(value, keys);
    if (text !== undefined) return text.trim();
  }
  for (const part of described(value)) {
    const text = nested(part, keys);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The first of the variables that is set to something, trimmed. */
export function fromEnvironment(environment: HookEnvironment, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}

/**
 * The keys under which a payload describes its event. Everything else, above all what a tool was given and what it
 * answered, is content: a file that an agent reads may speak of errors and sessions, and must not be believed.
 */
const DESCRIBING: ReadonlySet<string> = new Set([
  "context",
  "conversation",
  "data",
  "detail",
  "details",
  "event",
  "hook",
  "metadata",
  "meta",
  "payload",
  "request",
  "response",
  "result",
  "run",
  "session",
  "source",
  "thread",
  "tool",
  "toolcontext",
  "transcript",
  "workspace",
]);

/** The parts of a value that describe the event: an array's items, an object's describing keys. */
export function described(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isPayload(value)) return [];
  return Object.entries(value)
    .filter(([key]) => DESCRIBING.has(simplified(key)))
    .map(([, part]) => part);
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number") return undefined;
  const text = String(value);
  return text.trim() === "" ? undefined : text;
}
