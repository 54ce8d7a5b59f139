import { constants } from "node:os";
import { join } from "node:path";
import { reasonOf, SessionsError } from "../session/failure";
import { openExclusively } from "./exclusive-open";
import { blockFor } from "./blocking-wait";

/** How long to wait for the original, which holds its lock for some milliseconds. */
const PATIENCE_MS = 10_000;

const BETWEEN_MS = 5;

/**
 * Runs `work` while holding the lock of Agent Signal Bar itself, `state.lock` in the document's folder. macOS only.
 *
 * @throws SessionsError `unwritable` when it cannot be opened, `locked` when it stays held
 */
export function holdOriginalsLock<T>(
  folder: string,
  work: () => T,
  patienceMs: number = PATIENCE_MS,
  open: typeof openExclusively = openExclusively,
): T {
  const path = join(folder, "state.lock");
  const release = acquire(path, performance.now() + patienceMs, open);
  try {
    return work();
  } finally {
    release();
  }
}

function acquire(path: string, deadline: number, open: typeof openExclusively): () => void {
  for (;;) {
    const attempt = tried(path, open);
    if (attempt.outcome === "held") return attempt.release;
    if (performance.now() > deadline) {
      throw new SessionsError(
        "locked",
        `Cannot acquire state lock at ${path}: errno ${constants.errno.EAGAIN}.`,
        "Agent Signal Bar holds it; try again, or quit the app if it hangs.",
      );
    }
    blockFor(BETWEEN_MS);
  }
}

function tried(path: string, open: typeof openExclusively): ReturnType<typeof openExclusively> {
  try {
    return open(path);
  } catch (error) {
    throw new SessionsError("unwritable", `Cannot open state lock at ${path}.`, reasonOf(error), { cause: error });
  }
}
