// `npm run test:fuzz [pattern…]`: the targets of test/fuzz with many inputs, some minutes on two cores. FUZZ_RUNS is how many
// times the inputs of a usual run of the tests, FC_RUNS a number for each target, FC_SEED repeats a run. A line a target on
// standard output; the same as JSON in the file that FUZZ_JSON names. The figures of a whole run go to SECURITY.md.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { keepFigures, measured, writeFigures } from "./figures.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-sessions-fuzz-"));
const report = join(folder, "rows");
writeFileSync(report, "");

const { FUZZ_RUNS = process.env.FC_RUNS ? "1" : "40", FUZZ_JSON = "" } = process.env;
const patterns = process.argv.length > 2 ? process.argv.slice(2) : ["test/fuzz/"];
const jest = spawn(process.execPath, [join("node_modules", "jest", "bin", "jest.js"), ...patterns], {
  cwd: project,
  env: { ...process.env, FUZZ_RUNS, FUZZ_REPORT: report },
  stdio: ["ignore", "pipe", "pipe"],
});
let said = "";
for (const stream of [jest.stdout, jest.stderr]) stream.on("data", (bytes) => (said += bytes));

const rows = [];

/** Prints the rows that came since. */
function tell() {
  const lines = readFileSync(report, "utf8").split("\n").slice(0, -1);
  for (const line of lines.slice(rows.length)) {
    const row = JSON.parse(line);
    rows.push(row);
    const counts = `${row.inputs} inputs, ${row.refusedWithReason} refused with the reason`;
    console.log(`${row.target}: ${counts}, ${row.seconds} s, seed ${row.seed}`);
  }
}

const telling = setInterval(tell, 1000);
const code = await new Promise((done) => jest.once("close", (ended) => done(ended ?? 1)));
clearInterval(telling);
tell();
rmSync(folder, { recursive: true, force: true });
if (FUZZ_JSON !== "") writeFileSync(resolve(FUZZ_JSON), `${JSON.stringify(rows, null, 2)}\n`);

const inputs = rows.reduce((sum, row) => sum + row.inputs, 0);
console.log(`${rows.length} targets, ${inputs} inputs${code === 0 ? "" : "; not all of them passed"}`);
if (code !== 0) console.error(said);
process.exitCode = code;
if (code === 0 && process.argv.length === 2) {
  keepFigures("fuzz", { ...measured(), rows });
  await writeFigures();
}
