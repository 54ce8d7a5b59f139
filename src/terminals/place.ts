import type { AgentProcess } from "../session/report";
import type { TerminalFacts } from "../session/terminal-facts";
import { isOwnProgramOf, mayBeProgramOf, sharesHooks } from "./agent-programs";
import type { AppPlace } from "./app-place";
import { identifier, plainName } from "./identifiers";
import type { Machine } from "./machine";
import type { ProcessTree, RunningProcess } from "./process-tree";
import { serverOfScreen, type ScreenPlace } from "./screen";
import {
  clientsOf,
  listClients,
  listPanes,
  paneOfRegistry,
  panesOf,
  socketOfTmux,
  type TmuxClient,
  type TmuxPane,
  type TmuxPlace,
} from "./tmux";
import { appFolderOf, programName, terminalOfCommand, terminalOfFacts, type TerminalApp } from "./which-terminal";
import { clientCountOfZellij, listZellijClients, type ZellijPlace } from "./zellij";

/** What is known of a session that bears on where it is. `Session` has all of it but the last. */
export interface Whereabouts {
  agent: string;
  cwd?: string;
  /** The variables its hooks had. */
  terminal?: TerminalFacts;
  /** Its process, where a source is certain of it. */
  process?: AgentProcess;
  /** The pane its agent's registry tells: `session:@window.%pane`. */
  tmux?: string;
}

/** One thing a session is inside of. */
export type Layer = TmuxPlace | ZellijPlace | ScreenPlace | ({ kind: "app" } & AppPlace);

/** Why the line of layers ends before a terminal program. */
export type OpenEnd = {
  why: "detached" | "remote" | "unknown";
  reason: string;
};

/** Where a session is. */
export type Place =
  | {
      outcome: "found";
      /** From the inside out: a pane of tmux, then the tab of the terminal that shows it. */
      layers: readonly Layer[];
      /** Absent: the last layer is a terminal program. */
      openEnd?: OpenEnd;
      /** Whether the agent's process is there; else it is what its hooks told, and the terminal is asked. */
      isConfirmed: boolean;
    }
  | {
      outcome: "uncertain";
      reason: string;
      /** The program it was in by what its hooks told. */
      terminal?: TerminalApp;
      /** Its process is gone. */
      hasEnded?: true;
    };

/** What the outer layers are, seen from inside one. */
type Outside = { layers: readonly Layer[]; openEnd?: OpenEnd };

/** Terminals inside terminals: more than this is a circle. */
const DEPTH = 5;

/**
 * Finds where a session is. The agent's process is the proof: which pane it descends from, which terminal that is
 * shown in. Without it, what its hooks told counts, as far as the terminal confirms it; that is never so for an agent
 * whose hooks may run in another terminal.
 */
export async function findPlace(session: Whereabouts, machine: Machine): Promise<Place> {
  const facts = session.terminal ?? {};
  const tree = await machine.processes();
  const told = terminalOfFacts(facts);
  if (session.process !== undefined && tree !== undefined) {
    switch (tree.identify(session.process)) {
      case "gone":
        return { ...uncertain("Its process has ended.", told), hasEnded: true };
      case "another":
        return { ...uncertain("Its process has ended; another one has its number now.", told), hasEnded: true };
      case "same":
        return new Finder(machine, tree, session).ofProcess(session.process.pid, facts);
    }
  }
  if (sharesHooks(session.agent)) {
    return uncertain(
      "Its hooks run in a process that several terminals share, so what they tell may be another terminal.",
      told,
    );
  }
  if (facts.SSH_CONNECTION !== undefined && facts.TMUX === undefined && session.tmux === undefined) {
    return uncertain("It runs over SSH; its terminal is on another machine.", told);
  }
  return new Finder(machine, tree, session).ofFacts(facts);
}

function uncertain(reason: string, terminal: TerminalApp | undefined): Extract<Place, { outcome: "uncertain" }> {
  return { outcome: "uncertain", reason, ...(terminal === undefined ? {} : { terminal }) };
}

/** What a process runs in, by the name of one it descends from. */
type Host =
  { kind: "tmux" | "zellij" | "screen" | "remote" } | { kind: "app"; terminal: TerminalApp; process: RunningProcess };

function hostOf(line: readonly RunningProcess[]): Host | undefined {
  for (const process of line.slice(1)) {
    const name = programName(process.command);
    if (/^tmux(: server)?$/.test(name)) return { kind: "tmux" };
    if (name === "zellij" || name === "screen") return { kind: name };
    if (/^(?:sshd(?:[-:].*)?|dropbear|mosh-server|etterminal)$/.test(name)) return { kind: "remote" };
    const terminal = terminalOfCommand(process.command);
    if (terminal !== undefined) return { kind: "app", terminal, process };
  }
  return undefined;
}

class Finder {
  constructor(
    private readonly machine: Machine,
    private readonly tree: ProcessTree | undefined,
    private readonly session: Whereabouts,
  ) {}

  /** By the agent's process, which runs. */
  async ofProcess(pid: number, told: TerminalFacts): Promise<Place> {
    // What the process itself was started with; else what its hooks inherited from it.
    const own = await this.machine.factsOf(pid);
    const facts = own ?? (sharesHooks(this.session.agent) ? {} : told);
    const outside = await this.outsideOf(pid, facts, 0);
    if (outside.layers.length > 0) return { outcome: "found", ...outside, isConfirmed: true };
    const reason = outside.openEnd?.reason ?? "Nothing tells which terminal its process runs in.";
    return uncertain(reason, terminalOfFacts(facts));
  }

  /** By what hooks told, since no process is known. */
  async ofFacts(facts: TerminalFacts): Promise<Place> {
    const terminal = terminalOfFacts(facts);
    const isTmux = this.session.tmux !== undefined || facts.TMUX !== undefined;
    const isZellij = facts.ZELLIJ !== undefined || facts.ZELLIJ_SESSION_NAME !== undefined;
    // Variables of outer ones are inherited. Only tmux says that it is the inner one (since 3.2).
    const inner = [isTmux, isZellij, facts.STY !== undefined].filter(Boolean).length;
    if (inner > 1 && !(isTmux && (facts.TERM_PROGRAM === "tmux" || this.session.tmux !== undefined))) {
      return uncertain("It runs in terminals inside each other, and nothing tells which is the inner one.", terminal);
    }
    if (isTmux) {
      const id = paneOfRegistry(this.session.tmux) ?? identifier("tmux pane", facts.TMUX_PANE);
      if (id === undefined) return uncertain("It runs in tmux, but in which pane is not known.", terminal);
      const panes = await this.panes(socketOfTmux(facts.TMUX), (pane) => pane.pane === id, facts.TMUX !== undefined);
      const [pane] = panes;
      if (pane === undefined) return uncertain(`Its tmux pane ${id} is gone.`, terminal);
      if (!this.runsAgent(pane)) {
        return uncertain(`Its tmux pane ${id} runs another program now.`, terminal);
      }
      return { outcome: "found", ...(await this.aroundTmux(panes, 0)), isConfirmed: false };
    }
    if (isZellij) {
      const place = zellijOf(facts);
      if (place === undefined) return uncertain("It runs in Zellij, but in which pane is not known.", terminal);
      return { outcome: "found", ...(await this.aroundZellij(place, [], 0)), isConfirmed: false };
    }
    if (facts.STY !== undefined) return uncertain("It runs in screen, but in which window is not known.", terminal);
    if (terminal === undefined) return uncertain("Nothing tells which terminal it runs in.", terminal);
    const app: Layer = { kind: "app", terminal, facts, pids: [], ...this.folder() };
    return { outcome: "found", layers: [app], isConfirmed: false };
  }

  /** tmux names the leader of the foreground's group, which is a shell where a script started the agent. */
  private runsAgent({ command, tty }: TmuxPane): boolean {
    const { agent } = this.session;
    if (mayBeProgramOf(agent, command)) return true;
    return Array.from(this.tree?.all() ?? []).some((each) => each.tty === tty && isOwnProgramOf(agent, each.command));
  }

  /** What a process that runs is inside of. */
  private async outsideOf(pid: number, facts: TerminalFacts, depth: number): Promise<Outside> {
    const line = this.tree?.line(pid) ?? [];
    const pids = line.map((each) => each.pid);
    const tty = line[0]?.tty;
    const host = hostOf(line);
    if (depth >= DEPTH) return openEnd("unknown", "Its terminals are inside each other without an end.");
    switch (host?.kind) {
      case "tmux": {
        const panes = await this.panes(socketOfTmux(facts.TMUX), (pane) => pids.includes(pane.pid), false);
        if (panes.length === 0) return openEnd("unknown", "It runs in tmux, but no server that is found has its pane.");
        return this.aroundTmux(panes, depth);
      }
      case "zellij": {
        const place = zellijOf(facts);
        if (place === undefined) return openEnd("unknown", "It runs in Zellij, but in which pane is not known.");
        return this.aroundZellij(place, pids, depth);
      }
      case "screen": {
        const place = screenOf(facts);
        if (place === undefined || !pids.includes(serverOfScreen(place.session))) {
          return openEnd("unknown", "It runs in screen, but in which window is not known.");
        }
        return this.aroundScreen(place, depth);
      }
      case "remote":
        return openEnd("remote", "It is shown over SSH; the terminal is on another machine.");
      case "app":
      case undefined: {
        // A terminal that keeps its shells under a server of its own can be out of the line; its device tells it.
        const terminal = host?.terminal ?? terminalOfFacts(facts);
        if (terminal === undefined) return openEnd("unknown", "Nothing tells which terminal it runs in.");
        if (tty === undefined && terminal.name !== "jetbrains" && !EDITORS.has(terminal.name)) {
          return openEnd("unknown", "It runs without a terminal.");
        }
        const folder = host === undefined ? undefined : appFolderOf(host.process.command);
        return {
          layers: [
            {
              kind: "app",
              terminal,
              facts,
              pids,
              ...(tty === undefined ? {} : { tty }),
              ...(host === undefined ? {} : { appPid: host.process.pid }),
              ...(folder === undefined ? {} : { appFolder: folder }),
              ...this.folder(),
            },
          ],
        };
      }
    }
  }

  private folder(): { folder?: string } {
    return this.session.cwd === undefined ? {} : { folder: this.session.cwd };
  }

  /**
   * The panes that are looked for, each as often as sessions show it, of the first server that has one.
   *
   * @param onlyThere the server is known: another one has other panes of the same number
   */
  private async panes(
    socket: string | undefined,
    isWanted: (pane: TmuxPane) => boolean,
    onlyThere: boolean,
  ): Promise<TmuxPane[]> {
    const others = onlyThere ? [] : this.machine.tmuxSockets();
    for (const each of new Set([...(socket === undefined ? [] : [socket]), ...others])) {
      if (!this.machine.ownsSocket(each)) continue;
      const listed = await this.machine.run(listPanes(each));
      if (listed.outcome !== "ended" || listed.code !== 0) continue;
      const wanted = panesOf(listed.stdout, each).filter(isWanted);
      if (wanted.length > 0) return wanted;
    }
    return [];
  }

  /** The pane in the session that is shown, and where it is shown. */
  private async aroundTmux(panes: readonly TmuxPane[], depth: number): Promise<Outside> {
    const [first] = panes;
    if (first === undefined) return openEnd("unknown", "Its tmux pane is gone.");
    const listed = await this.machine.run(listClients(first.socket));
    const clients = listed.outcome === "ended" ? clientsOf(listed.stdout) : [];
    const { pane, client } = chosen(panes, clients, first);
    if (client === undefined) {
      const layer: TmuxPlace = { kind: "tmux", pane };
      return { layers: [layer], openEnd: { why: "detached", reason: "No terminal shows its tmux session." } };
    }
    const layer: TmuxPlace = { kind: "tmux", pane, client };
    const outside = await this.outsideOfClient(client.pid, depth);
    // A client that draws the windows itself shows the pane elsewhere than where it was started.
    const layers = client.isControl ? outside.layers.map(asWhole) : outside.layers;
    return { ...outside, layers: [layer, ...layers] };
  }

  private async aroundZellij(place: ZellijPlace, pids: readonly number[], depth: number): Promise<Outside> {
    const listed = await this.machine.run(listZellijClients(place.session));
    const count = listed.outcome === "ended" && listed.code === 0 ? clientCountOfZellij(listed.stdout) : undefined;
    if (count === 0) {
      return { layers: [place], openEnd: { why: "detached", reason: "No terminal shows its Zellij session." } };
    }
    return this.aroundOnlyClient(place, "zellij", count === 1, pids, depth);
  }

  private async aroundScreen(place: ScreenPlace, depth: number): Promise<Outside> {
    // Its status is 1 in some versions whatever it lists.
    const listed = await this.machine.run({ argv: ["screen", "-ls", place.session] });
    const line =
      listed.outcome === "ended"
        ? listed.stdout.split("\n").find((each) => each.trim().startsWith(place.session))
        : undefined;
    if (line?.includes("(Detached)") === true) {
      return { layers: [place], openEnd: { why: "detached", reason: "No terminal shows its screen session." } };
    }
    const isAttached = line?.includes("(Attached)") === true;
    return this.aroundOnlyClient(place, "screen", isAttached, [serverOfScreen(place.session)], depth);
  }

  /** These do not tell which process shows a session: it is certain only where there is but one. */
  private async aroundOnlyClient(
    place: ZellijPlace | ScreenPlace,
    program: string,
    isShownOnce: boolean,
    servers: readonly number[],
    depth: number,
  ): Promise<Outside> {
    const clients = Array.from(this.tree?.all() ?? []).filter(
      ({ pid, tty, command }) => tty !== undefined && programName(command) === program && !servers.includes(pid),
    );
    const [client] = clients;
    if (!isShownOnce || client === undefined || clients.length > 1) {
      return { layers: [place], openEnd: { why: "unknown", reason: "Nothing tells which terminal shows it." } };
    }
    const outside = await this.outsideOfClient(client.pid, depth);
    return { ...outside, layers: [place, ...outside.layers] };
  }

  /** Where a client that shows a session is itself, which has its own variables. */
  private async outsideOfClient(pid: number, depth: number): Promise<Outside> {
    return this.outsideOf(pid, (await this.machine.factsOf(pid)) ?? {}, depth + 1);
  }
}

const EDITORS: ReadonlySet<string> = new Set(["vscode", "vscode-insiders", "vscodium", "cursor", "windsurf", "zed"]);

/** A terminal program, without where in it. */
function asWhole(layer: Layer): Layer {
  return layer.kind === "app" ? { kind: "app", terminal: layer.terminal, facts: {}, pids: [] } : layer;
}

function openEnd(why: OpenEnd["why"], reason: string): Outside {
  return { layers: [], openEnd: { why, reason } };
}

/** The client that shows the pane's session and was used last; else the one of the server that was used last. */
function chosen(
  panes: readonly TmuxPane[],
  clients: readonly TmuxClient[],
  first: TmuxPane,
): { pane: TmuxPane; client?: TmuxClient } {
  const seen = clients.filter(({ isControl }) => !isControl);
  for (const list of [seen, clients]) {
    const client = list.find(({ session }) => panes.some((pane) => pane.session === session));
    const pane = panes.find(({ session }) => session === client?.session);
    if (client !== undefined && pane !== undefined) return { pane, client };
  }
  const [client] = seen;
  return client === undefined ? { pane: first } : { pane: first, client };
}

function zellijOf(facts: TerminalFacts): ZellijPlace | undefined {
  const session = plainName(facts.ZELLIJ_SESSION_NAME);
  const pane = identifier("number", facts.ZELLIJ_PANE_ID);
  return session === undefined || pane === undefined ? undefined : { kind: "zellij", session, pane };
}

function screenOf(facts: TerminalFacts): ScreenPlace | undefined {
  const session = identifier("screen session", facts.STY);
  const window = identifier("number", facts.WINDOW);
  return session === undefined || window === undefined ? undefined : { kind: "screen", session, window };
}
