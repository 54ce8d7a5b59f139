import type { ReactNode } from "react";
import { MANIFEST } from "./manifest";
import type { Toast } from "./feedback";

/** A command that was asked for with `launchCommand`. */
export interface Launch {
  name: string;
  type: string;
  context?: unknown;
}

/** What an alert asked. */
export interface AlertOptions {
  title: string;
  message?: string;
  icon?: unknown;
  primaryAction?: { title: string; style?: string };
}

const listeners = new Set<() => void>();

/** Tells who waits that something happened which a test may look at. */
export function happened(): void {
  for (const listener of Array.from(listeners)) listener();
}

/** Calls `listener` whenever something happened, until the function it gives is called. */
export function onHappening(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const resets: (() => void)[] = [];

/** Has `work` done with every reset between two tests. */
export function onReset(work: () => void): void {
  resets.push(work);
}

/** What a test reads of the launcher, and sets of it. */
export const host$ = {
  /** The toasts that show now. */
  toasts: [] as Toast[],
  huds: [] as string[],
  /** Files, folders, addresses and settings that were opened. */
  opened: [] as string[],
  clipboard: "",
  launched: [] as Launch[],
  /** Why `launchCommand` fails, by command: one that the user never activated, or turned off. */
  launchFailures: new Map<string, string>(),
  pushed: [] as ReactNode[],
  subtitle: undefined as string | null | undefined,
  /** What the user answers to an alert. */
  confirm: true,
  /** What the user was asked in alerts. */
  alerts: [] as AlertOptions[],
  closed: 0,
  /** How often a view was left by itself. */
  popped: 0,
  /** What the user set; the rest has the manifest's defaults. */
  preferences: {} as Record<string, unknown>,
  localStorage: new Map<string, unknown>(),
  /** What the user chose last in each dropdown that stores its value, by its tooltip. */
  dropdowns: new Map<string, string>(),
  reset(): void {
    Object.assign(host$, { huds: [], toasts: [], opened: [], launched: [], pushed: [], clipboard: "", closed: 0 });
    Object.assign(host$, { alerts: [], popped: 0 });
    Object.assign(host$, { confirm: true, preferences: {}, subtitle: undefined });
    host$.localStorage.clear();
    host$.dropdowns.clear();
    host$.launchFailures.clear();
    Object.assign(environment, START);
    for (const work of resets) work();
  },
};

export enum LaunchType {
  UserInitiated = "userInitiated",
  Background = "background",
}

const START = {
  raycastVersion: "1.104.25",
  ownerOrAuthorName: MANIFEST.author,
  extensionName: MANIFEST.name,
  commandName: "command",
  commandMode: "view" as "view" | "no-view" | "menu-bar",
  assetsPath: `${process.cwd()}/assets`,
  supportPath: `${process.cwd()}/.support`,
  isDevelopment: true,
  appearance: "dark" as const,
  theme: "dark" as const,
  textSize: "medium" as const,
  launchType: LaunchType.UserInitiated,
  canAccess: () => true,
};

/** Where the command runs, as `environment` tells it. */
export const environment = { ...START };
