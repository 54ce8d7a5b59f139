// `npm run bench`: measures, prints the figures, and writes them to docs/performance.md; it asserts none.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { bench } from "../test/bench/recorder.mjs";
import { keepFigures, machine, measured, writeFigures } from "./figures.mjs";

const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };
buildSync({ ...common, entryPoints: ["test/bench/bench.ts"], outfile: "build/bench/bench.js" });
buildSync({
  ...common,
  entryPoints: ["test/bench/heap-worker.mjs"],
  outfile: "build/bench/heap-worker.js",
  external: ["react", "react-reconciler", "@raycast/api/package.json"],
});

console.log(`${machine()}. Times are medians; ratios are of one run and count more than times.\n`);
const folder = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
try {
  const file = join(folder, "groups.json");
  const { status } = spawnSync(process.execPath, ["build/bench/bench.js", file], { stdio: "inherit" });
  if (status !== 0) throw new Error(`the bench ended with ${status}`);
  const groups = JSON.parse(readFileSync(file, "utf8"));
  const title = "What a Hook Costs Its Agent, in CPU Time of One Run";
  console.log(title);
  const { rows } = await bench({ rounds: 7 });
  for (const { name, value, unit, note } of rows) {
    console.log(`${name.padEnd(24)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(6)}  ${note ?? ""}`);
  }
  keepFigures("bench", { ...measured(), groups: [{ title, rows }, ...groups] });
  await writeFigures();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
