// `npm run bench`: prints the figures; asserts none.
import { spawnSync } from "node:child_process";
import { buildSync } from "esbuild";
import { bench } from "../test/bench/recorder.mjs";

buildSync({
  entryPoints: ["test/bench/bench.ts"],
  outfile: "build/bench/bench.js",
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
buildSync({
  entryPoints: ["test/bench/heap-worker.mjs"],
  outfile: "build/bench/heap-worker.js",
  bundle: true,
  platform: "node",
  target: "node20",
  external: ["react", "react-reconciler", "@raycast/api/package.json"],
  logLevel: "warning",
});
process.exitCode = spawnSync(process.execPath, ["build/bench/bench.js"], { stdio: "inherit" }).status ?? 1;

console.log("\nWhat a hook costs its agent, in CPU time of one run:");
const { rows } = await bench({ rounds: 7 });
for (const { name, value, unit, note } of rows) {
  console.log(`${name.padEnd(24)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(6)}  ${note ?? ""}`);
}
