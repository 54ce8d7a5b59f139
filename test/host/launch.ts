import { join } from "node:path";
import type { ComponentType } from "react";
import { render, type View } from "./index";
import { commandNamed, PROJECT } from "./manifest";
import { environment, LaunchType } from "./state";

/** How a command is launched. */
export interface LaunchOptions {
  type?: LaunchType;
  context?: Record<string, unknown>;
  /** What the user gave where the launcher asks for arguments. */
  arguments?: Record<string, string>;
  /** The folder its code lies in; the sources by default. */
  from?: string;
}

/** Launches a command with a view, or one in the menu bar, as the manifest names it. */
export async function launch(name: string, options: LaunchOptions = {}): Promise<View> {
  const { command, props } = await load(name, options);
  return render(command as ComponentType<object>, props);
}

/** Launches a command without a view, and waits for its end. */
export async function launchNoView(name: string, options: LaunchOptions = {}): Promise<void> {
  const { command, props } = await load(name, options);
  await command(props);
}

async function load(name: string, options: LaunchOptions) {
  const { type = LaunchType.UserInitiated, context, from, arguments: given = {} } = options;
  const { mode } = commandNamed(name);
  Object.assign(environment, { commandName: name, commandMode: mode, launchType: type });
  const loaded: { default?: unknown } = await import(join(from ?? join(PROJECT, "src"), name));
  const command = loaded.default;
  if (!isCommand(command)) throw new Error(`${name} exports no command`);
  const props = { launchType: type, arguments: given, ...(context === undefined ? {} : { launchContext: context }) };
  return { command, props };
}

function isCommand(value: unknown): value is (props: object) => unknown {
  return typeof value === "function";
}
