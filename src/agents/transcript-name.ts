/** Whether a session's id can be (part of) a file's name, and nothing but that. */
export function isFileName(sessionId: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(sessionId);
}
