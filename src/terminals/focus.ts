import type { PlanSetting } from "./app-place";
import { activateApp } from "./activate-app";
import type { Call, FocusPlan, FocusStep } from "./focus-plan";
import type { Machine, RunResult } from "./machine";
import { findPlace, type Layer, type Place, type Whereabouts } from "./place";
import { commandLine } from "./quoting";
import { planScreen } from "./screen";
import { planApp } from "./strategies";
import { attachTmux, planTmux } from "./tmux";
import { planZellij } from "./zellij";

/** Something certain that the user can do where the session itself cannot be brought forward for certain. */
export interface Offer {
  kind: "open-app" | "attach" | "resume";
  /** Title Case, as an action is called. */
  title: string;
  /** A command line for a POSIX shell, to copy. */
  text?: string;
  /** What to run when the user takes it. */
  call?: Call;
}

/** What came of bringing a session forward. */
export interface FocusResult {
  /**
   * `focused`: its very pane is in front. `opened`: its window or terminal is, as near as that terminal allows.
   * `uncertain`: it is not certain where it is, or that it is seen; nothing else was brought forward. `failed`: a
   * terminal refused.
   */
  outcome: "focused" | "opened" | "uncertain" | "failed";
  /** What was done, as a sentence. */
  what: string;
  /** Why it is not more. */
  reason?: string;
  offers: readonly Offer[];
}

/**
 * Brings a session's pane forward: the pane in its multiplexer, then the window that shows it. Every terminal is asked
 * first whether the session still is there; when one says no, or none can tell, nothing is brought forward. Nothing is
 * ever typed.
 */
export async function focusSession(session: Whereabouts, machine: Machine): Promise<FocusResult> {
  const place = await findPlace(session, machine);
  if (place.outcome === "uncertain") return uncertain(place.reason, offersOf(place, machine));
  const setting = settingOf(machine);
  const plans: Planned[] = [];
  for (const layer of place.layers) {
    const checked = await check(planOf(layer, setting), machine);
    if (checked.outcome === "gone") return uncertain(`${checked.title} says that it is not there any more.`, []);
    if (checked.outcome === "absent") return unreachable(layer, setting, plans, place, machine);
    plans.push(checked);
  }
  return carryOut(plans, place, machine);
}

type Planned = { outcome: "planned"; plan: FocusPlan; notes: string[] };
type Checked = Planned | { outcome: "gone"; title: string } | { outcome: "absent" };

/** Asks whether the session is there. A terminal that does not answer is brought forward as its plan's other way. */
async function check(plan: FocusPlan | undefined, machine: Machine, notes: string[] = []): Promise<Checked> {
  if (plan === undefined) return { outcome: "absent" };
  if (plan.check === undefined) return { outcome: "planned", plan, notes };
  const asked = await machine.run(plan.check);
  if (asked.outcome === "ended" && asked.code === 0) {
    return plan.check.read(asked.stdout) === "gone"
      ? { outcome: "gone", title: plan.title }
      : { outcome: "planned", plan, notes };
  }
  // A multiplexer that does not answer has no other way: its own steps then tell what is wrong.
  if (plan.otherwise === undefined) return { outcome: "planned", plan, notes: [...notes, failureOf(plan, asked)] };
  return check(plan.otherwise, machine, notes);
}

async function carryOut(
  plans: readonly Planned[],
  place: Extract<Place, { outcome: "found" }>,
  machine: Machine,
): Promise<FocusResult> {
  const targets: string[] = [];
  const notes = plans.flatMap((each) => each.notes);
  let isExact = true;
  let isBehind = false;
  for (const { plan } of plans) {
    const done = await run(plan, machine);
    if (done.outcome === "missing") {
      return uncertain(`${plan.title} says that it is not there any more.`, [], targets);
    }
    if (done.outcome === "failed") {
      return { outcome: "failed", what: sentence("Selected", targets), reason: done.reason, offers: [] };
    }
    targets.push(done.plan.target);
    isExact &&= done.plan.reach === "pane";
    isBehind ||= done.plan.reach === "behind";
    if (done.plan.note !== undefined) notes.push(done.plan.note);
    notes.push(...done.notes);
  }
  if (!place.isConfirmed && place.layers.at(-1)?.kind === "app") {
    // Its terminal may have confirmed that the place exists, not that the session still is there.
    isExact &&= plans.at(-1)?.plan.check !== undefined || plans.at(-1)?.plan.steps.some(hasAnswer) === true;
    notes.push("Its process is not known: that is where its hooks ran.");
  }
  if (place.openEnd !== undefined) {
    return uncertain(place.openEnd.reason, offersOf(place, machine), targets);
  }
  if (isBehind) return uncertain(notes.join(" "), [], targets);
  const reason = notes.length === 0 ? {} : { reason: notes.join(" ") };
  return isExact
    ? { outcome: "focused", what: sentence("Focused", targets), ...reason, offers: [] }
    : { outcome: "opened", what: sentence("Opened", targets), ...reason, offers: [] };
}

function hasAnswer({ answer }: FocusStep): boolean {
  return answer !== undefined;
}

type Ran =
  | { outcome: "done"; plan: FocusPlan; notes: string[] }
  | { outcome: "missing" }
  | { outcome: "failed"; reason: string };

/** Runs the steps of a plan; the first that fails ends it, and its other way is taken, if there is one. */
async function run(plan: FocusPlan, machine: Machine): Promise<Ran> {
  for (const step of plan.steps) {
    const ran = await machine.run(step);
    if (ran.outcome === "ended" && ran.code === 0) {
      const answer = step.answer?.(ran.stdout) ?? "done";
      if (answer === "done") continue;
      if (answer === "missing") return { outcome: "missing" };
      if (plan.otherwise === undefined) return { outcome: "failed", reason: `${plan.title} cannot do that.` };
      return run(plan.otherwise, machine);
    }
    const reason = failureOf(plan, ran);
    if (plan.otherwise === undefined) return { outcome: "failed", reason };
    const other = await run(plan.otherwise, machine);
    return other.outcome === "done" ? { ...other, notes: [...other.notes, reason] } : { outcome: "failed", reason };
  }
  return { outcome: "done", plan, notes: [] };
}

/** Apple's error for a program that the user has not allowed to control another. */
const NOT_ALLOWED = /-1743|not (?:authori[sz]ed|allowed) to send/i;

function failureOf({ title }: FocusPlan, result: RunResult): string {
  switch (result.outcome) {
    case "absent":
      return `The command of ${title} is not installed, or not on the PATH.`;
    case "failed":
      return `${title} did not answer: ${result.reason}.`;
    case "ended": {
      if (NOT_ALLOWED.test(result.stderr)) {
        return `macOS does not allow ${title} to be controlled. Allow it in System Settings, Privacy & Security, Automation.`;
      }
      const said = result.stderr.trim().split("\n")[0] ?? "";
      return said === "" ? `${title} refused.` : `${title} refused: ${said}`;
    }
    default:
      return result satisfies never;
  }
}

/** A terminal that can only be named: what is inside it is selected all the same. */
async function unreachable(
  layer: Layer,
  setting: PlanSetting,
  inner: readonly Planned[],
  place: Extract<Place, { outcome: "found" }>,
  machine: Machine,
): Promise<FocusResult> {
  const title = layer.kind === "app" ? layer.terminal.title : layer.kind;
  const reason =
    setting.platform === "linux" && setting.display !== undefined && !setting.has("xdotool") && !setting.has("wmctrl")
      ? `Its terminal is ${title}. To have windows brought forward, install xdotool or wmctrl.`
      : `Its terminal is ${title}, whose windows no other program can bring forward here.`;
  return carryOut(inner, { ...place, openEnd: { why: "unknown", reason } }, machine);
}

function planOf(layer: Layer, setting: PlanSetting): FocusPlan | undefined {
  switch (layer.kind) {
    case "tmux":
      return planTmux(layer);
    case "zellij":
      return planZellij(layer);
    case "screen":
      return planScreen(layer);
    case "app":
      return planApp(layer, setting);
    default:
      return layer satisfies never;
  }
}

function settingOf(machine: Machine): PlanSetting {
  return {
    platform: machine.platform,
    has: (program) => machine.has(program),
    owns: (socket) => machine.ownsSocket(socket),
    ...(machine.display === undefined ? {} : { display: machine.display }),
  };
}

/** What is certain where the session is not. */
function offersOf(place: Place, machine: Machine): Offer[] {
  if (place.outcome === "found") {
    const inner = place.layers.at(-1);
    if (place.openEnd?.why !== "detached" || inner?.kind !== "tmux") return [];
    const call = attachTmux(inner.pane);
    return [{ kind: "attach", title: "Attach tmux Session", text: commandLine(call.argv), call }];
  }
  const step =
    machine.platform === "darwin" && place.terminal !== undefined
      ? activateApp({ terminal: place.terminal })?.steps[0]
      : undefined;
  if (step === undefined || place.terminal === undefined) return [];
  return [{ kind: "open-app", title: `Open ${place.terminal.title}`, call: { argv: step.argv } }];
}

function uncertain(reason: string, offers: readonly Offer[], targets: readonly string[] = []): FocusResult {
  return { outcome: "uncertain", what: sentence("Selected", targets), reason, offers };
}

function sentence(verb: string, targets: readonly string[]): string {
  return targets.length === 0 ? "Nothing was brought forward." : `${verb} ${targets.join(" in ")}.`;
}
