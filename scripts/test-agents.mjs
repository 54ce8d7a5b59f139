// `npm run test:agents [agent…]`: runs the real agents against a model on loopback; see test/real-agents. Not for CI.
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
await import("../build/real-agents/main.js");
