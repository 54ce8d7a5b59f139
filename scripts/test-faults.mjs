// `npm run test:faults`: kills, full and read-only disks, few open files, clocks that jump, against the built commands.
// FAULT_ROUNDS raises how much is tried (100 takes some minutes), FAULT_SEED repeats a run, FAULTS_JSON keeps the table.
// The figures of a run that passed go to SECURITY.md.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepFigures, measured, writeFigures } from "./figures.mjs";

const folder = mkdtempSync(join(tmpdir(), "agent-sessions-faults-"));
const table = join(folder, "rows");
const { status } = spawnSync(
  process.execPath,
  ["node_modules/jest/bin/jest.js", "--testPathPatterns", "test/faults/"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      FAULT_ROUNDS: process.env.FAULT_ROUNDS ?? "100",
      FAULT_SEED: process.env.FAULT_SEED ?? String(Date.now() % 1_000_000),
      FAULT_BUILD: "build",
      FAULT_TABLE: table,
    },
  },
);

const lines = existsSync(table) ? readFileSync(table, "utf8").trimEnd().split("\n") : [];
const rows = lines.map((line) => JSON.parse(line)).sort((one, other) => (one.what < other.what ? -1 : 1));
rmSync(folder, { recursive: true, force: true });
if (process.env.FAULTS_JSON !== undefined) writeFileSync(process.env.FAULTS_JSON, `${JSON.stringify(rows, null, 2)}\n`);

const COLUMNS = ["rounds", "kills", "lost", "twice", "corrupt", "seconds", "seed"];
const width = Math.max(4, ...rows.map(({ what }) => what.length));
console.log(`\n${"what".padEnd(width)}${COLUMNS.map((name) => name.padStart(9)).join("")}`);
for (const row of rows) {
  console.log(`${row.what.padEnd(width)}${COLUMNS.map((name) => String(row[name]).padStart(9)).join("")}`);
}
const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
console.log(
  `${"all".padEnd(width)}${["rounds", "kills", "lost", "twice", "corrupt"].map((name) => String(sum(name)).padStart(9)).join("")}`,
);
process.exitCode = status ?? 1;
if (status === 0) {
  keepFigures("faults", { ...measured(), rows });
  await writeFigures();
}
