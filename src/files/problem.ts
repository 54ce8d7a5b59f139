/**
 * Something a file has wrong. `refused`: nothing of it is used; `repaired`: one field was cut or left out, the rest
 * counts; `unreadable`: it could not be read this time, the last good row stays while there is one.
 */
export interface Problem {
  /** Absolute path; the name of the environment variable when that names none. */
  file: string;
  /** The field, dotted (`background.b1.at`); absent when it is the file as a whole. */
  field?: string;
  reason: string;
  outcome: "refused" | "repaired" | "unreadable";
}

/** A problem before the file's path is known. */
export type Finding = Omit<Problem, "file">;

/** A problem on one line, for a person. */
export function describeProblem({ file, field, reason }: Pick<Problem, "file" | "field" | "reason">): string {
  return `${file}: ${field === undefined ? "" : `${field}: `}${reason}`;
}
