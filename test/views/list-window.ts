import { all, eventually, one, titleOf, type Node } from "../host";
import { launch } from "../host/launch";
import type { AgentFiles } from "./agent-files";

/** Opens Search Sessions, and gives its window. */
export async function open(context?: Record<string, unknown>): Promise<Node> {
  const { root } = await launch("search-sessions", context === undefined ? {} : { context });
  return root;
}

/** Opens it, and waits until it follows changes: what comes at once may be of the first look. */
export async function openLive(files: AgentFiles): Promise<Node> {
  const root = await open();
  for (const title of ["Change 1", "Change 2"]) {
    files.status("change", "working", { title });
    await eventually(() => expect(rows(root)).toContain(title));
  }
  return root;
}

export function row(root: Node, title: string): Node {
  return one(root, "List.Item", title);
}

/** The titles of all rows. */
export function rows(root: Node): string[] {
  return all(root, "List.Item").map(titleOf);
}

/** The sections with the rows in each. */
export function sections(root: Node): Record<string, string[]> {
  return Object.fromEntries(all(root, "List.Section").map((section) => [titleOf(section), rows(section)]));
}

/** What stands at the right of a row. */
export interface Accessory {
  text?: string;
  tag?: { value: string; color: string };
  icon?: unknown;
  tooltip: string;
}

export function accessories(item: Node): Accessory[] {
  return item.props.accessories as Accessory[];
}

/** What a row says at its right, without tooltips. */
export function says(item: Node): (string | undefined)[] {
  return accessories(item).map(({ text, tag }) => tag?.value ?? text);
}
