import * as z from "zod";
import { SessionsError } from "../session/failure";
import { printable } from "../session/text";
import { activateApp } from "../terminals/activate-app";
import type { Offer } from "../terminals/focus";
import { ThisMachine } from "../terminals/this-machine";
import { TERMINALS, type TerminalApp } from "../terminals/which-terminal";
import { askInstalled } from "./installed-command";
import { carrierOf, quietIo, type Invoker } from "./invoker";
import { focusOn } from "./verbs/focus";
import { resumeIn } from "./verbs/resume";

/** Made when one is read: so a command that reads none does not carry it. */
const offerSchema = () =>
  z.object({
    kind: z.enum(["open-app", "attach", "resume"]),
    title: z.string(),
    text: z.string().nullish(),
  });

const focusSchema = () =>
  z.object({
    id: z.string(),
    outcome: z.enum(["focused", "opened", "uncertain", "failed"]),
    what: z.string(),
    reason: z.string().nullish(),
    offers: z.array(offerSchema()),
  });

const resumeSchema = () =>
  z.object({
    id: z.string(),
    outcome: z.enum(["started", "opened", "failed"]),
    what: z.string(),
    reason: z.string().nullish(),
    text: z.string(),
  });

/** What is certain where the session is not: to open its terminal, or a command line to copy. */
export type GoingOffer = Pick<Offer, "kind" | "title" | "text">;

/** What came of going to a session. */
export interface GoingOutcome {
  id: string;
  outcome: z.infer<ReturnType<typeof focusSchema>>["outcome"];
  what: string;
  reason?: string;
  offers: readonly GoingOffer[];
}

/** What came of resuming one; the text is the command line that does it. */
export interface ResumingOutcome {
  id: string;
  outcome: z.infer<ReturnType<typeof resumeSchema>>["outcome"];
  what: string;
  reason?: string;
  text: string;
}

/**
 * Goes to a session through the command's own verb; the result is the same whoever carries it out.
 *
 * @throws SessionsError what the verb throws; `command-missing`, `not-found` or `command-failed` of the named command
 */
export async function invokeFocus(id: string, invoker: Invoker): Promise<GoingOutcome> {
  const { command, environment } = carrierOf(invoker);
  if (command === undefined) return goingOf(await focusOn(id, quietIo(environment, invoker), invoker.machine));
  const call = { command, argv: ["focus", "--json", "--", id], environment };
  return askInstalled(call, invoker, (value) => goingOf(focusSchema().parse(value)));
}

/**
 * Resumes an ended session through the command's own verb, in the terminal that is named.
 *
 * @param terminal absent: the one it was in, else the usual one of the system
 * @throws SessionsError as `invokeFocus`
 */
export async function invokeResume(
  id: string,
  terminal: string | undefined,
  invoker: Invoker,
): Promise<ResumingOutcome> {
  const { command, environment } = carrierOf(invoker);
  if (command === undefined) {
    return resumingOf(await resumeIn(id, terminal, quietIo(environment, invoker), invoker.machine));
  }
  const choice = terminal === undefined ? [] : ["--terminal", terminal];
  const call = { command, argv: ["resume", "--json", ...choice, "--", id], environment };
  return askInstalled(call, invoker, (value) => resumingOf(resumeSchema().parse(value)));
}

/**
 * Opens the terminal that was offered, by the table of those we know: what a command printed is never run.
 *
 * @throws SessionsError `refused` for a terminal that cannot be opened here; `command-failed` when it does not open
 */
export async function openOffered({ title }: Pick<GoingOffer, "title">, invoker: Invoker): Promise<void> {
  const terminal = terminalOffered(title);
  const machine = invoker.machine ?? new ThisMachine(carrierOf(invoker).environment);
  const step = terminal === undefined ? undefined : activateApp({ terminal })?.steps[0];
  if (terminal === undefined || step === undefined) {
    throw new SessionsError("refused", `It is not known how to ${printable(title).replace(/^O/, "o")}.`);
  }
  const opened = await machine.run(step);
  if (opened.outcome === "ended" && opened.code === 0) return;
  const said = opened.outcome === "ended" ? opened.stderr.trim().split("\n")[0] : undefined;
  throw new SessionsError(
    "command-failed",
    `${terminal.title} did not open${said ? `: ${said}` : ""}.`,
    "Open it yourself.",
  );
}

type Told = Omit<z.infer<ReturnType<typeof focusSchema>>, "offers"> & {
  offers: readonly z.infer<ReturnType<typeof offerSchema>>[];
};

function goingOf({ id, outcome, what, reason, offers }: Told): GoingOutcome {
  return {
    id,
    outcome,
    what,
    ...(reason ? { reason } : {}),
    offers: offers.filter(canBeTaken).map(({ kind, title, text }) => ({ kind, title, ...(text ? { text } : {}) })),
  };
}

/** Whether an offer can be taken: a terminal we know, or a command line. */
function canBeTaken({ kind, title, text }: z.infer<ReturnType<typeof offerSchema>>): boolean {
  return kind === "open-app" ? terminalOffered(title) !== undefined : Boolean(text);
}

function terminalOffered(title: string): TerminalApp | undefined {
  return TERMINALS.find((each) => title === `Open ${each.title}`);
}

function resumingOf({ id, outcome, what, reason, text }: z.infer<ReturnType<typeof resumeSchema>>): ResumingOutcome {
  return { id, outcome, what, ...(reason ? { reason } : {}), text };
}
