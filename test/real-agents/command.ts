import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How a run of the command ended, whatever its status. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** `agent-sessions` as it is installed: the bundle and its assets, which no build can change while the tests run. */
export class InstalledCommand {
  private readonly folder = mkdtempSync(join(tmpdir(), "real-agents-command-"));

  constructor() {
    for (const part of ["build/agent-sessions.js", "build/agent-sessions-run.js", "assets"]) {
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
    const { stdout } = await run(process.execPath, [this.file, ...parameters], {
      env: environment,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  }

  /** Runs it, and gives what it printed and its status, also when it fails. */
  attempt(environment: Readonly<Record<string, string>>, signal: AbortSignal, ...parameters: string[]): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const how = { env: environment, maxBuffer: 16 * 1024 * 1024, signal };
      execFile(process.execPath, [this.file, ...parameters], how, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === "number") resolve({ code, stdout, stderr });
        else reject(error ?? new Error("it ended without a status"));
      });
    });
  }

  private get file(): string {
    return join(this.folder, "build", "agent-sessions.js");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
