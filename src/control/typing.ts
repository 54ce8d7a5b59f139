import type { Session } from "../session/session";
import { promptRefusal, turnRefusal } from "./at-prompt";
import { keyboardOf, type Keyboard } from "./keyboard";
import type { ControlSurroundings } from "./surroundings";
import { typingPlaceOf, type TypingPlace } from "./typing-place";

/**
 * What came of typing. `refused`: nothing was typed, so another way may be tried; `failed`: something was, and it is not
 * certain what came of it.
 */
export type Typed = { outcome: "typed" } | { outcome: "refused" | "failed"; reason: string };

/** Agents take keys that come at once for pasted text, in which Enter is a line break. In milliseconds. */
const BEFORE_ENTER_MS = 300;

/** The first letters by which agents take a line for a command, a shell line or a note; typed, a message would be one. */
const COMMANDS = /^[!/#&$@?]/;

/** Letters that are keys to a terminal: control characters but line breaks and tabs, C1 ones too. */
// eslint-disable-next-line no-control-regex
const KEYS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/**
 * Agents whose input is known to be emptied by our keys, shell mode included, and which ask their terminal for bracketed
 * pastes, in which a line break sends nothing off (tried). Gemini's shell mode stays on: what is typed there would be run.
 */
const TRIED: ReadonlySet<string> = new Set(["claude", "codex"]);

/**
 * Types a text into a session that waits at its prompt, and sends it. The pane is proven to be the agent's own, and the
 * session is looked at anew right before the text and once more before Enter: a dialog that came up between is not
 * answered.
 */
export async function typeText(session: Session, text: string, surroundings: ControlSurroundings): Promise<Typed> {
  const untried = inputRefusal(session);
  if (untried !== undefined) return refused(untried);
  if (COMMANDS.test(text)) {
    return refused(`typed, a text that begins with "${text.slice(0, 1)}" would be a command of the agent`);
  }
  // Whoever made the text: a Ctrl-C in it would leave the agent, and the rest would go to its shell.
  if (KEYS.test(text)) return refused("the text holds control characters, which are keys to a terminal");
  const seated = await sitDown(session, surroundings, promptRefusal);
  if (seated.outcome !== "seated") return seated;
  const { keyboard } = seated;
  const written = (await keyboard.clear()) ?? (await keyboard.write(text));
  if (written !== undefined) return failed(written);
  await surroundings.pause(BEFORE_ENTER_MS);
  const late = await lookAgain(session, surroundings, promptRefusal);
  if (late !== undefined) return failed(`the text stands in its input, but was not sent: meanwhile ${late}`);
  const sent = await keyboard.enter();
  return sent === undefined ? { outcome: "typed" } : failed(`the text stands in its input, but was not sent: ${sent}`);
}

/** Why a session's input is not certain to take a text as a message; undefined when it is. */
export function inputRefusal({ agent }: Pick<Session, "agent">): string | undefined {
  return TRIED.has(agent) ? undefined : `what ${agent}'s input makes of a typed text is not certain`;
}

/** Presses Escape in a session whose turn runs, under the same guards. Only tmux: elsewhere it was never tried. */
export async function pressEscape(session: Session, surroundings: ControlSurroundings): Promise<Typed> {
  const found = typingPlaceOf(session);
  if (found.outcome === "place" && found.place.terminal !== "tmux") {
    return refused("Escape is pressed in tmux only");
  }
  const seated = await sitDown(session, surroundings, turnRefusal);
  if (seated.outcome !== "seated") return seated;
  const pressed = await seated.keyboard.escape();
  return pressed === undefined ? { outcome: "typed" } : failed(pressed);
}

/** Finds the pane, proves it, and looks at the session anew, in this order: the last look is the freshest. */
async function sitDown(
  session: Session,
  surroundings: ControlSurroundings,
  refusalOf: (session: Session) => string | undefined,
): Promise<Typed | { outcome: "seated"; keyboard: Keyboard; place: TypingPlace }> {
  const refusal = refusalOf(session);
  if (refusal !== undefined) return refused(refusal);
  const found = typingPlaceOf(session);
  if (found.outcome === "none") return refused(found.reason);
  const { process } = session;
  if (process === undefined) return refused("which process it is, is not certain");
  const { processes, run } = surroundings;
  if ((await processes.look(process)) !== "running") return refused("whether its process still runs is not certain");
  const terminal = await processes.terminalOf(process.pid);
  if (terminal === undefined) return refused("its process has no terminal that is known");
  const keyboard = keyboardOf(found.place, run);
  const parentOf = (pid: number) => processes.parentOf(pid);
  const unproven = await keyboard.prove({ pid: process.pid, terminal, parentOf });
  if (unproven !== undefined) return refused(unproven);
  const changed = await lookAgain(session, surroundings, refusalOf);
  return changed === undefined ? { outcome: "seated", keyboard, place: found.place } : refused(changed);
}

/** Looks at the session anew: why it is not what it was, if so. */
async function lookAgain(
  session: Session,
  { refresh }: ControlSurroundings,
  refusalOf: (session: Session) => string | undefined,
): Promise<string | undefined> {
  const now = await refresh(session.id);
  if (now === undefined) return "it is gone";
  if (now.process?.pid !== session.process?.pid) return "another process runs it";
  return refusalOf(now);
}

function refused(reason: string): Typed {
  return { outcome: "refused", reason };
}

function failed(reason: string): Typed {
  return { outcome: "failed", reason };
}
