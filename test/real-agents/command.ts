import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** `agent-sessions` as it is installed: the bundle and its assets, which no build can change while the tests run. */
export class InstalledCommand {
  private readonly folder = mkdtempSync(join(tmpdir(), "real-agents-command-"));

  constructor() {
    for (const part of ["build/agent-sessions.js", "assets"]) {
      cpSync(resolve(part), join(this.folder, part), { recursive: true });
    }
  }

  /**
   * Runs it.
   *
   * @returns what it printed
   * @throws when it fails
   */
  async run(environment: Readonly<Record<string, string>>, ...parameters: string[]): Promise<string> {
    const file = join(this.folder, "build", "agent-sessions.js");
    const { stdout } = await run(process.execPath, [file, ...parameters], {
      env: environment,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
