import { describeProblem } from "../../files/problem";
import type { Snapshot } from "../../observe/snapshot";
import { LOOKS } from "../../session/looks";
import type { Session } from "../../session/session";
import { cutText } from "../../session/text";
import { ageText } from "../../views/time-text";
import { doingText, goToVerb, plainLine, stateText } from "./session-text";

/** What Alfred reads from a Script Filter (its help, Script Filter JSON Format); only the keys that we give. */
export interface AlfredAnswer {
  /** Seconds until Alfred asks again while it shows the answer, 0.1 to 5. */
  rerun: number;
  /** Keep our order, and the row that is selected, whatever was chosen before. */
  skipknowledge: true;
  items: AlfredItem[];
}

/** A row of Alfred. Its argument list goes to the command as it is: nothing of it is a shell's. */
export interface AlfredItem {
  uid?: string;
  title: string;
  subtitle: string;
  arg?: string[];
  icon: { path: string };
  valid: boolean;
  /** What typing is compared with. */
  match: string;
  autocomplete?: string;
  mods?: Record<"cmd" | "alt", AlfredMod>;
  /** For ⌘C and ⌘L. */
  text?: { copy: string; largetype: string };
  /** What Alfred's own actions on a row are about. */
  action?: { text: string; file?: string };
}

/** What a row does while a key is held. */
export interface AlfredMod {
  valid: boolean;
  subtitle: string;
  arg?: string[];
}

/** Seconds between two looks while Alfred shows the list. */
const RERUN = 5;

const TITLE_LIMIT = 100;
const SUBTITLE_LIMIT = 200;

/** What Alfred shows of a snapshot: every session in the order of a list, then what there is to do for all of them. */
export function alfredAnswer(snapshot: Snapshot, { needsMe }: { needsMe: boolean }): AlfredAnswer {
  const { sessions, problems, aggregate, at } = snapshot;
  const chosen = needsMe ? sessions.filter((session) => session.needsYou) : sessions;
  const rows = chosen.map((session) => sessionItem(session, at));
  const rest: AlfredItem[] = [];
  if (problems.length > 0) {
    const count = new Set(problems.map(({ file }) => file)).size;
    rest.push(message(count === 1 ? "1 Problem" : `${count} Problems`, problems.map(describeProblem).join("; ")));
  }
  if (!needsMe && aggregate.unread > 0) {
    const subtitle = aggregate.unread === 1 ? "1 unread answer" : `${aggregate.unread} unread answers`;
    rest.push(deed("Mark All as Read", subtitle, "state-done", ["read", "--all"]));
  }
  if (!needsMe) rest.push(monitoringItem(aggregate.displayState === "paused"));
  return answer([...(rows.length > 0 ? rows : [emptyItem(snapshot, needsMe)]), ...rest]);
}

/** What Alfred shows when the sessions cannot be read. */
export function alfredFailure(reason: string): AlfredAnswer {
  return answer([message("Sessions Cannot Be Read", reason)]);
}

function answer(items: AlfredItem[]): AlfredAnswer {
  return { rerun: RERUN, skipknowledge: true, items };
}

function sessionItem(session: Session, now: number): AlfredItem {
  const { id, state, unread, agent, surface, project, cwd } = session;
  const title = cutText(plainLine(session.title), TITLE_LIMIT) || plainLine(id);
  const where = project === session.title ? undefined : project;
  const parts = [stateText(session), where, surface ?? agent, doingText(session), ageText(session.since, now)];
  const about = parts.flatMap((part) => (part === undefined || part === "" ? [] : [plainLine(part)]));
  return {
    uid: id,
    title,
    subtitle: cutText(about.join(" · "), SUBTITLE_LIMIT),
    arg: [goToVerb(session), "--", id],
    icon: iconOf(LOOKS[unread && LOOKS[state].tone === "calm" ? "done" : state].icon),
    valid: true,
    match: plainLine([session.title, project, agent, surface, LOOKS[state].word, id].join(" ")),
    autocomplete: title,
    mods: {
      cmd: unread
        ? { valid: true, subtitle: "Mark as Read", arg: ["read", "--", id] }
        : { valid: false, subtitle: "No unread answer" },
      alt:
        state === "dormant"
          ? { valid: false, subtitle: "The session has ended" }
          : { valid: true, subtitle: "Pause: save where it stands", arg: ["pause", "--", id] },
    },
    text: { copy: plainLine(id), largetype: [title, ...about].join("\n") },
    action: { text: title, ...(cwd === undefined || cwd !== plainLine(cwd) ? {} : { file: cwd }) },
  };
}

function emptyItem({ sessions, found }: Snapshot, needsMe: boolean): AlfredItem {
  if (needsMe && sessions.length > 0) return message("No Session Needs You", "", "state-idle");
  const reports = Object.values(found).includes(true);
  return message(
    "No Sessions",
    reports
      ? "They appear as soon as an agent reports one."
      : "No agent reports here yet: run agent-sessions setup in a terminal.",
    "state-idle",
  );
}

function monitoringItem(paused: boolean): AlfredItem {
  return paused
    ? deed("Resume Monitoring", "Monitoring is paused", "state-working", ["monitoring", "resume"])
    : deed("Pause Monitoring", "Until you resume it", "state-paused", ["monitoring", "pause"]);
}

function deed(title: string, subtitle: string, icon: string, arg: string[]): AlfredItem {
  return { uid: title, title, subtitle, arg, icon: iconOf(icon), valid: true, match: title };
}

function message(title: string, subtitle: string, icon = "state-unknown"): AlfredItem {
  const line = cutText(plainLine(subtitle), SUBTITLE_LIMIT);
  return { title, subtitle: line, icon: iconOf(icon), valid: false, match: title };
}

/** An icon of the workflow's own folder, in which Alfred runs its scripts. */
function iconOf(name: string): { path: string } {
  return { path: `icons/${name}.png` };
}
