import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { promptFor, type Answer } from "../model/conversation";
import type { Stage, Start } from "../scenario";
import type { ScratchHome } from "../scratch-home";
import type { ShownSession } from "../shown-sessions";
import type { Terminal } from "../terminal";
import { Unmet } from "../wait-until";

/** What a session works on: its pickup phrase, `<name> pickup`, and the file of the memory that this reads in. */
export type Project = "shop" | "docs" | "garden";

const PROJECTS: readonly Project[] = ["shop", "docs", "garden"];

/** A session that began with its pickup phrase. */
export interface PickupSession {
  terminal: Terminal;
  /** As the list names it. */
  id: string;
  phrase: string;
  /** Where it saves to; not there yet. */
  file: string;
}

/** Claude without the plugin, in a project whose memory has pickup phrases. */
export function withMemory(home: ScratchHome): Start {
  const entries = PROJECTS.map(
    (name) => `- [The ${name}](${name}.md) 🔑 \`${phraseOf(name)}\`: where the ${name} stands\n`,
  );
  home.write(join(memoryOf(home), "MEMORY.md"), `# Memory\n${entries.join("")}`);
  return { parameters: ["--permission-mode", "manual"] };
}

/** The same with the plugin. */
export function withPlugin(home: ScratchHome): Start {
  // The client writes its typings into the folder it loads.
  const plugin = join(home.home, "claude-plugin");
  cpSync(resolve("assets", "claude-plugin"), plugin, { recursive: true });
  return { parameters: [...(withMemory(home).parameters ?? []), "--plugin-dir", plugin] };
}

/**
 * Has a session that was just opened, and that no other one is newer than, begin with its phrase; it is answered, and
 * rests.
 *
 * @param turns what it is answered next, whoever asks
 */
export async function beginWithPhrase(
  { home, model, list }: Stage,
  terminal: Terminal,
  name: Project,
  turns: (file: string) => readonly Answer[] = () => [],
): Promise<PickupSession> {
  const known = begunIn.get(list) ?? new Set<string>();
  begunIn.set(list, known);
  const id = await list.until(
    (sessions) => sessions.find((session) => !known.has(session.id))?.id,
    () => "the session did not appear",
  );
  known.add(id);
  const file = join(home.home, memoryOf(home), `${name}.md`);
  const session = { terminal, id, phrase: phraseOf(name), file };
  model.learn(name, [{ text: standingOf(name) }, ...turns(file)]);
  await terminal.type(`${session.phrase}, ${promptFor(name)}`);
  await becomes({ list }, id, "answered", ({ state }) => state === "done");
  return session;
}

const begunIn = new WeakMap<Stage["list"], Set<string>>();

/** Waits until something is so of a session, and gives it. */
export function becomes(
  { list }: Pick<Stage, "list">,
  id: string,
  what: string,
  isSo: (session: ShownSession) => boolean,
): Promise<ShownSession> {
  const find = (sessions: readonly ShownSession[]) => sessions.find((session) => session.id === id);
  return list.until(
    (sessions) => {
      const session = find(sessions);
      return session !== undefined && isSo(session) ? session : undefined;
    },
    () => `${id} is not ${what}, but ${JSON.stringify(find(list.now))}`,
  );
}

/** Waits until the list shows that a session's request came to an outcome, the last one or one before it. */
export async function comesTo(
  stage: Pick<Stage, "list">,
  { id }: Pick<PickupSession, "id">,
  outcome: string,
): Promise<void> {
  await becomes(stage, id, outcome, ({ request }) => request?.steps.some((step) => step.outcome === outcome) === true);
}

/** Nothing of the conversation is left, and the phrase waits to be sent. */
export async function isFresh({ terminal, phrase }: PickupSession): Promise<void> {
  await terminal.waitFor(new RegExp(`^❯\\s${phrase}\\s*$`, "m"));
  if (/This is where the/.test(await terminal.screen())) throw new Unmet("the context was not cleared");
}

/** The conversation is still there, and nothing waits to be sent. */
export async function isKept({ terminal, phrase }: PickupSession): Promise<void> {
  const screen = await terminal.screen();
  if (!/This is where the/.test(screen)) throw new Unmet("the context is gone");
  if (new RegExp(`^❯\\s${phrase}\\s*$`, "m").test(screen)) throw new Unmet("the phrase is in the input field");
}

function phraseOf(name: Project): string {
  return `${name} pickup`;
}

function standingOf(name: Project): string {
  return `This is where the ${name} stands.`;
}

/** The memory of the project, below the home. */
function memoryOf({ work }: ScratchHome): string {
  return join(".claude", "projects", work.replace(/[^A-Za-z0-9]/g, "-"), "memory");
}
