import { writeFileSync } from "node:fs";
import { benchFold } from "./fold";
import { benchList } from "./list";
import { benchLive } from "./live";
import { benchMachine } from "./machine";
import { tableOf, type Row } from "./measure";
import { benchRender } from "./render";
import { benchTranscript } from "./transcript";

/** Figures that belong together. */
interface Group {
  title: string;
  rows: Row[];
}

/** Prints all figures of this machine, and leaves them as JSON in the file that is named. */
async function main(file: string | undefined): Promise<void> {
  const groups: Group[] = [];
  const add = (title: string, rows: Row[]) => {
    groups.push({ title, rows });
    process.stdout.write(`${title}\n${tableOf(rows)}\n`);
  };
  add("From a Hook to the Screen", await benchLive(30));
  add("Folding", benchFold(10_000, 100));
  add("Transcripts", benchTranscript([1, 100, 500], 15));
  add("A Busy Machine", await benchMachine(1000, 200, 15));
  add("The Launcher", await benchRender(1000, 15));
  add("Lists", await benchList([100, 1000, 10_000], 15));
  if (file !== undefined) writeFileSync(file, JSON.stringify(groups));
}

void main(process.argv[2]);
