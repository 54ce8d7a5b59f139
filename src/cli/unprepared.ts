let wasAsked = false;

/**
 * Stands in the quick program for what only the whole one carries: codecs, writing, folding. Whoever asks for it gets
 * an error, which may be taken for a file's; so that it was asked for is noted.
 */
export function unprepared(): never {
  wasAsked = true;
  throw new Error("only the whole program can do this");
}

/** Whether the quick program was asked for something it does not carry: then what it found does not count. */
export function wasUnprepared(): boolean {
  return wasAsked;
}
