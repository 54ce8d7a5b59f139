// Tries every kind of trap at every place that is read or written (test/permissions), and writes what came of it as
// Markdown: node scripts/permission-table.mjs FILE. Without a file it is printed. Nothing is written when a test fails;
// else SECURITY.md has it, too.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepFigures, measured, writeFigures } from "./figures.mjs";

const [path] = process.argv.slice(2);
const project = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "agent-sessions-table-"));
try {
  const table = join(folder, "table.md");
  const { status } = spawnSync("npx", ["jest", "--", "test/permissions/permissions.test.ts"], {
    cwd: project,
    env: { ...process.env, THOROUGH: "1", PERMISSION_TABLE: table },
    // What jest prints is of interest when it fails; the table is what is asked for.
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exitCode = status ?? 1;
  else {
    const text = readFileSync(table, "utf8");
    if (path === undefined) console.log(text);
    else copyFileSync(table, path);
    keepFigures("permissions", { ...measured(), table: text });
    await writeFigures();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
