import type { Snapshot } from "../../observe/snapshot";
import type { DisplayState } from "../../session/signal";
import { printable } from "../../session/text";
import { menuContentOf, type MenuGroup } from "../../views/menu-content";
import { SECTION_TITLES } from "../../views/section-title";
import { segmentOf, UNREADABLE, type Segment, type SegmentRequest } from "./segment";

/** What Waybar reads from a custom module with `return-type` json (waybar-custom(5)). */
export interface WaybarAnswer {
  /** Pango markup; empty when nothing is up, so that `hide-empty-text` hides the module. */
  text: string;
  /** The name of an icon in `format-icons`. */
  alt: WaybarClass;
  /** Pango markup. */
  tooltip: string;
  /** CSS classes. */
  class: WaybarClass[];
  /** The share of the sessions that need the user, ended ones aside. */
  percentage: number;
}

/** The names for icons and styles, by urgency. */
export type WaybarClass =
  "paused" | "failed" | "needs-you" | "needs-review" | "stale" | "working" | "unread" | "idle" | "problems";

/** What Waybar shows of a snapshot: the counts in the bar, every session that presses in the tooltip. */
export function waybarAnswer(snapshot: Snapshot, request: SegmentRequest): WaybarAnswer {
  const { displayState, groups, tooltip, problems } = menuContentOf(snapshot);
  const alt = classOf(displayState);
  const live = snapshot.sessions.filter(({ state }) => state !== "dormant").length;
  const lines = [
    escapePango(tooltip),
    ...(groups.length === 0 ? ["No Sessions"] : groups.flatMap(groupLines)),
    ...(problems.count === 0 ? [] : [`<b>${problemsTitle(problems.count)}</b>`, escapePango(problems.text)]),
  ];
  return {
    text: textOf(segmentOf(snapshot, request)),
    alt,
    tooltip: lines.join("\n"),
    class: problems.count === 0 ? [alt] : [alt, "problems"],
    percentage: live === 0 ? 0 : Math.round((100 * snapshot.aggregate.needsYou) / live),
  };
}

/** What Waybar shows when the sessions cannot be read. */
export function waybarFailure(reason: string): WaybarAnswer {
  return {
    text: textOf(UNREADABLE),
    alt: "stale",
    tooltip: escapePango(reason),
    class: ["stale", "problems"],
    percentage: 0,
  };
}

/** A text that Pango shows as it is (its markup language is XML's), on one line. */
export function escapePango(text: string): string {
  return printable(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf({ counts, gap, title }: Segment): string {
  const shown = counts.map(({ text }) => text).join(gap);
  return escapePango(title === undefined ? shown : `${shown}: ${title}`);
}

/** The rows of a section that presses; of a calm one, its title is enough. */
function groupLines({ section, count, rows }: MenuGroup): string[] {
  const title = `<b>${SECTION_TITLES[section]} (${count})</b>`;
  if (section === "idle" || section === "ended") return [title];
  const more = count - rows.length;
  return [
    title,
    ...rows.map((row) => escapePango(row.subtitle === "" ? row.title : `${row.title} – ${row.subtitle}`)),
    ...(more > 0 ? [`${more} More…`] : []),
  ];
}

function problemsTitle(count: number): string {
  return count === 1 ? "1 Problem" : `${count} Problems`;
}

function classOf(display: DisplayState): WaybarClass {
  switch (display) {
    case "paused":
    case "stale":
      return display;
    case "blocked":
      return "failed";
    case "permission":
      return "needs-you";
    case "needs_review":
      return "needs-review";
    case "active":
      return "working";
    case "completed":
      return "unread";
    case "ready":
      return "idle";
    default:
      return display satisfies never;
  }
}
