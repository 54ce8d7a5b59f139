import { existsSync } from "node:fs";
import { join } from "node:path";
import { Terminal } from "../real-agents/terminal";
import { waitUntil } from "../real-agents/wait-until";
import { Checks, Missed, type Outcome } from "./checks";
import { MADE_UP, MadeUpHome } from "./made-up-home";

/** Opening a command takes it some seconds; nothing else takes that long. */
const PATIENCE_MS = 15_000;

/** A first start bundles all commands. */
const START_MS = 60_000;

/** The host's program in a folder, and what runs it; undefined when it is not installed there. */
export function termcastIn(folder: string): [runner: string, program: string] | undefined {
  const runner = join(folder, "node_modules", ".bin", "bun");
  const program = join(folder, "node_modules", "termcast", "dist", "cli.js");
  return existsSync(runner) && existsSync(program) ? [runner, program] : undefined;
}

/** Goes through the extension's commands in termcast, a host in a terminal, as a user would. */
export async function checkTermcast(program: readonly string[], extension: string): Promise<Outcome[]> {
  const checks = new Checks("termcast");
  await withCommand("Search Sessions", searchSessions);
  await withCommand("Search Sessions", markAsRead);
  await withCommand("Search Sessions", restartWithConfirmation);
  await withCommand("Pause Sessions", pauseSessions);
  await withCommand("Set Up Agents", setUpAgents);
  return checks.outcomes;

  /** Opens a command in a host of its own: what breaks one check has no hold on the next. */
  async function withCommand(title: string, work: (host: Host, checks: Checks) => Promise<void>): Promise<void> {
    const home = new MadeUpHome();
    const terminal = await Terminal.start({ newSocket: () => home.newSocket(), work: extension }, home.environment, [
      ...program,
      "dev",
    ]);
    const host = new Host(terminal, home);
    try {
      const opening = async () => {
        await host.shows(/Commands/, START_MS);
        await host.type(title);
        await host.shows(new RegExp(`›${title}`));
        await host.press("Enter");
        // A command with an argument asks for it first; what stands there is taken.
        if (title === "Pause Sessions") await host.act("Run Command", /Enter the arguments/);
        await host.shows(/Search by/);
      };
      let isOpen = false;
      await checks.check(
        `${title} opens`,
        async () => {
          await opening();
          isOpen = true;
        },
        () => terminal.screen(),
      );
      if (isOpen) await work(host, checks);
    } finally {
      await terminal.stop();
      home.remove();
    }
  }
}

/** The host on its screen. */
class Host {
  constructor(
    private readonly terminal: Terminal,
    readonly home: MadeUpHome,
  ) {}

  screen(): Promise<string> {
    return this.terminal.screen();
  }

  async press(...keys: string[]): Promise<void> {
    await this.terminal.press(...keys);
  }

  /** Types a text key by key, as a person does: a search field takes each. */
  async type(text: string): Promise<void> {
    for (const key of text) await this.press(key === " " ? "Space" : key);
  }

  /** Waits until something shows. @throws Missed with what was missing */
  async shows(text: RegExp, patience = PATIENCE_MS): Promise<void> {
    await this.until(`${text} to show`, (screen) => text.test(screen), patience);
  }

  async showsNoMore(text: RegExp): Promise<void> {
    await this.until(`${text} to be gone`, (screen) => !text.test(screen));
  }

  /** Chooses an action of the row that is selected, by typing its title into the panel. */
  async act(title: string, on = /./): Promise<void> {
    await this.shows(on);
    await this.press("C-k");
    await this.shows(/Actions +esc/);
    await this.type(title);
    await this.shows(new RegExp(`›\\W*${title}`));
    await this.press("Enter");
    await this.showsNoMore(/Actions +esc/);
  }

  private async until(what: string, isSo: (screen: string) => boolean, patience = PATIENCE_MS): Promise<void> {
    const look = async () => {
      const screen = await this.screen();
      // Its own report of a component that threw: nothing else will come.
      const crash = /^\s*(\w*Error: .*)$/m.exec(screen)?.[1];
      if (crash !== undefined && /Press Enter to retry/.test(screen)) throw new Missed(`the view broke: ${crash}`);
      return isSo(screen) ? true : undefined;
    };
    await waitUntil(look, () => `waited ${patience / 1000} s for ${what}`, patience);
  }
}

async function searchSessions(host: Host, checks: Checks): Promise<void> {
  const check = (name: string, work: () => Promise<void>) => checks.check(name, work, () => host.screen());
  const { waiting, unread, running } = MADE_UP;
  await check("the sessions stand in their sections, a live process among them", async () => {
    const order = ["Needs You", waiting, "Unread Answers", unread, "Working", running].join("[^]*");
    await host.shows(new RegExp(order));
  });
  await check("a row says where it is, what it wants, whose it is and its state", () =>
    host.shows(/orders table api – Run the migration on staging\? +Claude Code Waiting 4m/),
  );
  await check("a session that comes while the list is open shows", async () => {
    host.home.status("new-1", { state: "working", ts: Date.now() / 1000, title: "Came Later", cwd: "/home/dev/web" });
    await host.shows(/Came Later/);
  });
  await check("typing filters", async () => {
    await host.type("checkout");
    await host.showsNoMore(new RegExp(waiting));
    await host.shows(new RegExp(unread));
  });
  await check("clearing the search brings all back", async () => {
    await host.press(...Array.from("checkout", () => "BSpace"));
    await host.shows(new RegExp(waiting));
  });
  await check("the action panel opens, with its sections and keys", async () => {
    await host.press("C-k");
    await host.shows(/Go to Session[^]*Show Details[^]*Open Folder +⌃O[^]*Session[^]*Pause/);
    await host.press("Escape");
    await host.showsNoMore(/Actions +esc/);
  });
  await check("the detail shows what it wants, its folder and the evidence", async () => {
    await host.act("Show Details");
    await host.shows(/What It Wants[^]*Run the migration on staging\?[^]*State: +Waiting[^]*Folder: +\/home\/dev\/api/);
  });
  await check("the detail goes again", async () => {
    await host.act("Hide Details");
    await host.showsNoMore(/What It Wants/);
  });
}

async function markAsRead(host: Host, checks: Checks): Promise<void> {
  const check = (name: string, work: () => Promise<void>) => checks.check(name, work, () => host.screen());
  await check("Mark as Read writes the mark", async () => {
    await host.shows(new RegExp(MADE_UP.unread));
    await host.press("Down");
    await host.shows(new RegExp(`›.*${MADE_UP.unread}`));
    await host.act("Mark as Read");
    await waitUntil(
      () => (host.home.readMarks().includes("claude:unread-1") ? true : undefined),
      () => `the mark did not come on disk: ${host.home.readMarks().join(", ") || "none"}`,
      PATIENCE_MS,
    );
  });
  await check("the list shows it as read", async () => {
    await host.shows(/Marked as Read/);
    await host.shows(new RegExp(`Idle[^]*${MADE_UP.unread}`));
    await host.showsNoMore(/Unread Answers/);
  });
}

async function restartWithConfirmation(host: Host, checks: Checks): Promise<void> {
  const check = (name: string, work: () => Promise<void>) => checks.check(name, work, () => host.screen());
  await check("Pause and Restart asks first", async () => {
    await host.shows(new RegExp(MADE_UP.unread));
    await host.press("Down");
    await host.shows(new RegExp(`›.*${MADE_UP.unread}`));
    await host.act("Pause and Restart");
    await host.shows(/Save and Restart .*\?/);
  });
  await check("and does nothing when that is declined", async () => {
    await host.press("Escape");
    await host.showsNoMore(/Save and Restart .*\?/);
    await host.shows(new RegExp(MADE_UP.unread));
  });
}

async function pauseSessions(host: Host, checks: Checks): Promise<void> {
  const check = (name: string, work: () => Promise<void>) => checks.check(name, work, () => host.screen());
  await check("Pause Sessions lists whom it asks and whom not, with the reason", async () => {
    await host.shows(/(Will Be Asked|Cold, Left Out|Not Asked)/);
    await host.shows(new RegExp(MADE_UP.waiting));
  });
  await check("it asks before it wakes a cold session", async () => {
    await host.type("branches");
    await host.shows(new RegExp(`›.*${MADE_UP.cold}`));
    await host.act("Wake and Pause This Session");
    await host.shows(/Wake .*\?/);
    await host.press("Escape");
    await host.showsNoMore(/Wake .*\?/);
  });
}

async function setUpAgents(host: Host, checks: Checks): Promise<void> {
  const check = (name: string, work: () => Promise<void>) => checks.check(name, work, () => host.screen());
  await check("Set Up Agents lists the agents by what is missing", () =>
    host.shows(/Not Set Up[^]*Claude Code[^]*Not Found[^]*Codex/),
  );
  await check("it shows what would change before it changes anything", async () => {
    await host.press("Enter");
    await host.shows(/What Would Change[^]*settings\.json[^]*\+ +"hooks"/);
  });
}
