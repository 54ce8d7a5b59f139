import { SessionsError } from "../session/failure";

/** A message is at most so long, in bytes of UTF-8 (docs/control.md). */
const LIMIT = 16 * 1024;

// Control characters but line breaks and tabs, C1 ones too; and the marks that turn the direction of what follows.
// eslint-disable-next-line no-control-regex
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A message fit for a session, and how many characters it lost: nothing in it steers a terminal. */
export interface CleanedText {
  text: string;
  removed: number;
}

/**
 * Cleans a message of what is no text.
 *
 * @throws SessionsError `usage` for one that is empty then, or too long: half a message is another one
 */
export function cleanMessage(raw: string): CleanedText {
  const lines = raw.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, "\n");
  let removed = 0;
  const text = lines
    .replace(UNWANTED, () => {
      removed += 1;
      return "";
    })
    .trim();
  if (text === "") throw new SessionsError("usage", "There is no text to send.");
  const size = Buffer.byteLength(text);
  if (size > LIMIT) {
    throw new SessionsError(
      "usage",
      `The text has ${size} bytes, and a message at most ${LIMIT}.`,
      "Put it into a file, and send where it is.",
    );
  }
  return { text, removed };
}
