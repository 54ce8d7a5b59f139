import { recordOf, type RequestKind } from "./request";

/** How far a request came (docs/control.md). */
export type Outcome =
  "queued" | "delivered" | "saving" | "saved" | "restarted" | "refused" | "expired" | "failed" | "cancelled";

/** One step of a request; `at` in seconds. */
export interface Step {
  outcome: Outcome;
  at: number;
  reason?: string;
  proof?: { file: string; lines: number };
}

/** What became of a request so far. */
export interface Course {
  id: string;
  kind: RequestKind;
  steps: readonly Step[];
}

/** More steps than a request can have. */
const STEP_LIMIT = 64;

/** What is larger is no outcome, in bytes. */
export const OUTCOME_BYTES = 64 * 1024;

/** A course with one more step. */
export function withStep(course: Course, step: Step): Course {
  return { ...course, steps: [...course.steps, step] };
}

/** The text of an outcome's file. */
export function outcomeText({ id, kind, steps }: Course): string {
  return `${JSON.stringify({ version: 1, id, kind, by: "plugin", steps })}\n`;
}

/** What an outcome's file says of a request: whether this plugin may take it, and the steps until now. */
export type Standing =
  /** Whoever asked only queued it. */
  | { standing: "open"; steps: readonly Step[] }
  /** This plugin had it, and did not come to an end. */
  | { standing: "begun"; steps: readonly Step[] }
  /** It has its end, or somebody else has it, or the file cannot be read. */
  | { standing: "taken" };

const ENDS: readonly string[] = ["restarted", "refused", "expired", "failed", "cancelled"];

/** Reads an outcome's file. */
export function standingIn(text: string): Standing {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { standing: "taken" };
  }
  const record = recordOf(value);
  const listed: unknown = record?.steps;
  if (record === undefined || !Array.isArray(listed) || listed.length > STEP_LIMIT) return { standing: "taken" };
  const steps: Step[] = [];
  for (const one of listed) {
    const step = stepOf(one);
    if (step === undefined) return { standing: "taken" };
    steps.push(step);
  }
  const last = steps.at(-1)?.outcome;
  if (last !== undefined && ENDS.includes(last)) return { standing: "taken" };
  if (record.by === undefined && steps.every(({ outcome }) => outcome === "queued")) return { standing: "open", steps };
  if (record.by !== "plugin") return { standing: "taken" };
  return isOver(record.kind, last) ? { standing: "taken" } : { standing: "begun", steps };
}

/** A save that is not followed by a fresh start ends when it is saved; what is only handed over, when it is delivered. */
function isOver(kind: unknown, last: Outcome | undefined): boolean {
  switch (kind) {
    case "save":
      return last === "saved";
    case "save-restart":
    case "save-auto":
      return false;
    default:
      return last === "delivered";
  }
}

function stepOf(value: unknown): Step | undefined {
  const step = recordOf(value);
  if (step === undefined || !isOutcome(step.outcome) || typeof step.at !== "number") return undefined;
  return { outcome: step.outcome, at: step.at, ...(typeof step.reason === "string" ? { reason: step.reason } : {}) };
}

const OUTCOMES: readonly string[] = ["queued", "delivered", "saving", "saved", ...ENDS];

function isOutcome(value: unknown): value is Outcome {
  return typeof value === "string" && OUTCOMES.includes(value);
}
