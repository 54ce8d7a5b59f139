import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a picture shows of one session; times in minutes before now. */
interface Role {
  id: string;
  title: string;
  project: string;
  state: string;
  /** Since when it is in that state. */
  ago: number;
  agent?: string;
  /** The model's context in tokens, and when it answered last. */
  context?: [tokens: number, ago: number];
  more?: (now: number) => Record<string, unknown>;
}

const CAST: readonly Role[] = [
  {
    id: "b7e1f0aa-52c4-4c3e-9d06-1f3a8c2f7d10",
    title: "Add an index to the orders table",
    project: "api",
    state: "waiting",
    ago: 4,
    context: [86_400, 4],
    more: (now) => ({
      waiting_for: "permission",
      message: "Run the migration on the staging database?",
      tool: "Bash",
      activity: "npm run migrate -- --env staging",
      permission_mode: "default",
      turn_started_at: now - 9 * 60,
      background: { b1: { command: "docker compose up postgres", at: now - 31 * 60 } },
    }),
  },
  {
    id: "0c9d5a3e-6a7f-4a51-8c5b-63d0f2c1a922",
    title: "Choose a color for the banner",
    project: "website",
    state: "decision",
    ago: 11,
    agent: "opencode",
    more: () => ({ waiting_for: "question", message: "Which of the three palettes shall I use?" }),
  },
  {
    id: "3d1be0c7-93d8-4a43-b0ff-0d4a3df8b5e4",
    title: "Fix the flaky checkout test",
    project: "shop",
    state: "done",
    ago: 2,
    context: [41_200, 2],
    more: (now) => ({ done_at: now - 120, message: "The test waits for the cart now; 200 runs without a failure." }),
  },
  {
    id: "7aa2c6f4-18a0-4c6e-8f57-e6b0a9e7d3c1",
    title: "Speed up the nightly import",
    project: "search",
    state: "working",
    ago: 1,
    more: (now) => ({
      tool: "Edit",
      activity: "src/import/batches.ts",
      turn_started_at: now - 380,
      subagents: 2,
    }),
  },
  {
    id: "e2f4d1b8-7c35-4a2f-a6d9-9b8e7c6d5f43",
    title: "Upgrade the build tools",
    project: "mobile",
    state: "working",
    ago: 7,
    agent: "codex",
  },
  {
    id: "f9c8b7a6-5d4e-4f3c-8b2a-1a0f9e8d7c65",
    title: "Watch the release pipeline",
    project: "infra",
    state: "scheduled",
    ago: 3,
    more: (now) => ({ wakeup_at: now + 12.5 * 60 }),
  },
  {
    id: "18273645-aabb-4ccd-9eef-001122334455",
    title: "Rewrite the installation chapter",
    project: "docs",
    state: "idle",
    ago: 96,
    context: [128_900, 96],
    more: (now) => ({ done_at: now - 96 * 60, user_prompt_at: now - 20 * 60 }),
  },
];

/** Where the pictures' commands look: a home folder in which only the made-up sessions are known. */
export interface Scene {
  preferences: Record<string, string>;
  home: string;
}

/** Writes the made-up sessions into an empty folder, as their agents and the recorder would. */
export function makeScene(home: string): Scene {
  const now = Date.now() / 1000;
  const write = (name: string, text: string) => {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  };
  write(".agent-sessions/read-marks.json", JSON.stringify({ version: 1, baseline: 0, sessions: {} }));
  for (const { id, title, project, state, ago, agent, context, more } of CAST) {
    const cwd = `/home/dev/${project}`;
    const named = agent === undefined ? {} : { agent };
    const fields = { session_id: id, state, ts: now - ago * 60, title, cwd, ...named, ...more?.(now) };
    write(`.claude/aitention/status/${id}.json`, JSON.stringify(fields));
    if (context === undefined) continue;
    const [tokens, answered] = context;
    const lines = [promptLine(now - answered * 60 - 60, cwd), answerLine(now - answered * 60, tokens)];
    const folder = cwd.replaceAll("/", "-");
    write(`.claude/projects/${folder}/${id}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  return {
    home,
    preferences: {
      homeDirectory: join(home, ".agent-sessions"),
      statusDirectory: join(home, ".claude", "aitention", "status"),
      signalStateFile: join(home, "no-signal.json"),
    },
  };
}

function promptLine(at: number, cwd: string) {
  return { type: "user", timestamp: new Date(at * 1000).toISOString(), cwd, message: { role: "user", content: "Go" } };
}

function answerLine(at: number, tokens: number) {
  const usage = { input_tokens: 12, cache_read_input_tokens: tokens - 912, cache_creation_input_tokens: 900 };
  const message = { role: "assistant", model: "claude-sonnet-4-5", content: [], usage };
  return { type: "assistant", timestamp: new Date(at * 1000).toISOString(), message };
}
