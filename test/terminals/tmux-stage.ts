import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ThisMachine } from "../../src/terminals/this-machine";
import { scratchFolder } from "../scratch";

/** Whether this machine has what the tests with a real tmux need. */
export const hasTmux = ["tmux", "script", "setsid"].every((program) => spawnSync("which", [program]).status === 0);

/** A real tmux with sockets of its own, programs that look like agents and terminals, and nothing of the user's. */
export class TmuxStage {
  readonly folder = scratchFolder();
  readonly programs = join(this.folder, "programs");
  readonly environment: Record<string, string>;
  private readonly servers = new Set<string>();
  private readonly started = new Set<number>();

  constructor() {
    mkdirSync(this.programs);
    // The system names a process after the file it was started as.
    symlinkSync("/bin/sleep", join(this.programs, "claude"));
    symlinkSync(execFileSync("which", ["script"], { encoding: "utf8" }).trim(), join(this.programs, "kitty"));
    this.environment = {
      PATH: `${this.programs}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.folder,
      TERM: "xterm",
      LANG: "C.UTF-8",
      SHELL: "/bin/sh",
      TMUX_TMPDIR: this.folder,
    };
  }

  /** A program in the stage's PATH that notes how it was called, and prints an answer. */
  program(name: string, answer = ""): void {
    const path = join(this.programs, name);
    const log = join(this.folder, `${name}.log`);
    writeFileSync(`${path}.answer`, answer);
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\ncat '${path}.answer'\n`);
    chmodSync(path, 0o755);
  }

  /** How a program was called, a line a call. */
  calls(name: string): string[] {
    try {
      return readFileSync(join(this.folder, `${name}.log`), "utf8")
        .trimEnd()
        .split("\n");
    } catch {
      return [];
    }
  }

  machine(): ThisMachine {
    return new ThisMachine(this.environment);
  }

  socket(server: string): string {
    return join(this.folder, `tmux-${process.getuid?.()}`, server);
  }

  tmux(server: string, ...given: string[]): string {
    this.servers.add(server);
    return execFileSync("tmux", ["-L", server, "-f", "/dev/null", ...given], {
      env: this.environment,
      encoding: "utf8",
      timeout: 10_000,
    }).trim();
  }

  /** Starts a program in a new session or window, and gives the pane's id. */
  pane(server: string, how: readonly string[], ...program: string[]): string {
    const [command = "", ...rest] = how;
    return this.tmux(server, command, "-d", "-P", "-F", "#{pane_id}", ...rest, "--", ...program);
  }

  format(server: string, target: string, format: string): string {
    return this.tmux(server, "display-message", "-p", "-t", target, format);
  }

  /** Attaches a client in a terminal called kitty that nothing of the test is an ancestor of. */
  async attach(server: string, session: string, environment: Record<string, string> = {}): Promise<void> {
    const before = this.clients(server).length;
    spawnSync("setsid", ["-f", "kitty", "-qfc", `tmux -L ${server} attach-session -t ${session}`, "/dev/null"], {
      env: { ...this.environment, ...environment },
      stdio: "ignore",
    });
    await until(() => this.clients(server).length > before);
    for (const client of this.clients(server)) this.started.add(Number(client));
  }

  clients(server: string): string[] {
    return this.tmux(server, "list-clients", "-F", "#{client_pid}").split("\n").filter(Boolean);
  }

  /** Ends the servers of this stage, and with them their clients. */
  close(): void {
    for (const server of this.servers) {
      spawnSync("tmux", ["-L", server, "kill-server"], { env: this.environment, timeout: 10_000 });
    }
  }
}

/** Waits for what another process brings about, which nothing announces here. */
export async function until(isSo: () => boolean, what = "it"): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((next) => setTimeout(next, 20));
  }
}
