/** What went wrong, for a caller that decides by it: an exit code, a view, a toast. */
export type FailureCode =
  | "usage"
  | "not-found"
  | "ambiguous"
  | "unreadable"
  | "unwritable"
  | "refused"
  | "locked"
  | "bad-format"
  | "command-missing"
  | "command-failed"
  | "wrong-preference";

/**
 * The one error class. Its message says what happened, to which file, and what to do next, and is fit to show;
 * what the user can do stands in `next`.
 */
export class SessionsError extends Error {
  override readonly name = "SessionsError";

  constructor(
    readonly code: FailureCode,
    what: string,
    readonly next?: string,
    options?: { cause?: unknown },
  ) {
    super(next === undefined ? what : `${what} ${next}`, options);
  }
}

/** The plain reason in anything that was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of a system error (`ENOENT`, `EACCES`, …), when it is one. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
