import { lstatSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { encodeStopAnswer } from "../files/control-stop-answer";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import type { Seconds } from "../session/report";
import { writing } from "../store/writing";
import type { Addressee, ControlFolder } from "./control-folder";

/**
 * Has the recorder print, at the session's next Stop, that it is to go on with a text. One that was waiting is replaced.
 *
 * @throws SessionsError `refused` or `unwritable`
 */
export function placeStopAnswer(
  control: ControlFolder,
  session: Addressee,
  answer: { expiresAt: Seconds; reason: string },
): void {
  const path = control.stopAnswer(session);
  control.make(dirname(path));
  writing().replaceFile(path, encodeStopAnswer(answer));
}

/** Whether a stop answer still waits. */
export function waitsForStop(control: ControlFolder, session: Addressee): boolean {
  return lstatSync(control.stopAnswer(session), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Takes a waiting stop answer back, by the rename with which the recorder takes it: one of the two has it.
 *
 * @returns whether it was there
 * @throws SessionsError `unwritable`
 */
export function withdrawStopAnswer(control: ControlFolder, session: Addressee): boolean {
  const path = control.stopAnswer(session);
  const taken = join(control.path, `withdrawn-${randomUUID()}`);
  try {
    renameSync(path, taken);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new SessionsError("unwritable", `Cannot take ${path} back: ${reasonOf(error)}.`, undefined, { cause: error });
  }
  rmSync(taken, { force: true });
  return true;
}
