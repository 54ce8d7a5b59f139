import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Row } from "./measure";

/** What the launcher gives a command, in MB. */
const HEAP_LIMIT = 100;

/** What a command's worker tells. */
interface Told {
  peak: number;
  first: number;
  update?: number;
  shown: number;
}

/**
 * A command of the distribution build in a worker with the launcher's limit: its greatest heap, how long until its first
 * rows, and until a change shows.
 *
 * @param makeChange changes a session so that its title is the one given
 */
export async function benchHeap(
  command: string,
  mode: "view" | "menu-bar",
  environment: Readonly<Record<string, string>>,
  change?: { title: string; make: () => void },
): Promise<Row[]> {
  const { peak, first, update, shown } = await inWorker(command, mode, environment, change);
  const name = (what: string) => `${command}: ${what}`;
  return [
    { name: name("greatest heap"), value: peak / 1e6, unit: "MB", note: `of ${HEAP_LIMIT}, ${shown} rows` },
    { name: name("first rows"), value: first, unit: "ms", note: "loading, reading and rendering" },
    ...(update === undefined ? [] : [{ name: name("a change shows"), value: update, unit: "ms" }]),
  ];
}

function inWorker(
  command: string,
  mode: string,
  environment: Readonly<Record<string, string>>,
  change?: { title: string; make: () => void },
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(join(process.cwd(), "build", "bench", "heap-worker.js"), {
      workerData: { dist: join(process.cwd(), "dist"), command, mode, change: change?.title },
      env: { ...environment },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT },
      stdout: true,
    });
    worker.on("message", (told: "change" | Told) => (told === "change" ? change?.make() : resolve(told)));
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`${command} ended with ${code}`)));
  });
}
