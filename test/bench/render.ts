import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Plugin } from "esbuild";
import type { Row } from "./measure";
import type { RenderTimes } from "./render-worker";

/**
 * What the launcher's list costs to render, without reading any source: the first time, and after one session changed;
 * each beside as many rows with nothing but a title, in the same run. And what it takes to keep the first rows for the
 * next opening, and to read them there.
 */
export async function benchRender(count: number, rounds: number): Promise<Row[]> {
  const times = await inWorker(await bundled(), { count, rounds });
  const list = `list of ${count.toLocaleString("en-US")} sessions`;
  const rows = `${times.rows} rows`;
  return [
    { name: `${list}: first render`, value: times.first, unit: "ms", note: rows },
    { name: `${list}: first render / as many plain rows`, value: times.first / times.plainFirst, unit: "×" },
    { name: `${list}: one row changes`, value: times.change, unit: "ms", note: rows },
    {
      name: `${list}: one row changes / one of as many plain rows`,
      value: times.change / times.plainChange,
      unit: "×",
    },
    { name: `${list}: one row changes / its first render`, value: times.change / times.first, unit: "×" },
    {
      name: "rows of the last opening: read and checked",
      value: times.load,
      unit: "ms",
      note: `${times.keptRows} rows`,
    },
    { name: "rows of the last opening: kept", value: times.save, unit: "ms" },
    { name: "rows of the last opening: read and checked / first render", value: times.load / times.first, unit: "×" },
  ];
}

/** Builds what runs in the worker: the sources' following is replaced by one that is told. */
async function bundled(): Promise<string> {
  const root = process.cwd();
  const { build }: typeof import("esbuild") = createRequire(join(root, "x.js"))("esbuild");
  const outfile = join(root, "build", "bench", "render-worker.js");
  const told: Plugin = {
    name: "told",
    setup(plugin) {
      plugin.onResolve({ filter: /\/observe\/live$/ }, () => ({ path: join(root, "test", "bench", "told-live.ts") }));
      plugin.onResolve({ filter: /^@raycast\/api$/ }, () => ({ path: join(root, "test", "host", "raycast-api.tsx") }));
    },
  };
  await build({
    entryPoints: [join(root, "test", "bench", "render-worker.tsx")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    jsx: "automatic",
    external: ["react", "react-reconciler", "@raycast/api/package.json"],
    // The host finds the manifest from where its sources lie.
    define: { __dirname: JSON.stringify(join(root, "test", "host")) },
    plugins: [told],
    logLevel: "warning",
  });
  return outfile;
}

function inWorker(file: string, workerData: { count: number; rounds: number }): Promise<RenderTimes> {
  return new Promise((resolve, reject) => {
    // As the launcher runs it: React without its checks of development.
    const worker = new Worker(file, { workerData, env: { ...process.env, NODE_ENV: "production" }, stdout: true });
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`rendering ended with ${code}`)));
  });
}
