import * as live from "../../src/observe/live";

const { follow } = live;

/**
 * Holds back what a view that opens learns of the sessions, until it is told to go on: as long as looking takes on a slow
 * machine. To be called before the view opens.
 */
export class FirstLook {
  private readonly held: (() => void)[] = [];
  private readonly spy: jest.SpyInstance;
  private failure: Error | undefined;

  constructor() {
    this.spy = jest.spyOn(live, "follow").mockImplementation(async (surroundings, follower) => {
      await new Promise<void>((resolve) => this.held.push(resolve));
      if (this.failure !== undefined) throw this.failure;
      return follow(surroundings, follower);
    });
  }

  /** How many looks there were. */
  get count(): number {
    return this.spy.mock.calls.length;
  }

  /** Has it go on, and all that follow. */
  goOn(): void {
    this.spy.mockImplementation(follow);
    for (const go of this.held.splice(0)) go();
  }

  /** Has it fail, and all that follow until it goes on. */
  fail(error: Error): void {
    this.failure = error;
    this.spy.mockImplementation(() => Promise.reject(error));
    for (const go of this.held.splice(0)) go();
  }
}
