import type { Section } from "../session/section";

/** The title of each section of a list or menu. */
export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  needsYou: "Needs You",
  unread: "Unread Answers",
  working: "Working",
  scheduled: "Scheduled",
  idle: "Idle",
  ended: "Ended",
  unknown: "Unknown",
};
