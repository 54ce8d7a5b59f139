import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerLine, userLine } from "../observe/machine-state";
import { scratchFolder } from "../scratch";

/** A home folder of its own for one test, in which Claude keeps transcripts of sessions in `/w/shop`. */
export class ClaudeHome {
  private readonly before = process.env.HOME;
  // Never the home of whoever runs the tests: what `os.homedir` gives does not follow the variable.
  private readonly folder = scratchFolder();

  constructor() {
    process.env.HOME = this.folder;
  }

  /** Writes the transcript of a session whose model last answered at `at`, with a context of so many tokens. */
  answered(id: string, at: number, tokens: number): void {
    const projects = join(this.folder, ".claude", "projects", "-w-shop");
    mkdirSync(projects, { recursive: true });
    const lines = [userLine(at - 60, "Go"), answerLine(at, { input_tokens: tokens })];
    writeFileSync(join(projects, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  /** Has the environment name the home of before. */
  leave(): void {
    process.env.HOME = this.before;
  }
}
