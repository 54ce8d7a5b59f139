/** Who wrote a prompt, in the words of the hooks' `source`, by where the engine says it came from. */
export function promptSource(origin: string): "user" | "sdk" | "schedule_wakeup" | "system" {
  switch (origin) {
    case "composer":
    case "bridge":
    case "slack-ping":
      return "user";
    case "sdk":
      return "sdk";
    case "scheduled-trigger":
      return "schedule_wakeup";
    case "unclassified":
      // It may be the user's through a socket: what is not certain counts as theirs, like a prompt without a source.
      return "user";
    default:
      return "system";
  }
}

/** Whether the user themselves is there, at this terminal or at their phone. */
export function isUserHere(origin: string): boolean {
  return origin === "composer" || origin === "bridge";
}

/** Whether another session wrote it. */
export function isFromSession(origin: string): boolean {
  return origin === "peer" || origin === "peer-send-message";
}
