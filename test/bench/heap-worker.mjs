// Runs one command of the distribution build in a worker as the launcher has them, and tells how much heap it took.
import Module from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { all, cleanup, environment, eventually, render } from "../host";
import * as raycastApi from "../host/raycast-api";

const { dist, command, mode, change } = workerData;
const load = Module._load;
Module._load = (request, ...rest) => (request === "@raycast/api" ? raycastApi : load(request, ...rest));

let peak = 0;
const sample = () => {
  peak = Math.max(peak, getHeapStatistics().used_heap_size);
};
const sampling = setInterval(sample, 2);

async function main() {
  Object.assign(environment, { commandName: command, commandMode: mode, launchType: "userInitiated" });
  const begun = performance.now();
  const { default: Command } = Module.createRequire(join(dist, "x.js"))(join(dist, `${command}.js`));
  const { root } = await render(Command, { launchType: "userInitiated", arguments: {} });
  const kind = mode === "menu-bar" ? "MenuBarExtra.Item" : "List.Item";
  await eventually(() => {
    if (all(root, kind).length === 0) throw new Error("nothing is shown yet");
  });
  sample();
  const first = performance.now() - begun;
  const shown = all(root, kind).length;
  let update;
  if (change !== undefined && mode === "view") {
    // A watch has to stand before a change is told.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const changed = performance.now();
    parentPort.postMessage("change");
    await eventually(() => {
      if (!all(root, kind).some(({ props }) => props.title === change)) throw new Error("not changed yet");
    });
    update = performance.now() - changed;
    sample();
  }
  clearInterval(sampling);
  parentPort.postMessage({ peak, first, update, shown });
  await cleanup();
  process.exit(0);
}

main().catch((error) => {
  throw error;
});
