import { cutText, printable } from "../session/text";

/** A subtitle has room for so many characters of a reason; the detail pane has the whole. */
const LIMIT = 120;

/** Why something is wrong, on the line of a row. */
export function reasonLine(reason: string): string {
  return cutText(printable(reason), LIMIT);
}
