/** Such a token marks one save; four letters of 0-9a-f. */
export function tokenOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 2), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How a token stands in a file. */
export function tokenMark(token: string): string {
  return `[${token}]`;
}

/**
 * A token that the file does not hold yet: with one it holds, an old line that was left standing would pass for new.
 *
 * @param propose makes a token at random
 */
export function freshToken(text: string, propose: () => string): string {
  const known = text.toLowerCase();
  let token = propose();
  for (let tries = 0; tries < 20 && known.includes(tokenMark(token)); tries++) token = propose();
  return token;
}
