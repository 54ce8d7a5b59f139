import type { Seconds } from "../session/report";
import type { Verdict } from "../session/session";
import type { TranscriptFacts } from "../session/transcript-facts";
import { NO_STATE, reportOfLive, stateOfLive, weighLive, type LiveSighting } from "./live-evidence";
import { alone, type Merged } from "./merge";
import type { Judged } from "./sighting";
import { weighTranscript } from "./transcript-evidence";

/** What a session's transcript told, and where it lies. */
export interface TranscriptSighting {
  file: string;
  facts: TranscriptFacts;
}

/** What the machine can tell of a session beside what was reported. */
export interface Evidences {
  live?: LiveSighting | undefined;
  transcript?: TranscriptSighting | undefined;
}

/** What was reported of a session, completed by its transcript and the registry; the registry has the last word. */
export function completed(merged: Merged, { live, transcript }: Evidences, now: Seconds): Merged {
  if (live === undefined && transcript === undefined) return merged;
  let { report, told } = merged;
  const sightings = [...merged.sightings];
  let added: Judged | undefined;
  if (transcript !== undefined) {
    const weighed = weighTranscript(report, told, transcript.facts);
    ({ report } = weighed);
    added = {
      source: "transcript",
      file: transcript.file,
      state: weighed.state ?? "unknown",
      at: weighed.at ?? told,
      verdict: weighed.verdict,
      why: weighed.why,
    };
    if (weighed.verdict === "overrules") {
      told = weighed.at ?? told;
      lose(sightings, "The transcript tells of what no event does.");
    }
  }
  if (live !== undefined && !sightings.some(({ source }) => source === "registry")) {
    const weighed = weighLive(report, told, live, now);
    ({ report } = weighed);
    if (weighed.verdict === "overrules") {
      lose(sightings, "The registry's word is the later one.");
      if (added?.verdict === "overrules")
        added = { ...added, verdict: "overruled", why: "The session went on after it." };
    }
    sightings.push(evidenceOfLive(live, weighed.verdict, weighed.why));
  }
  if (added !== undefined) sightings.push(added);
  return { report, sightings, told };
}

/** A session that only its registry knows. */
export function aloneInRegistry(live: LiveSighting): Merged {
  const { file, unreadableSince } = live;
  const report = reportOfLive(live);
  return alone({ source: "registry", file, report, at: report.since, unreadableSince });
}

function evidenceOfLive(live: LiveSighting, verdict: Verdict, why: string): Judged {
  const { file, unreadableSince, entry } = live;
  const { statusAt, updatedAt, startedAt } = entry;
  const state = live.liveness === "gone" ? "dormant" : stateOfLive(entry);
  const at = statusAt ?? startedAt ?? updatedAt ?? 0;
  return { source: "registry", file, state, verdict, why, at, unreadableSince };
}

/** Marks what gave the state so far as overruled; what told of none has only added to it. */
function lose(sightings: Judged[], why: string): void {
  for (const [index, sighting] of sightings.entries()) {
    if (sighting.source === "registry" && sighting.state === "unknown") {
      sightings[index] = { ...sighting, verdict: "adds", why: NO_STATE };
    } else if (sighting.verdict === "stands" || sighting.verdict === "overrules" || sighting.verdict === "agrees") {
      sightings[index] = { ...sighting, verdict: "overruled", why };
    }
  }
}
