// `npm start`: the list of this machine's sessions, kept live; recordings where there are none.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

buildSync({
  entryPoints: ["test/demo/demo.ts"],
  outfile: "build/demo/start.js",
  bundle: true,
  platform: "node",
  target: "node20",
  // Beside the sources, so that the recordings are found from the repository's own folder.
  define: { __dirname: JSON.stringify(fileURLToPath(new URL("../test", import.meta.url))) },
  logLevel: "warning",
});

const child = spawn(process.execPath, ["build/demo/start.js", ...process.argv.slice(2)], { stdio: "inherit" });
// A terminal interrupts both; everything else comes to this process alone.
process.on("SIGINT", () => undefined);
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  process.exitCode = code ?? 0;
});
