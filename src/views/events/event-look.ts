import { Icon, type Image } from "@raycast/api";
import type { TimelineEntry } from "../../session/event-line";
import { LOOKS, type Tone } from "../../session/looks";
import { colorOf, stateIcon } from "../state-icon";

/** How an entry looks: the icon with what it means, and the tone of what it did. */
export interface EventLook {
  icon: Image.ImageLike;
  tooltip: string;
  tone: Tone;
}

/** The look of an entry: the state it left its session in, calm where it changed nothing. */
export function eventLook(entry: TimelineEntry): EventLook {
  switch (entry.outcome) {
    case "event": {
      const { word, tone } = LOOKS[entry.after];
      const isChange = entry.before !== entry.after;
      if (entry.unheard !== undefined) return { ...NOTHING, tooltip: "Left out" };
      return { icon: stateIcon(entry.after, isChange ? tone : "calm"), tooltip: word, tone: isChange ? tone : "calm" };
    }
    case "ignored":
      return { ...NOTHING, tooltip: "Ignored" };
    case "rejected":
      return {
        icon: { source: Icon.ExclamationMark, tintColor: colorOf("doubt") },
        tooltip: "Rejected",
        tone: "doubt",
      };
    default:
      return entry satisfies never;
  }
}

const NOTHING = { icon: { source: Icon.MinusCircle, tintColor: colorOf("calm") }, tone: "calm" } as const;
