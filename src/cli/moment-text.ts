import { ageOf, shortAge } from "../session/age";
import type { Seconds } from "../session/report";

/** A moment for a person: local, with the distance from now. */
export function momentText(at: Seconds, now: Seconds): string {
  const local = new Date(at * 1000).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "medium" });
  return at > now ? `${local} (in ${shortAge(at - now)})` : `${local} (${shortAge(ageOf(at, now))} ago)`;
}
