import {
  agentsOf,
  applySetUp,
  planRemoval,
  planSetUp,
  type AppliedFile,
  type PlannedFile,
  type SetUpPlan,
} from "../../observe/set-up";
import { reasonOf, SessionsError } from "../../session/failure";
import { launcherPlace } from "./set-up-place";

/** What is to be changed: an agent's set-up, or its removal. */
export interface Change {
  agent: string;
  removes: boolean;
}

/** What of a plan would be written. */
export function changedFiles({ files }: SetUpPlan): (PlannedFile & { outcome: "change" })[] {
  return files.flatMap((file) => (file.outcome === "change" ? [file] : []));
}

/** Whether a plan would do anything. */
export function changesAnything(plan: SetUpPlan): boolean {
  return changedFiles(plan).length > 0 || plan.recorder !== undefined;
}

/**
 * Looks at an agent's settings, and says what would be made of them. Writes nothing.
 *
 * @throws SessionsError when the agent is unknown, or the recorder that is shipped cannot be read
 */
export function planChange({ agent, removes }: Change): SetUpPlan {
  const place = launcherPlace();
  const agents = agentsOf(place).filter((each) => each.agent === agent);
  if (agents.length === 0) throw new SessionsError("not-found", `${agent} cannot be set up.`, "Choose another agent.");
  return removes ? planRemoval(place, agents) : planSetUp(place, agents);
}

/**
 * Does what a plan showed, and nothing else: it is planned anew, and has to come to the same.
 *
 * @returns the files that were written
 * @throws SessionsError `refused` when it would be something else by now; what kept a file from being written, with
 *   what was written nevertheless
 */
export function applyChange(change: Change, shown: SetUpPlan): (AppliedFile & { outcome: "written" })[] {
  const plan = planChange(change);
  if (essenceOf(plan) !== essenceOf(shown)) {
    const paths = plan.files.map(({ target }) => target.path).join(" or ");
    throw new SessionsError(
      "refused",
      `${paths} was changed meanwhile, and left as it is.`,
      "Look at what would change now, then try again.",
    );
  }
  const applied = applySetUp(plan);
  const failures = applied.flatMap((each) => (each.outcome === "failed" ? [each.error] : []));
  const written = applied.flatMap((each) => (each.outcome === "written" ? [each] : []));
  const [first] = failures;
  if (first === undefined) return written;
  const reasons = failures.map(reasonOf).join(" ");
  const others = written.map(({ planned, backup }) =>
    backup === undefined ? planned.target.path : `${planned.target.path} (before: ${backup})`,
  );
  throw new SessionsError(first.code, others.length === 0 ? reasons : `${reasons} Written: ${others.join(", ")}.`);
}

/** All of a plan that its view shows, to compare two. */
function essenceOf({ place, files, recorder }: SetUpPlan): string {
  const parts = files.map((file) => {
    switch (file.outcome) {
      case "change":
        return [file.target.path, file.file.real, file.file.text ?? null, file.after ?? null];
      case "refused":
        return [file.target.path, reasonOf(file.error)];
      case "kept":
        return [file.target.path, file.reason];
      case "already":
      case "absent":
        return [file.target.path, file.outcome];
      default:
        return file satisfies never;
    }
  });
  return JSON.stringify([place.home, recorder ?? null, parts]);
}
