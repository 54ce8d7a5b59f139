import { dirname } from "node:path";

/** The part of the plugin's engine that its hooks use, as a session of Claude Code 2.1.332 behaves. */
type Values = Record<string, unknown>;
type Next = (e: Values) => Promise<Values>;
type Hook = ($: unknown, e: Values, next: Next) => Promise<Values> | Values;

interface FakeFile {
  text: string;
  mtimeMs: number;
  isLink?: boolean;
  kind?: "file" | "other";
}

interface Timer {
  at: number;
  every?: number;
  run: () => void;
}

export const HOME = "/home/dev";
export const OURS = `${HOME}/.agent-sessions`;
export const PROJECT = `${HOME}/work`;
export const MEMORY = `${HOME}/.claude/projects/-home-dev-work/memory`;
export const SHOP = `${MEMORY}/shop.md`;
export const PHRASE = "shop pickup";

const PID = 4711;

/**
 * A session with the plugin in it, without Claude Code: files and a clock in memory, and the events that the real one was
 * seen to raise, in their order. `test/real-agents` and `claude plugin test` have the real ones.
 */
export class FakeSession {
  now = 1_800_000_000_000;
  id = "session-1";
  draft = "";
  rows: { role: string; text: string }[] = [];
  readonly env: Record<string, string> = { HOME, LANG: "en_US.UTF-8" };
  readonly files = new Map<string, FakeFile>();
  readonly toasts: string[] = [];
  readonly submitted: string[] = [];
  readonly sent: { to: string; text: string }[] = [];
  readonly filled: string[] = [];
  readonly aborted: string[] = [];
  readonly processes: (readonly string[])[] = [];
  readonly calls: Record<string, number> = {};
  readonly store = new Map<string, unknown>();
  /** The memory files that the session has read. */
  memoryFiles: string[] = [];
  clears = 0;
  platform = "linux";
  /** What the model does in its next turn. */
  work: (turn: { turnId: string }) => Promise<void> = async () => undefined;
  answer = "Saved.";
  reason: "answer" | "aborted" | "error" | "refusal" = "answer";
  /** Why a message to a session does not get there. */
  refusals: Record<string, string> = {};
  submitDrop: string | undefined;
  clearDoesNothing = false;
  onClear: () => void = () => undefined;
  private readonly hooks: { event: string; matcher: Values; hook: Hook }[] = [];
  private timers: Timer[] = [];
  private readonly state = new Map<string, unknown>();
  private panes: { id: string }[] = [];
  private turns = 0;
  private running = "";
  private queue: { text: string; origin: string }[] = [];

  constructor() {
    this.write(`${MEMORY}/MEMORY.md`, `# Memory\n- [Shop](shop.md) 🔑 \`${PHRASE}\`: where the shop stands\n`);
    this.write(SHOP, "# Shop\n- yesterday\n");
    this.list({ pid: PID, sessionId: this.id, name: "this-one" });
    for (const folder of ["inbox", "plugin"]) this.write(`${OURS}/${folder}/.keep`, "");
  }

  /** Loads the plugin afresh, and starts the session. */
  async start({ isInteractive = true } = {}): Promise<void> {
    jest.resetModules();
    jest.doMock("claude-code", () => this.stateModule(), { virtual: true });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- Its types are Claude Code's, which are not here.
    const plugin: { register: (on: unknown) => void } = require("../../assets/claude-plugin/hooks/register");
    this.hooks.length = 0;
    plugin.register((event: string, ...rest: [Hook] | [Values, Hook]) => {
      const [matcher, hook] = rest.length === 1 ? [{}, rest[0]] : rest;
      this.hooks.push({ event, matcher, hook });
      return { catch: () => undefined };
    });
    await this.fire("classic.SessionStart", this.base({ hook_event_name: "SessionStart", source: "startup" }));
    await this.fire("session.start", { cwd: PROJECT, surface: "terminal", isInteractive });
  }

  write(path: string, text: string, more: Partial<FakeFile> = {}): void {
    this.files.set(path, { text, mtimeMs: this.now, ...more });
  }

  text(path: string): string {
    return this.files.get(path)?.text ?? "";
  }

  json(path: string): Values {
    return JSON.parse(this.text(path) || "{}");
  }

  /** Lists a session in the registry of running ones. */
  list(entry: Values & { pid: number }): void {
    const usual = { cwd: PROJECT, version: "2.1.332", startedAt: this.now, status: "idle", procStart: "1", name: "x" };
    this.write(`${HOME}/.claude/sessions/${entry.pid}.json`, JSON.stringify({ ...usual, ...entry }));
    this.write(
      `/proc/${entry.pid}/stat`,
      `${entry.pid} (claude) ${Array.from({ length: 19 }, () => "0").join(" ")} 1 0`,
    );
  }

  /** A transcript whose last answer came so many minutes ago. */
  transcript(id: string, minutesAgo: number): void {
    const timestamp = new Date(this.now - minutesAgo * 60_000).toISOString();
    const message = { model: "m", usage: { input_tokens: 14_000 } };
    this.write(
      `${HOME}/.claude/projects/-home-dev-work/${id}.jsonl`,
      `${JSON.stringify({ type: "assistant", timestamp, message })}\n`,
    );
  }

  /** A prompt of the user: a turn with it. */
  async prompt(text: string, origin = "composer"): Promise<void> {
    await this.typed(text);
    await this.submit(text, origin);
  }

  /** Keys of the user in the input field. */
  async typed(inputText: string): Promise<void> {
    await this.fire("prompt.edit", { origin: { kind: "composer" }, text: "", cursor: 0, start: 0, end: 0, inputText });
  }

  /** A prompt from somewhere, and its turn where it starts one. */
  async submit(text: string, origin: string): Promise<Values> {
    const e = { text, wait: false, origin: { kind: origin }, ...(this.running === "" ? {} : { turnId: this.running }) };
    const entered = await this.fire("prompt.submit", e);
    if (this.running === "") await this.turn(text);
    else this.queue.push({ text, origin });
    return entered;
  }

  /** A turn of the main conversation, from its prompt to its end. */
  async turn(text: string, { hasStop = true } = {}): Promise<void> {
    this.turns += 1;
    const turnId = `turn-${this.turns}`;
    this.running = turnId;
    this.rows.push({ role: "user", text });
    await this.fire("classic.UserPromptSubmit", this.base({ hook_event_name: "UserPromptSubmit", prompt: text }));
    await this.fire("turn.start", { text, turnId });
    await this.work({ turnId });
    if (this.reason === "answer" && hasStop) {
      await this.fire("classic.Stop", this.base({ hook_event_name: "Stop", background_tasks: this.tasks }));
    }
    if (this.reason === "error") await this.fire("classic.StopFailure", this.base({ hook_event_name: "StopFailure" }));
    this.rows.push({ role: "assistant", text: this.answer });
    this.running = "";
    await this.fire("turn.complete", { turnId, reason: this.reason, answer: this.answer, isAborted: false });
    await this.settle();
  }

  tasks: Values[] = [];

  /** A tool call of the model, which does something. */
  async tool(tool: string, input: Values, does: () => void, { fails = false, agentId = "" } = {}): Promise<void> {
    const id = `toolu_${Object.keys(this.calls).length}_${this.turns}_${Math.random()}`;
    await this.fire("tool.check", { tool, input, tool_use_id: id, ...(agentId === "" ? {} : { agentId }) });
    does();
    const event = fails ? "PostToolUseFailure" : "PostToolUse";
    await this.fire(
      `classic.${event}`,
      this.base({ hook_event_name: event, tool_name: tool, tool_input: input, tool_use_id: id }),
    );
  }

  /** The model adds a line to the shop's file. */
  async writeShop(line = "- today"): Promise<void> {
    const text = `${this.text(SHOP)}${line}\n`;
    await this.tool("Write", { file_path: SHOP, content: text }, () => this.write(SHOP, text));
  }

  async escape(): Promise<void> {
    await this.fire("session.stop", { isTurnRunning: true });
  }

  /** Runs a command, and what it set off. */
  async command(command: string, args = ""): Promise<string> {
    const { text } = await this.fire("command.run", { command, args, origin: { kind: "composer" } });
    await this.settle();
    return String(text);
  }

  /** A request in `control/`, as the launcher leaves it. */
  ask(id: string, kind: string, more: Values = {}): void {
    const at = this.now / 1000;
    const request = { version: 1, id, kind, author: "launcher", at, expiresAt: at + 60, ...more };
    this.write(`${this.desk}/${id}.json`, JSON.stringify(request));
  }

  /** What became of a request. */
  steps(id: string, session = this.id): string[] {
    const { steps = [] } = this.json(`${OURS}/control/claude/${session}/${id}.done.json`);
    return (steps as { outcome: string }[]).map(({ outcome }) => outcome);
  }

  lastReason(id: string, session = this.id): string {
    const { steps = [] } = this.json(`${OURS}/control/claude/${session}/${id}.done.json`);
    return (steps as { reason?: string }[]).at(-1)?.reason ?? "";
  }

  get desk(): string {
    return `${OURS}/control/claude/${this.id}`;
  }

  /** What was reported, oldest first. */
  get reports(): { name: string; head: string; payload: Values }[] {
    return [...this.files]
      .filter(([path]) => path.startsWith(`${OURS}/inbox/claude-`))
      .map(([path, { text }]) => {
        const end = text.indexOf("\n\n");
        return { name: path, head: text.slice(0, end), payload: JSON.parse(text.slice(end + 2)) };
      });
  }

  /** Lets time pass, with what is due in it. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const due = this.timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.now = Math.max(this.now, due.at);
      if (due.every === undefined) this.timers = this.timers.filter((timer) => timer !== due);
      else due.at += due.every;
      due.run();
      await this.settle();
    }
    this.now = until;
    await this.settle();
  }

  /** A wait of the plugin: it is over at once. */
  async sleep(): Promise<void> {
    await this.settle();
  }

  /** What writing waits for. */
  slowDisk: Promise<void> = Promise.resolve();

  /** Lets everything that waits for nothing but its turn go on. */
  async settle(): Promise<void> {
    for (let round = 0; round < 400; round++) await Promise.resolve();
  }

  /** Raises an event, as the engine does: the hooks, one around the other. */
  async fire(event: string, e: Values): Promise<Values> {
    const hooks = this.hooks.filter(
      (hook) => hook.event === event && Object.entries(hook.matcher).every(([key, value]) => e[key] === value),
    );
    const run = async (index: number, now: Values): Promise<Values> => {
      const hook = hooks[index];
      const next = Object.assign((value: Values) => run(index + 1, value), { budget: { remainingMs: 1000 } });
      return hook === undefined ? now : hook.hook(this.engine, now, next);
    };
    return run(0, e);
  }

  /** What the pane shows, line by line. */
  async pane(): Promise<string> {
    const drawn: unknown = await this.fire("ui.render", {
      component: "Pane",
      requestId: "sessions",
      surface: "terminal",
    });
    return textsOf(drawn).join("\n");
  }

  get isPaneOpen(): boolean {
    return this.panes.length > 0;
  }

  private base(more: Values): Values {
    return { session_id: this.id, transcript_path: "/t.jsonl", cwd: PROJECT, permission_mode: "default", ...more };
  }

  private count(call: string): void {
    this.calls[call] = (this.calls[call] ?? 0) + 1;
  }

  private readonly engine = {
    clock: {
      now: async () => this.now,
      sleep: () => this.sleep(),
      after: (ms: number, run: () => void) => this.timer({ at: this.now + ms, run }),
      every: (ms: number, run: () => void) => this.timer({ at: this.now + ms, every: ms, run }),
    },
    env: {
      get: async (name: string) => this.env[name],
      set: async (name: string, value: string) => {
        this.env[name] = value;
        return {};
      },
    },
    process: {
      hookEnv: async () => ({ CLAUDE_PID: String(PID), CLAUDE_PROJECT_DIR: PROJECT }),
      run: async (argv: readonly string[]) => {
        this.processes.push(argv);
        return { exitCode: 0, stdout: `${PID}\n`, stderr: "" };
      },
    },
    session: {
      id: async () => this.id,
      root: async () => PROJECT,
      info: async () => ({ transcriptPath: `/transcripts/${this.id}.jsonl`, platform: this.platform }),
      usage: async () => ({
        context: { tokens: 14_000, breakdown: { memoryFiles: this.memoryFiles.map((path) => ({ path })) } },
      }),
      messages: async () => this.rows,
      send: async ({ to, text }: { to: { sessionId: string }; text: string }) => {
        const reason = this.refusals[to.sessionId];
        if (reason !== undefined) return { isDelivered: false, reason };
        this.sent.push({ to: to.sessionId, text });
        return { isDelivered: true };
      },
    },
    command: {
      register: async () => undefined,
      run: async ({ command }: { command: string }) => {
        if (command !== "clear") throw new Error(`no command ${command}`);
        this.onClear();
        if (this.clearDoesNothing) return { text: "kept" };
        this.clears += 1;
        this.rows = [];
        await this.fire("session.end", { reason: "clear", sessionId: this.id });
        this.id = `session-${this.clears + 1}`;
        await this.fire("classic.SessionStart", this.base({ hook_event_name: "SessionStart", source: "clear" }));
        return {};
      },
    },
    prompt: {
      read: async () => ({ text: this.draft, cursor: 0 }),
      fill: async ({ text }: { text: string }) => {
        this.filled.push(text);
        this.draft = text;
        return { isFilled: true, text, cursor: 0 };
      },
      // A plugin does not hear its own prompts, and none is sent while a turn runs.
      submit: async ({ text }: { text: string }) => {
        if (this.submitDrop !== undefined) return { drop: this.submitDrop };
        this.submitted.push(text);
        void this.turn(text);
        return { text };
      },
    },
    turn: {
      abort: async ({ turnId }: { turnId: string }) => {
        this.aborted.push(turnId);
      },
    },
    ui: {
      toast: (text: string) => this.toasts.push(text),
      open: async (pane: { id: string }) => {
        this.panes = [pane];
        return { isPlaced: true };
      },
      close: async ({ id }: { id: string }) => {
        this.panes = [];
        await this.fire("ui.close", { id });
      },
      panes: async () => this.panes,
      resolve: () => ({ Box: "box", Text: "text" }),
    },
    store: {
      get: async (key: string) => this.store.get(key),
      set: async (key: string, value: unknown) => void this.store.set(key, value),
      delete: async (key: string) => void this.store.delete(key),
      keys: async () => [...this.store.keys()],
    },
    fs: {
      read: async (path: string, { offset = 0, length = Infinity } = {}) => {
        this.count(`read ${path}`);
        const file = this.files.get(path);
        if (file === undefined) throw new Error(`fs.read failed: ENOENT`);
        const bytes = Buffer.from(file.text);
        return bytes.subarray(offset, offset + Math.min(length, bytes.length)).toString();
      },
      write: async (path: string, text: string) => {
        this.count(`write ${dirname(path)}`);
        await this.slowDisk;
        this.write(path, text);
      },
      exists: async (path: string) => this.files.has(path) || this.isFolder(path),
      list: async (path: string) => {
        this.count(`list ${path}`);
        if (!this.isFolder(path)) throw new Error("fs.list failed: ENOENT");
        return [...this.files].flatMap(([name, { text, mtimeMs, isLink = false, kind = "file" }]) =>
          dirname(name) === path
            ? [
                {
                  name: name.slice(path.length + 1),
                  kind: isLink ? "other" : kind,
                  size: Buffer.byteLength(text),
                  mtimeMs,
                  isLink,
                },
              ]
            : [],
        );
      },
      stat: async (path: string, { resolve = false } = {}) => {
        this.count(`stat ${path}`);
        const file = this.files.get(path);
        if (file === undefined && !this.isFolder(path)) throw new Error("fs.stat failed: ENOENT");
        const inside = [...this.files].filter(([name]) => name.startsWith(`${path}/`));
        return {
          kind: file === undefined ? "dir" : (file.kind ?? "file"),
          size: Buffer.byteLength(file?.text ?? ""),
          mtimeMs: file?.mtimeMs ?? Math.max(0, ...inside.map(([, { mtimeMs }]) => mtimeMs)),
          isLink: file?.isLink ?? false,
          ...(resolve ? { realPath: file?.isLink ? "/elsewhere" : (this.realPaths[path] ?? path) } : {}),
        };
      },
    },
  };

  /** Where paths really lead, when elsewhere. */
  readonly realPaths: Record<string, string> = {};

  private isFolder(path: string): boolean {
    return [...this.files.keys()].some((name) => name.startsWith(`${path}/`));
  }

  private timer(timer: Timer): { cancel: () => void } {
    this.timers.push(timer);
    return { cancel: () => (this.timers = this.timers.filter((known) => known !== timer)) };
  }

  private stateModule(): Values {
    const keyOf = ({ ref }: { ref: { key: string } }) => ref.key;
    return {
      atom: (ref: { key: string }, initial: unknown) => ({ ref, initial }),
      read: async (_$: unknown, atom: { ref: { key: string }; initial: unknown }) =>
        this.state.has(keyOf(atom)) ? this.state.get(keyOf(atom)) : atom.initial,
      update: async (
        _$: unknown,
        atom: { ref: { key: string }; initial: unknown },
        change: (value: unknown) => unknown,
      ) => {
        const value = this.state.has(keyOf(atom)) ? this.state.get(keyOf(atom)) : atom.initial;
        this.state.set(keyOf(atom), change(value));
      },
    };
  }
}

/** The texts of drawn elements, in their order. */
function textsOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== "object" || node === null || !("props" in node)) return [];
  const { props } = node;
  return typeof props === "object" && props !== null && "children" in props ? textsOf(props.children) : [];
}
