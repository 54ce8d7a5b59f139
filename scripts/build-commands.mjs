// Bundles each command of package.json's `bin` into one file in build/, which needs no node_modules.
import { readFileSync, existsSync } from "node:fs";
import { buildSync } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

for (const name of ["agent-sessions", "agent-signal"].filter((each) => existsSync(`src/cli/${each}.ts`))) {
  buildSync({
    entryPoints: [`src/cli/${name}.ts`],
    outfile: `build/${name}.js`,
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    banner: { js: "#!/usr/bin/env node" },
    define: { AGENT_SESSIONS_VERSION: JSON.stringify(version) },
    logLevel: "warning",
  });
}
