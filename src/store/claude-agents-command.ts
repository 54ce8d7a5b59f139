import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { cutText, oneLine } from "../session/text";
import { reasonOf } from "../session/failure";
import type { LiveEntry } from "../session/live-entry";

/** How long the command may take; it needs a fifth of a second (version 2.1.332). */
const TIMEOUT_MS = 2_000;

/** A session is some 300 bytes of it. */
const OUTPUT_LIMIT = 4 * 1024 * 1024;

/** What the command told: sessions, or why it told none. */
export type ClaudeAgentsAnswer = { outcome: "entries"; entries: LiveEntry[] } | { outcome: "failed"; reason: string };

/** Which Claude Code to ask. */
export interface ClaudeAgentsCommand {
  /** The program's path, as found by whoever knows where programs lie. */
  program: string;
  configDirectory: string;
  /** Its environment; its `CLAUDE_CONFIG_DIR` becomes that of the folder. */
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs?: number;
}

/** Asks Claude Code's command for its sessions. */
export class ClaudeAgents {
  private running?: Promise<ClaudeAgentsAnswer>;

  constructor(private readonly command: ClaudeAgentsCommand) {}

  /**
   * Runs `claude agents --json` (CLI reference). It starts the whole CLI, so it is for who asks for it, as a second
   * opinion; never is there more than one at a time: who asks meanwhile gets the same answer. It never throws.
   */
  ask(): Promise<ClaudeAgentsAnswer> {
    this.running ??= this.run().finally(() => delete this.running);
    return this.running;
  }

  private async run(): Promise<ClaudeAgentsAnswer> {
    const { configDirectory } = this.command;
    try {
      const output = await this.output();
      // The schemas are heavy, and nobody asks this in a short run.
      const { decodeClaudeAgents } = await import("../files/claude-agents-json");
      const decoded = decodeClaudeAgents(output, configDirectory);
      if (decoded.outcome === "entries") return { outcome: "entries", entries: decoded.entries };
      return failed(decoded.reason);
    } catch (error) {
      return failed(reasonOf(error));
    }
  }

  private output(): Promise<string> {
    const { program, timeoutMs = TIMEOUT_MS } = this.command;
    return new Promise((settle, reject) => {
      const child = execFile(
        program,
        ["agents", "--json"],
        {
          // A signal that can be ignored would leave it behind.
          killSignal: "SIGKILL",
          timeout: timeoutMs,
          maxBuffer: OUTPUT_LIMIT,
          windowsHide: true,
          env: environmentFor(this.command),
        },
        (error, stdout, stderr) => {
          if (error === null) return settle(stdout);
          if (error.killed === true && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
            return reject(new Error(`did not answer within ${timeoutMs / 1000} s`));
          }
          const said = cutText(oneLine(stderr), 200);
          reject(new Error(said === "" ? oneLine(reasonOf(error)) : said));
        },
      );
      child.stdin?.end();
    });
  }
}

/** The usual folder is not named: Claude Code keeps more beside it (`~/.claude.json`) than in one that is. */
function environmentFor({ configDirectory, environment }: ClaudeAgentsCommand): NodeJS.ProcessEnv {
  const usual = join(environment.HOME?.trim() || homedir(), ".claude");
  const isUsual = resolve(configDirectory) === resolve(usual);
  return { ...environment, NO_COLOR: "1", CLAUDE_CONFIG_DIR: isUsual ? undefined : configDirectory };
}

function failed(reason: string): ClaudeAgentsAnswer {
  return { outcome: "failed", reason: `claude agents: ${reason}` };
}
