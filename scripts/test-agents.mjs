// `npm run test:agents [agent…]`: runs the real agents against a model on loopback; see test/real-agents. Not for CI.
import { spawnSync } from "node:child_process";
import { buildSync } from "esbuild";
import "./build-commands.mjs";

buildSync({
  entryPoints: ["test/real-agents/main.ts"],
  outfile: "build/real-agents/main.js",
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, ["build/real-agents/main.js", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
