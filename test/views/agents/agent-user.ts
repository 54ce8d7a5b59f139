import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReactElement } from "react";
import { action, all, eventually, host, one, render, run, type Node } from "../../host";
import { launch } from "../../host/launch";
import { scratchFolder } from "../../scratch";

/** A user of the launcher with a home folder of their own, and what they do in Set Up Agents. */
export class AgentUser {
  readonly home = scratchFolder();
  private readonly bin = join(this.home, "programs");
  private readonly before = { ...process.env };

  /** Has the process be this user's until `leave`. */
  constructor() {
    for (const name of Object.keys(process.env)) {
      if (/^(CLAUDE|CODEX|COPILOT|OPENCODE|XDG|AGENT_S)/.test(name)) delete process.env[name];
    }
    Object.assign(process.env, { HOME: this.home, PATH: `${this.bin}:/usr/bin:/bin` });
    // The usual one is everybody's on this machine.
    process.env.AGENT_SIGNAL_LIGHT_STATE_FILE = this.path("signal", "status.json");
    mkdirSync(this.bin);
  }

  leave(): void {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.before);
  }

  path(...parts: string[]): string {
    return join(this.home, ...parts);
  }

  get settings(): string {
    return this.path(".claude", "settings.json");
  }

  get recorder(): string {
    return this.path(".agent-sessions", "bin", "record");
  }

  write(path: string, text: string, mode = 0o600): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  read(path: string): string {
    return readFileSync(path, "utf8");
  }

  /** Puts a program of an agent on the PATH. */
  program(name: string): void {
    this.write(join(this.bin, name), `#!/bin/sh\necho "${name} 1.2.3"\n`, 0o755);
  }

  /** Has an agent's last event be so many seconds old. */
  event(agent: string, age: number): void {
    const path = this.path(".agent-sessions", "sessions", agent, "s1.json");
    this.write(path, "{}");
    const at = Date.now() / 1000 - age;
    utimesSync(path, at, at);
  }

  /** Opens Set Up Agents, and waits until everything is known. */
  async open(): Promise<Node> {
    const { root } = await launch("set-up-agents");
    await loaded(root, "List");
    return root;
  }

  /** Opens the view that an action of a row pushes. */
  async push(root: Node, title: string, actionTitle: string): Promise<Node> {
    await run(action(one(root, "List.Item", title), actionTitle));
    const view = host.pushed.pop();
    const pushed = await render(() => view as ReactElement);
    await loaded(pushed.root, "Detail");
    return pushed.root;
  }
}

/** Waits until a view does not load any more. */
export async function loaded(root: Node, type: "List" | "Detail"): Promise<void> {
  await eventually(() => expect(one(root, type).props.isLoading).toBe(false));
}

/** The sections with each row's title and state. */
export function states(root: Node): Record<string, string[]> {
  return Object.fromEntries(
    all(root, "List.Section").map((section) => [
      String(section.props.title),
      all(section, "List.Item").map(({ props }) => `${props.title}: ${tooltipOf(props.icon)}`),
    ]),
  );
}

function tooltipOf(icon: unknown): string {
  return typeof icon === "object" && icon !== null && "tooltip" in icon ? String(icon.tooltip) : "";
}

export function markdownOf(root: Node): string {
  return String(one(root, "Detail").props.markdown);
}

/** The toasts with what they say. */
export function toasts(): string[] {
  return host.toasts.map(({ style, title, message }) => [style, title, ...(message ? [message] : [])].join(" | "));
}
