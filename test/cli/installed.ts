import { buildSync } from "esbuild";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../scratch";

/** Builds the package's own command as it is installed: one file that starts by its first line. Gives its path. */
export function installCommand(): string {
  const path = join(scratchFolder(), "agent-sessions");
  buildSync({
    entryPoints: [join(__dirname, "..", "..", "src", "cli", "agent-sessions.ts")],
    outfile: path,
    bundle: true,
    platform: "node",
    target: "node20",
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "error",
  });
  chmodSync(path, 0o755);
  return path;
}
