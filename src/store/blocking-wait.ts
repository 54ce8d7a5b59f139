const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Waits without giving up the thread: the work under a lock is synchronous as well, and takes milliseconds. */
export function blockFor(milliseconds: number): void {
  Atomics.wait(sleeper, 0, 0, milliseconds);
}
