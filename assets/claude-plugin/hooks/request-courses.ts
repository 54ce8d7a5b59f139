import type { EngineInterface } from "claude-code";
import { outcomeText, withStep, type Course, type Outcome, type Step } from "../core/outcome";

/** The requests that this plugin took and that have no end yet, with the file that tells what becomes of each. */
const courses = new Map<string, { course: Course; file: string }>();

/** Begins to tell what becomes of a request, with a file that says that this plugin has it. */
export async function openCourse($: EngineInterface, course: Course, file: string): Promise<void> {
  courses.set(course.id, { course, file });
  if (course.steps.length === 0) await tellStep($, course.id, "queued");
  else await $.fs.write(file, outcomeText(course)).catch(() => undefined);
}

/** Whether this plugin is at work on a request. */
export function isOpen(id: string): boolean {
  return courses.has(id);
}

/**
 * Tells a step of a request. The whole file is written anew, also after /clear gave the session another id: it stays
 * where the request lies. What cannot be written is not told; the request itself goes on.
 *
 * @param id the request's; without one nothing is told
 */
export async function tellStep(
  $: EngineInterface,
  id: string | undefined,
  outcome: Outcome,
  more: Pick<Step, "reason" | "proof"> & { isEnd?: boolean } = {},
): Promise<void> {
  const open = id === undefined ? undefined : courses.get(id);
  if (open === undefined) return;
  const { isEnd, ...rest } = more;
  try {
    open.course = withStep(open.course, { outcome, at: (await $.clock.now()) / 1000, ...rest });
    if (isEnd === true) courses.delete(open.course.id);
    await $.fs.write(open.file, outcomeText(open.course));
  } catch {
    // Whoever asked sees that nothing was heard any more.
  }
}
