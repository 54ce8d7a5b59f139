import { cpus } from "node:os";
import { benchFold } from "./fold";
import { benchList } from "./list";
import { benchLive } from "./live";
import { benchMachine } from "./machine";
import { tableOf } from "./measure";
import { benchTranscript } from "./transcript";

/** Prints all figures of this machine. */
async function main(): Promise<void> {
  const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"})`;
  process.stdout.write(`${machine}. Times are medians; ratios are of one run and count more than times.\n\n`);
  process.stdout.write(tableOf(await benchLive(30)));
  process.stdout.write(tableOf(benchFold(10_000, 100)));
  process.stdout.write(tableOf(benchTranscript([1, 100, 500], 15)));
  process.stdout.write(tableOf(await benchMachine(1000, 200, 15)));
  process.stdout.write(tableOf(await benchList([100, 1000, 10_000], 15)));
}

void main();
