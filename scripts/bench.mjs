// `npm run bench`: prints the figures; asserts none.
import { spawnSync } from "node:child_process";
import { buildSync } from "esbuild";

buildSync({
  entryPoints: ["test/bench/bench.ts"],
  outfile: "build/bench/bench.js",
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
process.exitCode = spawnSync(process.execPath, ["build/bench/bench.js"], { stdio: "inherit" }).status ?? 1;
