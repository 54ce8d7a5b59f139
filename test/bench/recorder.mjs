// What the recorder costs an agent: CPU, user and system, of all the processes it starts, against a bare shell and
// against a hook in Node that does the same, in turn in one run. The ratios count; the times are this machine's.
//
//   node test/bench/recorder.mjs [rounds]
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SCRIPT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "assets", "bin", "record");

// bash counts to the millisecond what its children used, and theirs; other shells tick at 10 ms. sh runs them, since
// it starts a process at less cost.
const LOOP = 'n=$1 input=$2; shift 2; i=0; while [ $i -lt $n ]; do "$@" <"$input"; i=$((i+1)); done';
const COUNTER = 'sh -c "$@"; times';

const NODE_HOOK = `
const fs = require("node:fs");
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk));
process.stdin.on("end", () => {
  const inbox = process.argv[2];
  const name = "claude-" + process.pid + "-0";
  const facts = ["TMUX", "TMUX_PANE", "CLAUDE_PID"].map((key) => key + "=" + process.env[key]).join("\\n");
  fs.writeFileSync(inbox + "/." + name, "agent-sessions 1\\nagent=claude\\n" + facts + "\\n\\n", { flag: "wx", mode: 0o600 });
  fs.appendFileSync(inbox + "/." + name, Buffer.concat(chunks));
  fs.renameSync(inbox + "/." + name, inbox + "/" + name);
});
`;

// The same two processes, with nothing around them that a recorder needs.
const FLOOR = 'export LC_ALL=C; { echo head; tee /dev/null; } >"$0/.claude-$$"; mv -f "$0/.claude-$$" "$0/claude-$$"';

/** A hook inherits the environment; inside tmux it has these besides. */
const ENVIRONMENT = {
  ...process.env,
  TMUX: "/tmp/tmux-1000/default,20550,31",
  TMUX_PANE: "%3",
  TERM_PROGRAM: "tmux",
  CLAUDE_PID: "29745",
  CLAUDE_CODE_SESSION_ID: "eb52879d-6915-4b9c-a220-3f30743c3b4d",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_PROJECT_DIR: "/home/dev/work",
};

/** CPU milliseconds of one run, as the mean of some. */
function cost(argv, runs, input) {
  const { status, stdout, stderr, error } = spawnSync(
    "bash",
    ["-c", COUNTER, "bash", LOOP, "sh", String(runs), input, ...argv],
    {
      encoding: "utf8",
      env: ENVIRONMENT,
    },
  );
  if (error !== undefined) throw error;
  const children = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(stdout);
  if (status !== 0 || stderr !== "" || children === null)
    throw new Error(`${argv.join(" ")}: ${status} ${stderr}${stdout}`);
  const [, userMinutes, user, systemMinutes, system] = children.map(Number);
  return ((userMinutes * 60 + user + systemMinutes * 60 + system) * 1000) / runs;
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

/** Certificates that Node reads at every start are more than half of its time, where the environment names some. */
function nodeNote() {
  const certificates = process.env.NODE_EXTRA_CA_CERTS ? ", with NODE_EXTRA_CA_CERTS set" : "";
  return `the same in Node, nothing but node:fs${certificates}`;
}

/** Measures, and gives rows for a report. */
export async function bench({ rounds = 7 } = {}) {
  const home = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  try {
    const inbox = join(home, "inbox");
    mkdirSync(inbox, { mode: 0o700 });
    mkdirSync(join(home, "bin"));
    copyFileSync(SCRIPT, join(home, "bin", "record"));
    const input = join(home, "payload");
    writeFileSync(input, JSON.stringify({ session_id: "s", tool_response: "x".repeat(1460) }));
    writeFileSync(join(home, "hook.cjs"), NODE_HOOK);
    const contenders = {
      shell: { argv: ["sh", "-c", ":"], runs: 200 },
      record: { argv: [join(home, "bin", "record"), "claude", "PostToolUse"], runs: 100, leaves: true },
      floor: { argv: ["sh", "-c", FLOOR, inbox], runs: 100, leaves: true },
      node: { argv: [process.execPath, join(home, "hook.cjs"), inbox], runs: 5, leaves: true },
    };
    const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, { argv, runs, leaves = false }] of Object.entries(contenders)) {
        times[name].push(cost(argv, runs, input));
        const left = readdirSync(inbox);
        if (left.length !== (leaves ? runs : 0)) throw new Error(`${name} left ${left.length} of ${runs} entries`);
        for (const entry of left) rmSync(join(inbox, entry));
      }
    }
    const { shell, record, floor, node } = Object.fromEntries(
      Object.entries(times).map(([name, values]) => [name, median(values)]),
    );
    const cpu = (name, value, note) => ({ name, value, unit: "ms CPU", note });
    const ratio = (name, value, note) => ({ name, value, unit: "x", note });
    return {
      rows: [
        cpu("sh -c :", shell, "a bare shell"),
        cpu("record, 1.5 KB", record, "an event in the inbox"),
        cpu("tee and mv under sh", floor, "the same two processes and nothing else"),
        cpu("Node hook, 1.5 KB", node, nodeNote()),
        ratio("record / sh -c :", record / shell, "aim: at most 4"),
        ratio("tee and mv / sh -c :", floor / shell, "what the two processes alone make of it"),
        ratio("Node hook / record", node / record, "aim: at least 20"),
      ],
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const rounds = Number(process.argv[2] ?? 7);
  const { rows } = await bench({ rounds });
  for (const { name, value, unit, note } of rows) {
    process.stdout.write(`${name.padEnd(24)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(6)}  ${note}\n`);
  }
}
