// `npm run test:host`: the extension in other launchers that run it; see docs/hosts.md. Not for CI.
import { buildSync } from "esbuild";

buildSync({
  entryPoints: ["test/hosts/main.ts"],
  outfile: "build/hosts/main.js",
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
await import("../build/hosts/main.js");
