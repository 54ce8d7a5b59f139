import { Worker } from "node:worker_threads";

/** One input that takes longer than this hangs, in seconds. Inputs take milliseconds. */
const PATIENCE_S = 90;

/** A label is at most so long, in bytes. */
const LABEL = 400;

/**
 * The second thread: code that never comes back cannot be stopped from within, so the process ends, and says at what.
 * A test runner then reports this file as ended by a signal.
 */
const THREAD = `
const { workerData: { beats, label } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
let seen = 0;
let since = Date.now();
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== seen || beat % 2 === 0) { seen = beat; since = Date.now(); return; }
  if (Date.now() - since < ${PATIENCE_S * 1000}) return;
  const text = Buffer.from(label).toString("utf8").replace(/\\0+$/, "");
  writeSync(2, "\\nHang: " + text + " took more than ${PATIENCE_S} s for one input.\\n");
  process.kill(process.pid, "SIGKILL");
}, 1000);
`;

/** Watches that no input takes for ever. */
export class Watchdog {
  private readonly beats = new Int32Array(new SharedArrayBuffer(4));
  private readonly label = new Uint8Array(new SharedArrayBuffer(LABEL));
  private readonly thread = new Worker(THREAD, { eval: true, workerData: { beats: this.beats, label: this.label } });

  constructor() {
    this.thread.unref();
  }

  /** Names what the inputs to come are of. */
  name(text: string): void {
    this.label.fill(0);
    this.label.set(Buffer.from(text).subarray(0, LABEL));
  }

  /** An input begins. */
  begin(): void {
    if (Atomics.load(this.beats, 0) % 2 === 0) Atomics.add(this.beats, 0, 1);
  }

  /** It ended. */
  end(): void {
    if (Atomics.load(this.beats, 0) % 2 === 1) Atomics.add(this.beats, 0, 1);
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }
}
