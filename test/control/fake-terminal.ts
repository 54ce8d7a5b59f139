import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { scratchFolder } from "../scratch";

const run = promisify(execFile);

/** Whether there is a tmux to test with. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** What the program in the terminal read. */
export type Told = { pid: number } | { sent: string } | { run: string } | { escape: true };

/** A real tmux on a socket of its own, with a fake agent in its only pane. */
export class FakeTerminal {
  private readonly told: Told[] = [];
  private readonly waiting: ((told: Told) => void)[] = [];

  private constructor(
    readonly socket: string,
    readonly pane: string,
    private readonly serverPid: number,
    private readonly server: Server,
    private readonly connection: Socket,
  ) {}

  /** @param options of the fake agent */
  static async start(...options: readonly string[]): Promise<{ terminal: FakeTerminal; pid: number }> {
    const folder = scratchFolder();
    const socket = join(folder, "tmux");
    const path = join(folder, "told");
    const server = createServer();
    server.listen(path);
    await once(server, "listening");
    const agent = [process.execPath, join(__dirname, "fake-agent.js"), path, ...options];
    // The agent is the shell's child, as with a person; the shell is what is left when it stops.
    const line = agent.map((word) => `'${word}'`).join(" ");
    const env = { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", HOME: folder, ENV: "" };
    const connected = once(server, "connection");
    const start = ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50", "sh", "-i"];
    await run("tmux", [...start, ";", "set-option", "-g", "remain-on-exit", "on"], { env, cwd: folder });
    const facts = ["-S", socket, "display-message", "-p", "#{pid} #{pane_id}"];
    const [pid = "", pane = ""] = (await run("tmux", facts, { env })).stdout.trim().split(" ");
    await run("tmux", ["-S", socket, "send-keys", "-t", pane, "-l", line]);
    await run("tmux", ["-S", socket, "send-keys", "-t", pane, "Enter"]);
    const [connection] = (await connected) as [Socket];
    const terminal = new FakeTerminal(socket, pane, Number(pid), server, connection);
    createInterface({ input: connection }).on("line", (text) => terminal.take(JSON.parse(text) as Told));
    const first = await terminal.next();
    if (!("pid" in first)) throw new Error("the agent told no pid");
    return { terminal, pid: first.pid };
  }

  /** The variables that tell of this terminal. */
  get facts(): Record<string, string> {
    return { TMUX: `${this.socket},${this.serverPid},0`, TMUX_PANE: this.pane };
  }

  /** What the agent reads next. */
  next(): Promise<Told> {
    const told = this.told.shift();
    return told === undefined ? new Promise((fulfill) => this.waiting.push(fulfill)) : Promise.resolve(told);
  }

  /** What it has read and nobody asked for. */
  get unread(): readonly Told[] {
    return this.told;
  }

  async tmux(...parameters: string[]): Promise<string> {
    return (await run("tmux", ["-S", this.socket, ...parameters])).stdout;
  }

  /** Ends this tmux, and what runs in it. */
  async stop(): Promise<void> {
    await this.tmux("kill-server").catch(() => undefined);
    this.connection.destroy();
    this.server.close();
  }

  private take(told: Told): void {
    const waiting = this.waiting.shift();
    if (waiting === undefined) this.told.push(told);
    else waiting(told);
  }
}
