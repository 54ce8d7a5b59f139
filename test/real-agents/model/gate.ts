/** Holds an answer back until the test has seen what is shown meanwhile: no clock decides what it gets to see. */
export class Gate {
  private letThrough: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.letThrough = resolve;
  });

  /** @returns when it opened, in milliseconds since 1970 */
  open(): number {
    this.letThrough();
    return Date.now();
  }
}
