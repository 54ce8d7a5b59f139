// What the recorder costs an agent: CPU, user and system, of all the processes it starts, against a bare shell and
// against a hook in Node that does the same, in turn in one run, the payload on a pipe. Of each the least of the rounds
// counts: whatever else the machine does only adds to it. The ratios count; the times are this machine's.
//
//   node test/bench/recorder.mjs [rounds]
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SCRIPT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "assets", "bin", "record");

// bash counts to the millisecond what its children used, and theirs; other shells tick at 10 ms. sh runs them, since
// it starts a process at less cost, and puts a payload of this size on a pipe without starting any.
const LOOP = `n=$1 payload=$2; shift 2; i=0
while [ $i -lt $n ]; do
  "$@" <<END
$payload
END
  i=$((i+1))
done`;
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

// The same two processes, with nothing around them that a recorder needs; and with mv where the recorder has another.
const SHORT = existsSync("/usr/bin/rename.ul");
const WRITE = 'export LC_ALL=C; { echo head; tee /dev/null; } >"$0/.claude-$$";';
const MOVE = `${WRITE} mv -f "$0/.claude-$$" "$0/claude-$$"; :`;
const FLOOR = SHORT ? `${WRITE} /usr/bin/rename.ul .claude claude "$0/.claude-$$"; :` : MOVE;

/** Certificates that Node reads at every start are more than half of its time, where the environment names some. */
const CERTIFICATES = "NODE_EXTRA_CA_CERTS";

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
function cost(argv, runs, payload, env) {
  const { status, stdout, stderr, error } = spawnSync(
    "bash",
    ["-c", COUNTER, "bash", LOOP, "sh", String(runs), payload, ...argv],
    {
      encoding: "utf8",
      env,
    },
  );
  if (error !== undefined) throw error;
  const children = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(stdout);
  if (status !== 0 || stderr !== "" || children === null)
    throw new Error(`${argv.join(" ")}: ${status} ${stderr}${stdout}`);
  const [, userMinutes, user, systemMinutes, system] = children.map(Number);
  return ((userMinutes * 60 + user + systemMinutes * 60 + system) * 1000) / runs;
}

/** Measures, and gives rows for a report. */
export async function bench({ rounds = 7 } = {}) {
  const home = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  try {
    const inbox = join(home, "inbox");
    mkdirSync(inbox, { mode: 0o700 });
    mkdirSync(join(home, "bin"));
    copyFileSync(SCRIPT, join(home, "bin", "record"));
    const payload = JSON.stringify({ session_id: "s", tool_response: "x".repeat(1460) });
    writeFileSync(join(home, "hook.cjs"), NODE_HOOK);
    const contenders = {
      shell: { argv: ["sh", "-c", ":"], runs: 200 },
      record: { argv: [join(home, "bin", "record"), "claude", "PostToolUse"], runs: 100, leaves: true },
      floor: { argv: ["sh", "-c", FLOOR, inbox], runs: 100, leaves: true },
      move: { argv: ["sh", "-c", MOVE, inbox], runs: 100, leaves: true },
      node: { argv: [process.execPath, join(home, "hook.cjs"), inbox], runs: 5, leaves: true, without: CERTIFICATES },
      ...(process.env[CERTIFICATES]
        ? { slowNode: { argv: [process.execPath, join(home, "hook.cjs"), inbox], runs: 5, leaves: true } }
        : {}),
    };
    const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, { argv, runs, leaves = false, without }] of Object.entries(contenders)) {
        const env = { ...ENVIRONMENT };
        if (without !== undefined) delete env[without];
        times[name].push(cost(argv, runs, payload, env));
        const left = readdirSync(inbox);
        if (left.length !== (leaves ? runs : 0)) throw new Error(`${name} left ${left.length} of ${runs} entries`);
        for (const entry of left) rmSync(join(inbox, entry));
      }
    }
    const { shell, record, floor, move, node, slowNode } = Object.fromEntries(
      Object.entries(times).map(([name, values]) => [name, Math.min(...values)]),
    );
    const cpu = (name, value, note) => ({ name, value, unit: "ms CPU", note });
    const ratio = (name, value, note) => ({ name, value, unit: "×", note });
    const named = `with ${CERTIFICATES} set, as here`;
    return {
      rows: [
        cpu("sh -c :", shell, "a bare shell"),
        cpu("record, 1.5 KB", record, "an event in the inbox"),
        cpu("its two processes", floor, SHORT ? "tee and rename.ul under sh, and nothing else" : "as tee and mv"),
        cpu("tee and mv under sh", move, "the two that are there on every system, and nothing else"),
        cpu("Node hook, 1.5 KB", node, "the same in Node, nothing but node:fs"),
        ...(slowNode === undefined ? [] : [cpu("Node with certificates", slowNode, named)]),
        ratio("record / sh -c :", record / shell, "aim: at most 4"),
        ratio("its two / sh -c :", floor / shell, "what the two processes alone make of it"),
        ratio("tee and mv / sh -c :", move / shell, "what those two make of it"),
        ratio("Node hook / record", node / record, "aim: at least 20"),
        ...(slowNode === undefined ? [] : [ratio("Node with certificates / record", slowNode / record, named)]),
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
    process.stdout.write(`${name.padEnd(32)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(6)}  ${note}\n`);
  }
}
