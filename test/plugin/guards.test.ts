import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What keeps a session from losing its context, or its user's patience: every guard of seed 002, with the lines it stands
 * in there, and the test that fails without it. (Each was seen to, with that guard taken out of a copy.)
 */
const GUARDS: readonly (readonly [guard: string, lines: string, file: string, test: string])[] = [
  [
    "a cold session is not woken",
    "7-9, 99-107, 461-463",
    "pausing-others",
    "warm sessions are asked, cold and unknown ones",
  ],
  ["five minutes of the cache's hour are not counted on", "8-9", "session-row", "an hour's cache is counted on for 55"],
  [
    "saved means at rest, and answered since",
    "109-111",
    "session-row",
    "a session is saved once it rests and has answered",
  ],
  ["an error takes the place of rows", "119-134, 652", "pausing-others", "an error takes the place of the rows"],
  [
    "nobody is asked when the list cannot be read",
    "456-457",
    "pausing-others",
    "when the sessions cannot be read, nobody",
  ],
  [
    "a second save is refused, a stale one is not",
    "140, 385-389",
    "fresh-start",
    "while a save runs another one is refused",
  ],
  ["phrases are compared by letters and digits", "141-142", "anchor", "spelling, blanks and case of a phrase"],
  ["the index that was read counts", "146-157", "fresh-start", "the memory index that the session has read"],
  ["only entries with a key and a memory file", "161-168", "anchor", "an entry is no anchor"],
  ["no link out of the memory's folder", "165", "anchor", "no file leads out of its folder"],
  ["a phrase of two files has none", "159-160, 171-172", "anchor", "a phrase of two files is ambiguous"],
  ["only the first prompts, without markup", "188-190", "anchor", "prompts are the user's, among the first fifteen"],
  ["a prompt has to begin with the phrase", "191, 196", "anchor", "a phrase in the middle of a prompt is none"],
  ["the longest phrase decides", "192-200", "anchor", "the longest phrase a prompt begins with decides"],
  ["an ambiguous one is not replaced by a shorter one", "192, 201", "anchor", "when the longest one is ambiguous"],
  ["without a file nothing starts fresh", "376-385, 478, 529", "fresh-start", "starts nothing fresh"],
  ["a token that the file does not hold", "225-234", "fresh-start", "the token does not stand in the file yet"],
  ["the line of a save has its token", "25-27, 253-261", "carry-on", "an old token"],
  ["exactly one such line", "258-260", "carry-on", "two lines"],
  ["a plain value", "46-53, 262", "carry-on", "a choice"],
  ["not the request's own blanks", "54-56, 261", "carry-on", "the blank of the request"],
  ["not both words", "57-58, 263", "carry-on", "both words"],
  ["what the fresh session reads hides no phrase", "37", "texts", "has no markup, so that it finds its phrase"],
  [
    "only what a tool call itself changed is proof",
    "281-288, 554-573",
    "fresh-start",
    "another program wrote the file",
  ],
  ["a call that failed proves nothing", "294, 559", "fresh-start", "the tool failed"],
  ["only calls that name the file", "311-315, 557-569", "fresh-start", "a tool that names a longer name ran"],
  ["reading proves nothing", "302, 555", "fresh-start", "the file was only read"],
  [
    "lines taken out again fall out of the proof",
    "291-292, 304",
    "proof",
    "what the session took out again counts no more",
  ],
  ["the mark begins anew with a new id", "324-328, 340", "pausing-others", "after /clear by hand the new id has one"],
  ["three turns to find the phrase", "336-345", "pausing-others", "looked for again in three turns only"],
  ["a resumed session has its phrase", "428-429", "pausing-others", "a resumed session has its phrase at once"],
  ["the request follows the command", "396, 480-481", "pausing-others", "saves itself a moment later"],
  ["a save that cannot begin is over", "397-400, 484-486", "fresh-start", "a save that cannot begin is over"],
  ["no person, no plugin", "352, 412, 526, 577", "fresh-start", "a run without a person has no commands"],
  ["an unknown word gets the usage", "446", "fresh-start", "an unknown word gets the usage"],
  ["a cancel by command", "447-452", "fresh-start", "/pause cancel keeps the context"],
  ["who refuses is named with the reason", "467-476, 506", "pausing-others", "who refuses is named, with the reason"],
  ["sessions without the plugin are named", "501-504", "pausing-others", "sessions without the plugin only save"],
  ["not to itself", "459-460", "pausing-others", "it does not write to itself"],
  ["a user who types is there", "513-524", "fresh-start", "the user wrote from elsewhere"],
  ["only messages of sessions, with the mark", "525-526", "pausing-others", "a user who writes the mark asks nobody"],
  ["in the middle of a turn it only saves", "59-67, 528-534", "pausing-others", "in the middle of its work it saves"],
  ["only the save's own turn is bound", "539-547", "save", "only the turn of its own prompt is a save's turn"],
  ["a queued turn decides nothing", "543, 580-581", "fresh-start", "a queued turn before the save's own"],
  ["a subagent's turn decides nothing", "577", "fresh-start", "a subagent's turn decides nothing"],
  ["only a turn that ended with an answer", "583-586", "fresh-start", "the turn was aborted"],
  ["the proof stands at the end", "587-594", "fresh-start", "what was written is gone again"],
  ["a late cancel counts until the end", "267-279, 595-600", "fresh-start", "a cancel lies in control/"],
  ["a cancel just before counts", "137-139, 597", "save", "a cancel came just before it was asked for"],
  ["an unclear line makes it wait", "602-609", "fresh-start", "the fresh session is sent its phrase and what to do"],
  ["a clear that did not work is told", "621-623", "fresh-start", "a /clear that another plugin refused"],
  [
    "the overview stops reading when closed",
    "639-644",
    "pausing-others",
    "read anew every 20 seconds while it is open",
  ],
  ["one command opens and closes it", "434-442", "pausing-others", "it opens and closes with the same command"],
];

test.each(GUARDS)("%s (seed 002, lines %s)", (_guard, _lines, file, title) => {
  expect(readFileSync(join(__dirname, `${file}.test.ts`), "utf8")).toContain(title);
});
