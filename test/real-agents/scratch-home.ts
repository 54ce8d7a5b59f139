import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/** A user of one scenario: a home without anything in it, a folder to work in, and an environment that knows no key. */
export class ScratchHome {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "real-agents-")));
  readonly home = this.made("home");
  readonly work = this.made("work");
  private sockets = 0;

  /** Nothing of whoever runs the tests gets to the agent, least of all credentials. */
  readonly environment: Readonly<Record<string, string>>;

  /** @param loopback where everything goes that an agent asks of the network: it gets no further */
  constructor(loopback: string) {
    this.environment = {
      HOME: this.home,
      // Node and the system's programs, which hooks and agents start.
      PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      AGENT_SIGNAL_LIGHT_STATE_FILE: join(this.folder, "agent-signal", "status.json"),
      HTTP_PROXY: loopback,
      HTTPS_PROXY: loopback,
      http_proxy: loopback,
      https_proxy: loopback,
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
      // Not every installer asks for a proxy.
      npm_config_registry: loopback,
      npm_config_fetch_retries: "0",
    };
  }

  /** Where the next terminal's server listens. */
  readonly newSocket = (): string => join(this.folder, `tmux-${++this.sockets}`);

  /** Writes a file of the user's. */
  write(path: string, content: string | object): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }

  /** The events that the fold did not understand. */
  rejectedEntries(): string[] {
    try {
      return readdirSync(join(this.home, ".agent-sessions", "inbox", "rejected"));
    } catch {
      return [];
    }
  }

  remove(): void {
    // An agent that was just stopped may still write a last file.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private made(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    return folder;
  }
}
