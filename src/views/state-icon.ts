import { Color, type Image } from "@raycast/api";
import type { DisplayState } from "../session/signal";
import { LOOKS, type Tone } from "../session/looks";
import type { Session } from "../session/session";
import type { State } from "../session/state";

const TONE_COLOR: Readonly<Record<Tone, Color>> = {
  urgent: Color.Red,
  answer: Color.Green,
  active: Color.Blue,
  planned: Color.Purple,
  calm: Color.SecondaryText,
  doubt: Color.Yellow,
};

/** The color of a tone. */
export function colorOf(tone: Tone): Color {
  return TONE_COLOR[tone];
}

/** The tone a session shows: an unread answer stands out whatever the session does meanwhile. */
export function toneOf({ state, unread, needsYou }: Pick<Session, "state" | "unread" | "needsYou">): Tone {
  return unread && !needsYou ? "answer" : LOOKS[state].tone;
}

/** The icon of a state in the color of a tone, its own by default. The pictures are black: never show one untinted. */
export function stateIcon(state: State, tone: Tone = LOOKS[state].tone): Image.ImageLike {
  return { source: `${LOOKS[state].icon}.png`, tintColor: colorOf(tone) };
}

/** The icon of a session: the shape says its state, the color how urgent it is. */
export function sessionIcon(session: Pick<Session, "state" | "unread" | "needsYou">): Image.ImageLike {
  return stateIcon(session.state, toneOf(session));
}

/** The menu bar's icon for the aggregate; at rest it has the bar's own color. */
export function aggregateIcon(display: DisplayState): Image.ImageLike {
  const [icon, color] = aggregateLook(display);
  return { source: `${icon}.png`, tintColor: color };
}

function aggregateLook(display: DisplayState): [icon: string, color: Color] {
  switch (display) {
    case "paused":
      return ["state-paused", Color.PrimaryText];
    case "blocked":
      return [LOOKS.failed.icon, Color.Red];
    case "permission":
      return [LOOKS.waiting.icon, Color.Red];
    case "needs_review":
      return [LOOKS.waiting.icon, Color.Orange];
    case "stale":
      return [LOOKS.unknown.icon, Color.Yellow];
    case "active":
      return [LOOKS.working.icon, Color.Blue];
    case "completed":
      return [LOOKS.done.icon, Color.Green];
    case "ready":
      return [LOOKS.idle.icon, Color.PrimaryText];
    default:
      return display satisfies never;
  }
}
