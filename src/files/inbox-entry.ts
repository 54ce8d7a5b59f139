import { TERMINAL_FACTS } from "../session/terminal-facts";

/** The format's first line: its name and version. */
const MAGIC = "agent-sessions 1";

/** The longest value of a fact, in bytes; longer ones are left out, since half a path or id is a wrong one. */
const FACT_LIMIT = 1024;

/** An entry's usual limit, head and payload together, in bytes. What comes after it is not kept. */
export const ENTRY_LIMIT = 256 * 1024;

/** An entry's limit while the inbox fills up because nobody reads it. */
export const CROWDED_ENTRY_LIMIT = 32 * 1024;

/** Beside the entries while there are too many: how full the inbox is, as a digit. The fold removes it. */
export const FULL_FLAG = ".full";

/**
 * The variables an entry may hold, in its order: what tells process, session and terminal. No more is taken from the
 * environment, which holds secrets. `assets/bin/record` has the same list.
 */
export const ENVIRONMENT_FACTS = [
  ...TERMINAL_FACTS,
  "CLAUDE_PID",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_JOB_DIR",
  "CODEX_HOME",
  "CODEX_THREAD_ID",
  "GEMINI_SESSION_ID",
  "GEMINI_PROJECT_DIR",
  "QWEN_PROJECT_DIR",
  "CURSOR_PROJECT_DIR",
  "OPENCODE_PID",
  "COPILOT_HOME",
  "FACTORY_PROJECT_DIR",
  "AGENT_SESSIONS_PLUGIN",
] as const;

/** Facts of which only that they are set is kept: an address tells where somebody works. */
const ONLY_WHETHER_SET: ReadonlySet<string> = new Set(["SSH_CONNECTION"]);

/** One event as a recorder left it. */
export interface InboxEntry {
  /** The agent as its hook named it; `agentNamed` makes a name of it. */
  agent: string;
  /** The event the hook was registered for. */
  event?: string;
  /** The process that started the recorder: the agent, a shell between, or a daemon. */
  parent?: number;
  /** The environment facts that were set, and `PWD`, the folder it ran in. */
  env: Readonly<Record<string, string>>;
  /** What the agent told, as it came. */
  payload: string;
  /** The payload may have been cut: where it does not parse, its leading keys still count. */
  truncated: boolean;
}

/** An entry read, or why it cannot be; one that is still being written cannot be either. */
export type DecodedEntry = { outcome: "entry"; entry: InboxEntry } | { outcome: "refused"; reason: string };

/**
 * Reads an entry. Never throws. Keys it does not know are left out, so that a newer recorder may add some.
 *
 * @param text the file, decoded as UTF-8
 * @param size the file's size in bytes, when known: it tells an entry that was cut
 */
export function decodeInboxEntry(text: string, size = Buffer.byteLength(text)): DecodedEntry {
  const refused = (reason: string): DecodedEntry => ({ outcome: "refused", reason });
  if (text === "") return refused("is empty");
  const end = text.indexOf("\n\n");
  const [magic = "", ...lines] = text.slice(0, end < 0 ? undefined : end).split("\n");
  if (magic !== MAGIC) return refused(foreignReason(magic));
  if (end < 0) return refused("has no end of its head");

  const known = new Map<string, string>();
  const env: Record<string, string> = {};
  for (const line of lines) {
    const [, key, value = ""] = /^([A-Za-z][A-Za-z0-9_]*)=(.*)$/s.exec(line) ?? [];
    if (key === undefined) return refused(`has a line that is no fact: ${JSON.stringify(line.slice(0, 80))}`);
    if (/^[A-Z]/.test(key)) env[key] ??= value;
    else if (!known.has(key)) known.set(key, value);
  }
  const agent = known.get("agent") ?? "";
  if (agent.trim() === "") return refused("names no agent");
  const event = known.get("event");
  const parent = processIdOf(known.get("ppid"));
  const payload = text.slice(end + 2);
  return {
    outcome: "entry",
    entry: {
      agent,
      ...(event === undefined || event === "" ? {} : { event }),
      ...(parent === undefined ? {} : { parent }),
      env,
      payload,
      truncated: isCutSize(size) || isOpenEnded(payload),
    },
  };
}

/** An entry before it is written. */
export interface NewEntry extends Pick<InboxEntry, "agent" | "event" | "parent" | "env"> {
  payload: Uint8Array;
}

/** An entry as the bytes of its file, cut at the limit. A fact that is no fact (`isFact`) is left out. */
export function encodeInboxEntry({ agent, event, parent, env, payload }: NewEntry, limit = ENTRY_LIMIT): Buffer {
  const facts: [string, string | undefined][] = [
    ["agent", agent],
    ["event", event],
    ["ppid", parent?.toString()],
    ["PWD", env.PWD],
    ...ENVIRONMENT_FACTS.map((name): [string, string | undefined] => [name, env[name]]),
  ];
  const lines = facts.filter(([, value]) => isFact(value)).map(([key, value]) => `${key}=${value}`);
  return Buffer.concat([Buffer.from(`${[MAGIC, ...lines].join("\n")}\n\n`), payload]).subarray(0, limit);
}

/** Whether a value can stand in an entry's head: set, on one line, and not too long. */
export function isFact(value: string | undefined): value is string {
  return value !== undefined && value !== "" && !value.includes("\n") && Buffer.byteLength(value) <= FACT_LIMIT;
}

/** The facts of an environment that an entry may hold, and the folder as one of them. */
export function factsOf(
  environment: Readonly<Record<string, string | undefined>>,
  folder?: string,
): Record<string, string> {
  const env: Record<string, string> = folder === undefined ? {} : { PWD: folder };
  for (const name of ENVIRONMENT_FACTS) {
    const set = environment[name] ?? "";
    const value = set !== "" && ONLY_WHETHER_SET.has(name) ? "1" : set;
    if (isFact(value)) env[name] = value;
  }
  return env;
}

function foreignReason(magic: string): string {
  const version = /^agent-sessions (\d{1,9})$/.exec(magic)?.[1];
  return version === undefined ? "is not an entry" : `has format ${version}, which is newer than this version reads`;
}

function processIdOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * Whether a file has a size that recorders cut at. Not only the two limits: a shell may count in blocks of 1 KiB where
 * POSIX has 512 bytes, and then keeps twice as much.
 */
function isCutSize(size: number): boolean {
  return [CROWDED_ENTRY_LIMIT, ENTRY_LIMIT].some((limit) => size === limit || size === 2 * limit);
}

/** Whether a payload begins as JSON and does not end as such: a full disk cuts anywhere. */
function isOpenEnded(payload: string): boolean {
  const body = payload.trim();
  return (body.startsWith("{") && !body.endsWith("}")) || (body.startsWith("[") && !body.endsWith("]"));
}
