import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeInboxEntry } from "../../src/files/inbox-entry";
import type { Environment } from "../../src/store/places";
import { environmentOf } from "../environment";
import { answerLine, ToldProcesses, userLine } from "../observe/machine-state";
import { scratchPlaces } from "../scratch";

/** When everything in a hostile home happened, in seconds since 1970: a little before now, whatever the clock says. */
export type Now = number;

/** Numbers that no process can have. */
const PID = 2_000_000_000;

/**
 * A place at which a text of an enemy comes in: puts it there, in a session of its own where it belongs to one.
 *
 * @param id the session's id
 * @param text has the place's own mark in it, so that it can be found again in what is shown
 */
export type Place = (home: HostileHome, id: string, text: string) => void;

const FACTS = ["TMUX", "TMUX_PANE", "STY", "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "WEZTERM_PANE", "WARP_FOCUS_URL"];

function status(fields: (text: string, home: HostileHome) => Record<string, unknown>): Place {
  return (home, id, text) => home.status(id, fields(text, home));
}

function hook(event: string, fields: (text: string) => Record<string, unknown>): Place {
  return (home, id, text) => {
    home.entry("claude", event, { session_id: id, hook_event_name: event, ...fields(text) });
  };
}

/** A hook in a turn that the user began. */
function inTurn(event: string, fields: (text: string) => Record<string, unknown>): Place {
  return (home, id, text) => {
    hook("UserPromptSubmit", () => ({ prompt: "x" }))(home, id, text);
    hook(event, fields)(home, id, text);
  };
}

function registry(fields: (text: string) => Record<string, unknown>): Place {
  return (home, id, text) => home.registry(id, fields(text));
}

/** The place's own session shows: its mark has to be found in what the command prints of it. */
export const SHOWN: Readonly<Record<string, Place>> = {
  "status file: title": status((text) => ({ state: "waiting", title: text })),
  "status file: message": status((text) => ({ state: "waiting", message: text })),
  "status file: activity": status((text) => ({ state: "working", activity: text })),
  "status file: tool": status((text) => ({ state: "working", tool: text })),
  "status file: event": status((text, { now }) => ({ state: "idle", event: text, event_ts: now - 9 })),
  "status file: cwd": status((text) => ({ state: "waiting", cwd: `/w/${text}` })),
  "status file: permission_mode": status((text) => ({ state: "idle", permission_mode: text })),
  "status file: surface": status((text) => ({ state: "idle", surface: text })),
  "status file: a background command": status((text) => ({ state: "working", background: { b: { command: text } } })),
  "status file: a background command's id": status((text) => ({ state: "working", background: { [text]: {} } })),
  "status file: how a background command ended": status((text, { now }) => ({
    state: "working",
    background: { b: { status: text, failed_at: now - 5 } },
  })),
  "status file: a monitor": status((text) => ({ state: "working", monitors: { m: [text] } })),
  "hook: prompt": hook("UserPromptSubmit", (text) => ({ prompt: text })),
  "hook: session_title": hook("UserPromptSubmit", (text) => ({ prompt: "x", session_title: text })),
  "hook: tool_name": inTurn("PreToolUse", (text) => ({ tool_name: text, tool_input: {} })),
  "hook: a command that asks": inTurn("PermissionRequest", (text) => ({
    tool_name: "Bash",
    tool_input: { command: text },
  })),
  "hook: a notification": inTurn("Notification", (text) => ({ notification_type: "permission_prompt", message: text })),
  "hook: an error": inTurn("StopFailure", (text) => ({ error: text, error_details: text })),
  "hook: cwd": hook("UserPromptSubmit", (text) => ({ prompt: "x", cwd: `/w/${text}` })),
  "hook: permission_mode": hook("UserPromptSubmit", (text) => ({ prompt: "x", permission_mode: text })),
  "hook: a subagent": (home, id, text) => {
    home.entry("claude", "UserPromptSubmit", { session_id: id, hook_event_name: "UserPromptSubmit", prompt: "x" });
    const agent = { agent_id: text, agent_type: text };
    home.entry("claude", "SubagentStart", { session_id: id, hook_event_name: "SubagentStart", ...agent });
  },
  "hook: a task in the background": inTurn("Stop", (text) => ({
    background_tasks: [{ id: "t", type: "shell", command: text }],
  })),
  "hook: the model": hook("SessionStart", (text) => ({ source: "resume", context_tokens: 5, model: text })),
  "hook of any program: its message": (home, id, text) =>
    home.entry("my-tool", undefined, { session_id: id, signal: "permission", message: text, title: "x" }),
  "hook of any program: its session": (home, _id, text) =>
    home.entry("my-tool", undefined, { session_id: text, signal: "working", title: "x" }),
  "registry: name": registry((text) => ({ name: text })),
  "registry: cwd": registry((text) => ({ cwd: `/w/${text}` })),
  "registry: version": registry((text) => ({ version: text })),
  "transcript: a title": (home, id, text) => home.transcript(id, [{ type: "custom-title", customTitle: text }]),
  "transcript: a prompt": (home, id, text) => home.transcript(id, [userLine(home.now - 90, text)]),
  "transcript: the model": (home, id, text) => {
    const answer = answerLine(home.now - 80);
    home.transcript(id, [{ ...answer, message: { ...Object(answer.message), model: text } }]);
  },
  "signal document: a session": (home, _id, text) => home.signals.set(text, { signal: "permission" }),
  "signal document: the last event": (home, id, text) => home.signals.set(id, { signal: "working", last_event: text }),
  "request: why it was refused": (home, id, text) => {
    home.status(id, { state: "working", agent: "claude" });
    home.outcome(id, { outcome: "refused", at: home.now - 3, reason: text });
  },
};

/** What comes in there is passed on as data, named as a problem, listed among the events, or left out. */
export const HIDDEN: Readonly<Record<string, Place>> = {
  "status file: terminal": status((text) => ({
    state: "waiting",
    terminal: Object.fromEntries(FACTS.map((name) => [name, text])),
  })),
  "status file: agent": status((text) => ({ state: "idle", agent: text })),
  "status file: an unknown field": status((text) => ({ state: "idle", [text]: text })),
  "status file: a monitor's id": status((text) => ({ state: "working", monitors: { [text]: ["x"] } })),
  "status file: its name": (home, _id, text) =>
    home.file(join(home.places.statusDirectory, `${nameOf(text)}.json`), "{"),
  "status file: no state at all": status((text) => ({ state: text })),
  "hook: transcript_path": hook("UserPromptSubmit", (text) => ({ prompt: "x", transcript_path: `/w/${text}` })),
  "hook: an event nobody knows": (home, id, text) =>
    home.entry("claude", text, { session_id: id, hook_event_name: text }),
  "hook: no JSON": (home, _id, text) => home.entry("claude", "Stop", text),
  "hook: the agent's name": (home, id, text) => home.entry(text, undefined, { session_id: id, signal: "working" }),
  "hook of any program: the agent's name": (home, id, text) =>
    home.entry("generic", undefined, { session_id: id, signal: "working", agent: text }),
  "hook: the configuration folder": (home, id, text) => {
    const payload = { session_id: id, hook_event_name: "UserPromptSubmit", prompt: "x" };
    home.entry("claude", "UserPromptSubmit", payload, { CLAUDE_CONFIG_DIR: `/w/${text}`, TMUX: text });
  },
  "registry: what it waits for": registry((text) => ({ status: "waiting", waitingFor: text })),
  "registry: tmux": registry((text) => ({ tmux: text })),
  "registry: kind and entrypoint": registry((text) => ({ kind: text, entrypoint: text })),
  "registry: status": registry((text) => ({ status: text })),
  "registry: the session": (home, _id, text) => home.registry(text, {}),
  "transcript: the branch": (home, id, text) =>
    home.transcript(id, [userLine(home.now - 90, "x", { gitBranch: text, version: text, cwd: text })]),
  "signal document: the agent": (home, id, text) => home.signals.set(id, { signal: "working", agent: text }),
  "signal document: a quota": (home, id, text) => home.signals.set(id, { signal: "working", [text]: text }),
  "request: the proof": (home, id, text) => {
    home.status(id, { state: "working", agent: "claude" });
    home.outcome(id, { outcome: "saved", at: home.now - 3, proof: { file: text, lines: 1 } });
  },
  "plugin's mark: phrase and file": (home, id, text) => {
    home.registry(id, { status: "idle" });
    const mark = { version: 1, at: home.now - 4, pickup: text, file: text, language: "en" };
    home.file(join(home.places.home, "plugin", `${id}.json`), JSON.stringify(mark));
  },
  "settings of an agent": (home, _id, text) => home.file(join(home.user, ".claude", "settings.json"), text),
  cache: (home, _id, text) => home.file(join(home.places.home, "cache", "status-directory.json"), text),
};

/** A text as part of a file's name. */
function nameOf(text: string): string {
  return Buffer.from(text.replace(/[/\0]/g, "_").toWellFormed())
    .subarray(0, 200)
    .toString("utf8")
    .replace(/\ufffd$/, "");
}

/** A home in which every place holds a text of an enemy, each another one. */
export class HostileHome {
  readonly places = scratchPlaces();
  readonly now: Now = Math.floor(Date.now() / 1000);
  readonly processes = new ToldProcesses("unknown");
  readonly signals = new Map<string, Record<string, unknown>>();
  /** The ids of the sessions by their places, and what was put there. */
  readonly put = new Map<string, { id: string; text: string }>();
  private count = 0;

  /**
   * @param textAt the text at each place, by its number
   * @param isMarkedFirst whether the mark by which it is found again stands before it, or behind it
   */
  constructor(textAt: (index: number) => string, isMarkedFirst = true) {
    mkdirSync(this.places.home, { mode: 0o700 });
    this.file(
      join(this.places.home, "read-marks.json"),
      JSON.stringify({ version: 1, baseline: this.now - 10_000, sessions: {} }),
    );
    for (const [index, [name, place]] of Object.entries({ ...SHOWN, ...HIDDEN }).entries()) {
      const id = `5e551011-0000-4000-8000-0000000${String(index).padStart(5, "0")}`;
      const text = isMarkedFirst ? markOf(index) + textAt(index) : textAt(index) + markOf(index);
      this.put.set(name, { id, text });
      place(this, id, text);
    }
    const sessions = Array.from(this.signals, ([id, record]) => [id, { updated_at: this.now - 20, ...record }]);
    const document = { schema_version: 1, sessions: Object.fromEntries(sessions), events: [] };
    this.file(this.places.signalStateFile, JSON.stringify(document));
  }

  get user(): string {
    return join(dirname(this.places.home), "user");
  }

  get environment(): Environment {
    return { ...environmentOf(this.places), HOME: this.user, PATH: "/nowhere" };
  }

  status(id: string, fields: Record<string, unknown>): void {
    const file = { session_id: id, ts: this.now - 300, ...fields };
    this.file(join(this.places.statusDirectory, `${id}.json`), JSON.stringify(file));
  }

  registry(sessionId: string, fields: Record<string, unknown>): void {
    const pid = PID + this.nextCount();
    this.processes.tell(pid, "running");
    const entry = { pid, sessionId, status: "busy", statusUpdatedAt: (this.now - 40) * 1000, ...fields };
    this.file(join(this.user, ".claude", "sessions", `${pid}.json`), JSON.stringify(entry));
  }

  /** A session of which the registry tells, with lines in its transcript. */
  transcript(id: string, lines: readonly object[]): void {
    this.registry(id, { cwd: "/w/shop" });
    const path = join(this.user, ".claude", "projects", "-w-shop", `${id}.jsonl`);
    this.file(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  entry(agent: string, event: string | undefined, payload: unknown, env: Record<string, string> = {}): void {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    const bytes = encodeInboxEntry({ agent, event, parent: 1, env, payload: Buffer.from(text) });
    this.file(join(this.places.home, "inbox", `entry-${String(this.nextCount()).padStart(4, "0")}`), bytes);
  }

  outcome(id: string, step: object): void {
    const outcome = { version: 1, id: "k-1", kind: "save", by: "plugin", steps: [step] };
    this.file(join(this.places.home, "control", "claude", id, "k-1.done.json"), JSON.stringify(outcome));
  }

  /** Writes a file that is old enough not to be half written. */
  file(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
    const at = this.now - 60 + this.nextCount() / 1_000;
    utimesSync(path, at, at);
  }

  private nextCount(): number {
    this.count += 1;
    return this.count;
  }
}

/** The mark in the text of a place, by the place's number. */
export function markOf(index: number): string {
  return `q${String(index).padStart(2, "0")}q`;
}
