import { closeSync, constants, openSync } from "node:fs";
import { systemCodeOf } from "../session/failure";

/** `O_EXLOCK` of macOS and the BSDs, which Node has no name for: open and lock in one step. */
const O_EXLOCK = 0x20;

/** What came of an attempt: the way to let go again, or that another process holds the file. */
export type ExclusiveOpen = { outcome: "held"; release: () => void } | { outcome: "busy" };

/**
 * Opens a file exclusively, so that the original's lock on it (`fcntl`, which macOS sets against this one) and ours
 * exclude each other. Never waits. The file is made when missing, 0600, and stays, as the original leaves it.
 *
 * Only macOS has it. It could not be tried on a Mac yet; see docs/agent-signal.md.
 *
 * @throws the system's error when the file cannot be opened
 */
export function openExclusively(path: string, open: typeof openSync = openSync): ExclusiveOpen {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const descriptor = open(path, flags, 0o600);
    return { outcome: "held", release: () => closeSync(descriptor) };
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EAGAIN" || code === "EWOULDBLOCK") return { outcome: "busy" };
    throw error;
  }
}
