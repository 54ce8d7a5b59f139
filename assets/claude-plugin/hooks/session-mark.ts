import type { EngineInterface } from "claude-code";
import { NO_ANCHOR, type Anchor } from "../core/anchor";
import { nameOfId } from "../core/file-path";
import { processId } from "./session-process";
import { hasPrompts, sessionAnchor } from "./session-anchor";
import { language, ourHome } from "./surroundings";

/** A phrase stands at the beginning: whoever has none after so many turns gets none any more. */
const TRIES = 3;

/** For which session the mark was written, what it says, and how often its anchor was looked for. */
let marked = { id: "", anchor: NO_ANCHOR, tries: 0 };

/** When the main conversation was last answered, in milliseconds, as far as this plugin saw it. */
let answeredAt: number | undefined;

/** Forgets what was marked: after a start or a reload it may be another session. */
export function forgetMark(): void {
  marked = { id: "", anchor: NO_ANCHOR, tries: 0 };
  answeredAt = undefined;
}

/** Notes that the main conversation was answered. */
export async function noteAnswer($: EngineInterface): Promise<void> {
  answeredAt = await $.clock.now();
}

/**
 * Writes this session's mark (docs/control.md): that it has the plugin, and once they are known its phrase and file.
 * Without a mark, others take it for a session without the plugin, and nothing worse.
 */
export async function writeMark($: EngineInterface, anchor: Anchor = NO_ANCHOR): Promise<void> {
  try {
    const id = await $.session.id();
    const name = nameOfId(id);
    if (name === undefined) return;
    if (marked.id !== id && marked.id !== "") answeredAt = undefined;
    const [{ context }, { transcriptPath }] = [await $.session.usage(), await $.session.info()];
    const mark = {
      version: 1,
      at: (await $.clock.now()) / 1000,
      pickup: anchor.phrase,
      file: anchor.file,
      language: await language($),
      pid: await processId($),
      context: context.tokens,
      lastAnswerAt: answeredAt === undefined ? undefined : answeredAt / 1000,
      transcript: transcriptPath === "" ? undefined : transcriptPath,
    };
    await $.fs.write(`${await ourHome($)}/plugin/${name}.json`, `${JSON.stringify(mark)}\n`);
    marked = { id, anchor, tries: marked.id === id ? marked.tries : 0 };
  } catch {
    // See above.
  }
}

/**
 * Brings the mark up to date at a turn's end, and looks for the anchor after the first turns. A session that /clear made
 * has a new id and begins anew; an empty conversation uses up no try.
 */
export async function renewMark($: EngineInterface): Promise<void> {
  try {
    const id = await $.session.id();
    if (marked.id !== id) await writeMark($);
    let anchor = marked.anchor;
    if (anchor.file === "" && marked.tries < TRIES && (await hasPrompts($))) {
      marked = { ...marked, tries: marked.tries + 1 };
      const found = await sessionAnchor($);
      // A phrase without a file is told, too: whoever shows the session can say why it cannot start fresh.
      if (found.phrase !== "") anchor = found;
    }
    await writeMark($, anchor);
  } catch {
    // The mark stays as it was.
  }
}
