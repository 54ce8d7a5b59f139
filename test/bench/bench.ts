import { cpus } from "node:os";
import { benchFold } from "./fold";
import { benchList } from "./list";
import { tableOf } from "./measure";

const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"})`;
process.stdout.write(`${machine}. Times are medians; ratios are of one run and count more than times.\n\n`);
process.stdout.write(tableOf([...benchFold(10_000, 100), ...benchList([1000, 10_000], 15)]));
