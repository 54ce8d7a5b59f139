import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import SearchSessions from "../../../src/search-sessions";
import SessionsInMenuBar from "../../../src/sessions-in-menu-bar";
import { action, all, cleanup, environment, eventually, host, one, render, run, type Node } from "../../host";
import { menuPage, windowPage } from "./page";
import { makeScene } from "./scene";

/** Renders the commands over made-up sessions, and writes a page for each picture into a folder. */
async function writePages(folder: string): Promise<void> {
  const { home, preferences } = makeScene(join(folder, "home"));
  process.env.HOME = home;
  host.preferences = preferences;
  const write = (name: string, page: string) => writeFileSync(join(folder, `${name}.html`), page);

  const list = async () => {
    const { root } = await render(SearchSessions, { launchType: "userInitiated", arguments: {} } as never);
    // What the transcripts tell comes with the first look; all of it is there once it follows changes.
    await eventually(() => settled(root), 20_000);
    return root;
  };
  const first = await list();
  write("agent-sessions-1", windowPage(one(first, "List")));
  await run(action(at(all(first, "List.Item"), 0), "Show Details"));
  write("agent-sessions-2", windowPage(one(first, "List"), { selected: 1 }));
  await run(action(at(all(first, "List.Item"), 0), "Hide Details"));
  write("agent-sessions-3", windowPage(one(first, "List"), { selected: 2, panel: at(all(first, "List.Item"), 2) }));
  await cleanup();

  environment.commandMode = "menu-bar";
  const { root } = await render(SessionsInMenuBar, { launchType: "userInitiated", arguments: {} } as never);
  await eventually(() => {
    if (one(root, "MenuBarExtra").props.isLoading !== false) throw new Error("The menu still loads");
  }, 20_000);
  write("agent-sessions-4", menuPage(one(root, "MenuBarExtra")));
  await cleanup();
}

function settled(root: Node): void {
  const { isLoading } = one(root, "List").props;
  if (isLoading !== false) throw new Error("The list still loads");
}

function at(nodes: readonly Node[], index: number): Node {
  const node = nodes[index];
  if (node === undefined) throw new Error(`There are only ${nodes.length} rows`);
  return node;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: pictures FOLDER");
mkdirSync(folder, { recursive: true });
writePages(folder).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
