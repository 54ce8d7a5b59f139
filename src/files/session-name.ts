/** The longest name a file may have on the systems we know, less an ending and a temporary one. */
const NAME_LIMIT = 180;

/** Names that are devices on Windows, with any ending (Naming Files, Paths, and Namespaces). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A session id as a file name, by one reversible rule: everything but letters, digits, `.`, `_` and `-`, a leading `.`,
 * and the first letter of a device of Windows, is percent-encoded. Undefined for an id too long to be a name, and for one
 * that has half a character in it, which no name would give back.
 */
export function sessionFileName(sessionId: string): string | undefined {
  if (!sessionId.isWellFormed()) return undefined;
  const isDevice = DEVICE.test(sessionId);
  const encoded = Array.from(Buffer.from(sessionId, "utf8"), (byte, index) => {
    const letter = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._-]/.test(letter) && !(index === 0 && (letter === "." || isDevice));
    return isPlain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
  return encoded === "" || encoded.length > NAME_LIMIT ? undefined : `${encoded}.json`;
}
