import { linesOf } from "./text-lines";
import { tokenMark } from "./token";

/** What a saved file says of the session that starts fresh with it: carry on by itself, wait, or nothing certain. */
export type CarryOn = "yes" | "no" | "unclear";

/** What may stand in front of the label: a quote, a heading or list item, bold, backticks. */
const LEAD = String.raw`^(?:>\s*)*(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+)?[*_\x60]*\s*`;
const NAME = String.raw`Auto-(?:continue|Weiter)`;

/** A line of that name. */
const LABEL = new RegExp(String.raw`${LEAD}${NAME}[*_\x60]*\s*:`, "iu");

/** Its value, and what has to come after it, so that `yes/no` and `yes|no` are none. */
const VALUE = new RegExp(
  String.raw`${LEAD}${NAME}[*_\x60]*\s*:\s*[*_\x60]*\s*(yes|no|ja|nein)(?=[*_\x60]*(?:\s|$|[—–\-:.,;]))`,
  "iu",
);

/** The name anywhere, for a line that holds it twice. */
const NAMES = new RegExp(NAME, "giu");

/** The blanks of the request itself, filled in by nobody. Other `<`, as in "under <200k" or `<Box>`, are the session's. */
const BLANK = /<(?:…|\.{3}|next[^<>\n]{0,40}|nächster[^<>\n]{0,40}|reason|Grund)>/iu;

/** What must not stand beside a value: its opposite in the same language. */
const OPPOSITE: Readonly<Record<string, RegExp>> = {
  yes: word("no"),
  no: word("yes"),
  ja: word("nein"),
  nein: word("ja"),
};

function word(text: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${text}(?![\p{L}\p{N}])`, "iu");
}

/**
 * Reads the line `Auto-continue: yes — … [token]` (or `Auto-Weiter: ja — … [token]`) of a saved file. It counts only when
 * there is exactly one, with this save's token, a plain yes or no, no opposite word, and no blank of the request. Whether
 * it is among the lines that prove the save does not matter: only this save's request knows the token.
 */
export function carryOnIn(text: string, token: string): CarryOn {
  const lines = linesOf(text).filter((line) => LABEL.test(line));
  const [line] = lines;
  if (token === "" || line === undefined || lines.length !== 1) return "unclear";
  if (!line.toLowerCase().includes(tokenMark(token.toLowerCase())) || BLANK.test(line)) return "unclear";
  if ((line.match(NAMES) ?? []).length !== 1) return "unclear";
  const value = VALUE.exec(line)?.[1]?.toLowerCase();
  if (value === undefined || OPPOSITE[value]?.test(line) !== false) return "unclear";
  return value === "yes" || value === "ja" ? "yes" : "no";
}
