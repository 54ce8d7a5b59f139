// `npm run test:readme`: does what the README tells a new user, on a clean clone of the last commit with an empty home
// folder: each command of its "Try It", timed, with what it printed; to docs/performance.md. It needs the network, for
// `npm ci`, and `script` of util-linux, for a terminal.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepFigures, measured, writeFigures } from "./figures.mjs";

/** A command that goes on by itself is ended once it has shown so many lines of its list, in a terminal of this size. */
const LIST_LINES = 6;
const COLUMNS = 120;
const ROWS = 30;

/** No command takes longer, in milliseconds. */
const LIMIT_MS = 20 * 60_000;

const project = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-sessions-readme-"));
// Some tests drop to another user, who has to reach the clone.
chmodSync(folder, 0o755);
const clone = join(folder, "clone");
const home = join(folder, "home");

/** The commands of "Try It", in their order. */
function commands() {
  const [, part = ""] = /\n## Try It\n([^]*?)\n## /.exec(readFileSync(join(project, "README.md"), "utf8")) ?? [];
  return Array.from(part.matchAll(/```sh\n(.*)\n```/g), ([, command]) => command);
}

/** What a terminal shows: the last whole picture of a program that draws itself anew, or else all, without what steers it. */
function screenOf(text) {
  const pictures = text.split("\x1b[H").slice(1);
  const last = pictures.findLast((picture) => picture.includes("\x1b[J")) ?? text;
  // eslint-disable-next-line no-control-regex -- that is what is taken out
  return last.replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r/g, "");
}

const linesOf = (text) => text.split("\n").filter((line) => line.trim() !== "");

/** Runs a command in a terminal until it ends, or, one that goes on, until it has shown its list. */
async function run(command) {
  const environment = Object.fromEntries(
    ["PATH", "LANG", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  );
  const began = Date.now();
  const child = spawn("script", ["-qfec", `stty cols ${COLUMNS} rows ${ROWS}; ${command}`, "/dev/null"], {
    cwd: clone,
    // The one place outside the home folder where a session may be known from.
    env: {
      ...environment,
      HOME: home,
      AGENT_SIGNAL_LIGHT_STATE_DIR: join(folder, "signal"),
      TERM: "xterm",
      NO_COLOR: "1",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  let printed = "";
  let shown;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
    const lines = linesOf(screenOf(printed));
    const isLive = command.endsWith("npm start") && lines.length >= LIST_LINES && lines[0]?.startsWith("Demo");
    if (!isLive || shown !== undefined) return;
    shown = { after: (Date.now() - began) / 1000, lines };
    child.stdin.write("\x03");
  });
  const code = await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  const seconds = shown?.after ?? (Date.now() - began) / 1000;
  const lines = shown?.lines ?? linesOf(screenOf(printed)).slice(-12);
  return { command, seconds, code, isLive: shown !== undefined, printed: lines, all: linesOf(screenOf(printed)) };
}

try {
  const cloned = spawnSync("git", ["clone", "--quiet", project, clone], { stdio: "inherit" });
  if (cloned.status !== 0) throw new Error("the project could not be cloned");
  const runs = [];
  for (const command of commands()) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    const ran = await run(command);
    const { all, ...kept } = ran;
    runs.push(kept);
    console.log(`${command}: ${ran.seconds.toFixed(0)} s, ended with ${ran.code}\n${ran.printed.join("\n")}\n`);
    if (ran.code === 0 || ran.isLive) continue;
    console.error(all.filter((line) => /●|✕|Error|error/.test(line)).join("\n"));
    throw new Error(`${command} ended with ${ran.code}`);
  }
  keepFigures("readme", { ...measured(), runs });
  await writeFigures();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
