/** The longest name a file may have on the systems we know, less an ending and a temporary one. */
const NAME_LIMIT = 180;

/**
 * A session id as a file name, by one reversible rule: everything but letters, digits, `.`, `_` and `-`, and a leading
 * `.`, is percent-encoded. Undefined for an id too long to be a name.
 */
export function sessionFileName(sessionId: string): string | undefined {
  const encoded = Array.from(Buffer.from(sessionId, "utf8"), (byte, index) => {
    const letter = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._-]/.test(letter) && !(index === 0 && letter === ".");
    return isPlain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
  return encoded === "" || encoded.length > NAME_LIMIT ? undefined : `${encoded}.json`;
}
