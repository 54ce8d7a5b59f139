// Bundles each command of package.json's `bin` into one file in build/, which needs no node_modules.
import { chmodSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  define: { AGENT_SESSIONS_VERSION: JSON.stringify(version) },
  // Its main file is UMD, which hides what it requires from a bundler.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
};
const banner = { js: "#!/usr/bin/env node" };

/** What the quick program does not carry, with what each of these modules gives: see src/cli/unprepared.ts. */
const UNPREPARED = {
  "src/files/codecs.ts": [
    "statusFileCodec",
    "signalDocumentCodec",
    "readMarksCodec",
    "sessionFileCodec",
    "claudeRegistryCodec",
    "pausedFlagCodec",
  ],
  "src/files/control-codecs.ts": ["requestCodec", "outcomeCodec", "sentCodec", "pluginMarkCodec"],
  "src/store/writing.ts": ["writing", "locking"],
  "src/observe/folding-module.ts": ["folding"],
};

const unprepared = {
  name: "unprepared",
  setup(plugin) {
    for (const [file, names] of Object.entries(UNPREPARED)) {
      const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
      const exported = readFileSync(path, "utf8").match(/(?<=export function )\w+/g) ?? [];
      if (exported.sort().join() !== [...names].sort().join()) throw new Error(`${file} gives ${exported.join(", ")}`);
      plugin.onLoad({ filter: /\.ts$/ }, ({ path: loaded }) =>
        loaded === path
          ? {
              loader: "ts",
              resolveDir: fileURLToPath(new URL("../src/cli", import.meta.url)),
              contents: `import { unprepared } from "./unprepared"; ${names.map((name) => `export const ${name} = unprepared;`).join(" ")}`,
            }
          : undefined,
      );
    }
  },
};

const whole = await build({ ...common, entryPoints: ["src/cli/agent-sessions.ts"], write: false, charset: "ascii" });

// The command itself is small: most of its runs print an answer that still holds, and load nothing else.
await build({
  ...common,
  entryPoints: ["src/cli/quick.ts"],
  outfile: "build/agent-sessions.js",
  banner,
  supported: { "dynamic-import": false },
  plugins: [
    {
      name: "programs-beside",
      setup(plugin) {
        plugin.onResolve({ filter: /^\.\/quick-run$/ }, () => ({ path: "./agent-sessions-run.js", external: true }));
      },
    },
  ],
});

await build({
  ...common,
  entryPoints: ["src/cli/quick-run.ts"],
  outfile: "build/agent-sessions-run.js",
  plugins: [unprepared],
  // One line, whatever is in it: JSON has no line breaks. src/cli/quick-run.ts reads it from there.
  footer: { js: `//${JSON.stringify(whole.outputFiles[0].text)}` },
});

await build({ ...common, entryPoints: ["src/cli/agent-signal.ts"], outfile: "build/agent-signal.js", banner });

for (const name of ["agent-sessions", "agent-signal"]) chmodSync(`build/${name}.js`, 0o755);
