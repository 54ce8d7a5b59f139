/** The timers that the code under test has started and that neither ran nor were ended. */
const timers = new Set<unknown>();

const { setTimeout: startTimeout, setInterval: startInterval, clearTimeout: endTimeout } = globalThis;

/** Notes every timer from now on. Only those of a test's own modules: the runner has its own globals. */
export function noteTimers(): void {
  const started: typeof setTimeout = Object.assign(
    (work: (...values: never[]) => void, delay?: number, ...values: never[]) => {
      const timer = startTimeout(() => {
        timers.delete(timer);
        work(...values);
      }, delay);
      timers.add(timer);
      return timer;
    },
    startTimeout,
  );
  const repeated = (work: () => void, delay?: number) => {
    const timer = startInterval(work, delay);
    timers.add(timer);
    return timer;
  };
  const ended = (timer?: NodeJS.Timeout | string | number) => {
    timers.delete(timer);
    endTimeout(timer);
  };
  Object.assign(globalThis, {
    setTimeout: started,
    setInterval: Object.assign(repeated, startInterval),
    clearTimeout: ended,
    clearInterval: ended,
  });
}

/** What is open now: a line a file watch and a timer. */
export function openResources(): string[] {
  const watches = process.getActiveResourcesInfo().filter((name) => name.startsWith("FSEvent"));
  return [...watches, ...Array.from(timers, () => "Timer")];
}

/** Waits until nothing is open; a watch that is just starting has to have started before it can be closed. */
export async function everythingClosed(): Promise<void> {
  const limit = Date.now() + 2_000;
  while (openResources().length > 0 && Date.now() < limit) await new Promise((resolve) => setImmediate(resolve));
  expect(openResources()).toEqual([]);
}
