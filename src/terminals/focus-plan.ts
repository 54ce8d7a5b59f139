/** A command line: a program and its arguments, never a line for a shell. */
export type Argv = readonly [program: string, ...given: string[]];

/**
 * How near a plan brings: to the very pane, to the window it is in, or only to the program. `behind`: the pane is
 * selected, but no window is brought to the front.
 */
export type Reach = "pane" | "window" | "app" | "behind";

/** What is run, and how. */
export interface Call {
  argv: Argv;
  /** Variables that are set for it beside the usual ones; one of undefined is taken away. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** What a terminal answered: it is done, what was looked for is not there, or it cannot look for that. */
export type StepAnswer = "done" | "missing" | "unsupported";

/** One thing that brings a session forward. None types anything. */
export interface FocusStep extends Call {
  /** Reads what it printed; absent: done when it ends well. */
  answer?: (output: string) => StepAnswer;
}

/** A question to a terminal before anything is done: whether the session still is where it was. */
export interface Check extends Call {
  read: (output: string) => "there" | "gone" | "unknown";
}

/** How a terminal brings a session forward. */
export interface FocusPlan {
  /** Whose plan it is, as users call it. */
  title: string;
  /** What it brings forward, for the user: "pane %12 in tmux". */
  target: string;
  reach: Reach;
  /** Asked first: what is gone is not looked for elsewhere. */
  check?: Check;
  /** In this order; the first that fails ends it. */
  steps: readonly FocusStep[];
  /** Why it comes no nearer; what the user could do about it. */
  note?: string;
  /** What is done where the terminal cannot do this: less near, and as certain. */
  otherwise?: FocusPlan;
}
