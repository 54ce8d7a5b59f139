import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";
import { scratchFolder } from "../scratch";
import type { Answer, Ask } from "./worker";
import { isRoot, USER } from "./world";

/** What takes longer waits for something that never comes. In milliseconds. */
const PATIENCE_MS = 20_000;

/** Somebody who looks at worlds and writes into them, in a process of the user's, and may hang. */
export class Onlooker {
  /** Everybody may read what lies here: the project may lie where only its owner may. */
  private readonly folder = scratchFolder();
  private child?: ChildProcess;
  private answers?: AsyncIterator<string>;

  constructor() {
    chmodSync(this.folder, 0o755);
    const entry = join(__dirname, "worker.ts");
    buildSync({ entryPoints: [entry], outfile: this.script, bundle: true, platform: "node", logLevel: "error" });
    chmodSync(this.script, 0o644);
    cpSync(join(__dirname, "..", "..", "assets", "bin"), join(this.folder, "assets", "bin"), { recursive: true });
  }

  private get script(): string {
    return join(this.folder, "worker.js");
  }

  /** The number of its process, which runs. */
  get pid(): number {
    return this.running().child.pid ?? 0;
  }

  /** Asks, and waits for the answer; one that hangs is killed, and the next question goes to another. */
  async ask(question: Ask): Promise<Answer | { outcome: "hangs" }> {
    const { child, answers } = this.running();
    child.stdin?.write(`${JSON.stringify(question)}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    });
    const answer = await Promise.race([answers.next(), late]);
    clearTimeout(timer);
    if (answer === undefined) {
      this.end();
      return { outcome: "hangs" };
    }
    if (answer.done === true) {
      this.end();
      return { outcome: "failed", reason: "the process ended" };
    }
    return JSON.parse(answer.value);
  }

  end(): void {
    this.child?.kill("SIGKILL");
    delete this.child;
    delete this.answers;
  }

  private running(): { child: ChildProcess; answers: AsyncIterator<string> } {
    if (this.child === undefined || this.answers === undefined) {
      const child = spawn(process.execPath, [this.script], {
        stdio: ["pipe", "pipe", "inherit"],
        cwd: this.folder,
        // Who made the files is not who looks: root may read everything.
        ...(isRoot ? { uid: USER, gid: USER } : {}),
      });
      this.child = child;
      this.answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    }
    return { child: this.child, answers: this.answers };
  }
}
