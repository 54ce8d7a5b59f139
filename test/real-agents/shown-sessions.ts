import { setTimeout as pause } from "node:timers/promises";
import { Unmet, waitUntil } from "./wait-until";

const INTERVAL_MS = 100;

/** How long after a deed the list may take to be right, on a busy machine too. */
export const RIGHT_WITHIN_MS = 2000;

/** What is shown may change this long after the last event, when a registry counts as settled; with some slack. */
const SETTLING_MS = 3000;

/** When something happened, in milliseconds since 1970. */
export type Moment = number;

/** How long after a deed the list was right. */
export interface Figure {
  deed: string;
  ms: number;
}

/** What was done, and when: from then on the list has two seconds. */
export interface Deed {
  deed: string;
  at: Moment;
}

/** How far a request to a session came, as `list --json` prints it. */
export interface ShownRequest {
  id: string;
  kind: string;
  by: string | null;
  steps: { outcome: string; reason: string | null; proof: { file: string; lines: number } | null }[];
}

/** A session as `list --json` prints it, as far as it is looked at here. */
export interface ShownSession {
  id: string;
  session_id: string;
  agent: string;
  state: string;
  title: string;
  unread: boolean;
  message: string | null;
  waiting_for: string | null;
  subagents: number;
  background: unknown[];
  /** What the configuration folder is called; null for the usual one. */
  config: string | null;
  same_process: string[];
  sources: string[];
  cache: { state: string };
  plugin: { pickup: string | null; file: string | null } | null;
  request: ShownRequest | null;
}

/** What else has to be right of a session that is shown in a state. */
export interface Particulars {
  waitingFor?: string;
  message?: RegExp;
  /** States on the way there which are right, but may be too short to be seen. */
  passing?: readonly string[];
  /** The deed it follows: how long after it this is shown is taken down, and has a bound. */
  after?: Deed;
  /** How long it may take, where no deed is followed. */
  deadlineMs?: number;
}

/**
 * What `agent-sessions list --json` shows, looked at every 100 ms from the start to the end of a scenario. A look reads
 * as the courses of the replay tests do: the state of each session in the order they appeared, with `*` for an unread
 * answer, `+n` for background commands and `~n` for subagents.
 */
export class ShownSessions {
  /** Every look that differed from the one before. */
  readonly course: string[] = [];
  /** How long each deed took to show. */
  readonly figures: Figure[] = [];
  /** When each look of the course came. */
  private readonly moments: Moment[] = [];
  /** What was last expected and seen, in the course. */
  private reached = 0;
  private readonly order: string[] = [];
  private readonly requestCourses = new Map<string, string[]>();
  private sessions: readonly ShownSession[] = [];
  private looks = 0;
  private failure: unknown;
  private over = false;
  private readonly polling: Promise<void>;

  /** @param list gives the output of `list --json` */
  constructor(private readonly list: () => Promise<string>) {
    this.polling = this.poll();
  }

  /**
   * Waits until exactly this is shown.
   *
   * @throws Unmet when something else is shown on the way, or nothing new at the deadline
   */
  async shows(
    expected: string,
    { waitingFor, message, passing = [], after, deadlineMs }: Particulars = {},
  ): Promise<void> {
    const before = this.course[this.reached];
    await waitUntil(
      () => {
        this.throwFailure();
        for (let step = this.reached; step < this.course.length; step++) {
          const shown = this.course[step] ?? "";
          if (shown === expected) {
            this.reached = step;
            return true;
          }
          if (shown !== before && !passing.includes(shown)) {
            throw new Unmet(`expected ${expected}, but ${shown} was shown on the way`);
          }
        }
        return undefined;
      },
      () => `expected ${expected}, but it stayed ${this.course.at(-1)}`,
      deadlineMs,
    );
    if (after !== undefined) this.takeDown(after, expected);
    // A registry may tell of a wait before the event that tells what for.
    let difference: string | undefined;
    await waitUntil(
      () => {
        difference = this.differenceFrom(waitingFor, message);
        return difference === undefined ? true : undefined;
      },
      () => `${expected}, but ${difference}`,
      RIGHT_WITHIN_MS,
    );
  }

  /** The sessions shown now, in the order they appeared. */
  get now(): readonly ShownSession[] {
    return this.sessions;
  }

  /**
   * Waits until something is so in the list; gives what was found.
   *
   * @param what it waits for, for people
   */
  async until<T>(look: (sessions: readonly ShownSession[]) => T | undefined, what: () => string): Promise<T> {
    return waitUntil(() => {
      this.throwFailure();
      return look(this.sessions);
    }, what);
  }

  /** The outcomes that a session's requests were seen to come to, one after the other. */
  requestCourse(id: string): readonly string[] {
    return this.requestCourses.get(id) ?? [];
  }

  /** The session that was the first, second … to appear. */
  session(index = 0): ShownSession {
    const session = this.sessions[index];
    if (session === undefined) throw new Unmet(`expected ${index + 1} sessions, but there are ${this.sessions.length}`);
    return session;
  }

  /** Looks afresh, after something that is not shown, and finds the same as before. */
  async stillShows(expected: string): Promise<void> {
    // The look that runs at this moment may have begun before.
    const looks = this.looks + 2;
    await waitUntil(
      () => (this.looks >= looks ? true : undefined),
      () => "no look at the list came to an end",
    );
    const later = this.course.slice(this.reached);
    if (later.length !== 1 || later[0] !== expected) {
      throw new Unmet(`expected ${expected} to stay, but ${later.slice(1).join(" → ")} was shown`);
    }
  }

  /** Looks as long as evidence needs to settle, and finds the same as before. */
  async keepsShowing(expected: string): Promise<void> {
    await pause(SETTLING_MS);
    await this.stillShows(expected);
  }

  /** Ends the looking. */
  async stop(): Promise<void> {
    this.over = true;
    await this.polling;
  }

  private async poll(): Promise<void> {
    while (!this.over && this.failure === undefined) {
      try {
        this.take(await this.list());
      } catch (error) {
        this.failure = error;
      }
      await pause(INTERVAL_MS);
    }
  }

  private take(printed: string): void {
    const { sessions, problems } = JSON.parse(printed) as { sessions: ShownSession[]; problems: unknown[] };
    if (problems.length > 0) throw new Unmet(`the list tells of problems: ${JSON.stringify(problems)}`);
    const unknown = sessions.map(({ id }) => id).filter((id) => !this.order.includes(id));
    this.order.push(...unknown);
    this.sessions = this.order.flatMap((id) => sessions.find((session) => session.id === id) ?? []);
    for (const { id, request } of sessions) {
      const outcome = request?.steps.at(-1)?.outcome;
      const course = this.requestCourses.get(id) ?? [];
      if (outcome !== undefined && course.at(-1) !== outcome) this.requestCourses.set(id, [...course, outcome]);
    }
    const shown = this.sessions.map(textOf).join(", ") || "nothing";
    if (shown !== this.course.at(-1)) {
      this.course.push(shown);
      this.moments.push(Date.now());
    }
    this.looks++;
  }

  private takeDown({ deed, at }: Deed, expected: string): void {
    const ms = (this.moments[this.reached] ?? 0) - at;
    // It has to come of the deed: what was there before would be right by chance.
    if (ms < 0) throw new Unmet(`${expected} was shown before ${deed}`);
    this.figures.push({ deed, ms });
    if (ms > RIGHT_WITHIN_MS) throw new Unmet(`${expected} was shown only ${(ms / 1000).toFixed(1)} s after ${deed}`);
  }

  /** What is not as it should be of the first session that is not over. */
  private differenceFrom(waitingFor: string | undefined, message: RegExp | undefined): string | undefined {
    const session = this.sessions.find(({ state }) => state !== "dormant");
    if (waitingFor !== undefined && session?.waiting_for !== waitingFor) {
      return `waiting_for is ${session?.waiting_for}, not ${waitingFor}`;
    }
    if (message !== undefined && !message.test(session?.message ?? "")) {
      return `the message is ${JSON.stringify(session?.message)}, not ${message}`;
    }
    return undefined;
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

function textOf({ state, unread, background, subagents }: ShownSession): string {
  const commands = background.length > 0 ? `+${background.length}` : "";
  return `${state}${unread ? "*" : ""}${commands}${subagents > 0 ? `~${subagents}` : ""}`;
}
