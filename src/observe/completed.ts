import type { Seconds } from "../session/report";
import type { TranscriptFacts } from "../session/transcript-facts";
import { reportOfLive, weighLive, type LiveSighting } from "./live-evidence";
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
  let { report, told } = merged;
  const sightings = [...merged.sightings];
  let added: Judged | undefined;
  if (transcript !== undefined) {
    const weighed = weighTranscript(report, told, transcript.facts);
    ({ report } = weighed);
    added = {
      source: "transcript",
      file: transcript.file,
      report: { ...report, state: weighed.verdict === "overrules" ? "idle" : "unknown" },
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
    sightings.push({ ...sightingOfLive(live), verdict: weighed.verdict, why: weighed.why });
  }
  if (added !== undefined) sightings.push(added);
  return { report, sightings, told };
}

/** A session that only its registry knows. */
export function aloneInRegistry(live: LiveSighting): Merged {
  return alone(sightingOfLive(live));
}

function sightingOfLive(live: LiveSighting): Omit<Judged, "verdict"> {
  const report = reportOfLive(live);
  return {
    source: "registry",
    file: live.file,
    report,
    at: report.since,
    ...(live.unreadableSince === undefined ? {} : { unreadableSince: live.unreadableSince }),
  };
}

/** Marks what gave the state so far as overruled. */
function lose(sightings: Judged[], why: string): void {
  for (const [index, sighting] of sightings.entries()) {
    if (sighting.verdict === "stands" || sighting.verdict === "overrules" || sighting.verdict === "agrees") {
      sightings[index] = { ...sighting, verdict: "overruled", why };
    }
  }
}
