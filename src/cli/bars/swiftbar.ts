import type { Snapshot } from "../../observe/snapshot";
import { LOOKS, type Tone } from "../../session/looks";
import type { Section } from "../../session/section";
import type { DisplayState } from "../../session/signal";
import type { State } from "../../session/state";
import { cutText, printable } from "../../session/text";
import { menuContentOf, type MenuContent, type MenuGroup, type MenuRow } from "../../views/menu-content";
import { SECTION_TITLES } from "../../views/section-title";
import type { RunningCommand } from "./running-command";
import { goToVerb } from "./session-text";

/**
 * Whose format to write: xbar ends with an error on a parameter it does not know, and SwiftBar has pictures and
 * tooltips that xbar lacks.
 */
export type MenuBarHost = "swiftbar" | "xbar";

/** How the menu is made. */
export interface SwiftbarStyle {
  host: MenuBarHost;
  /** The number in the bar counts unread answers too. */
  countUnread: boolean;
  /** What the actions call; absent: there are none. */
  command?: RunningCommand;
}

/** The menu of a snapshot as a plugin prints it: the title, `---`, and the lines of the menu. */
export function swiftbarText(snapshot: Snapshot, style: SwiftbarStyle): string {
  return menuText(menuContentOf(snapshot), style);
}

/** The menu when the sessions cannot be read. */
export function swiftbarFailure(reason: string, { host }: Pick<SwiftbarStyle, "host">): string {
  const header = line("", "", host === "xbar" ? "⚠" : "", symbol("questionmark.diamond", "doubt", host), host);
  return `${header}---\n${line("", "", "Sessions Cannot Be Read", {}, host)}${line("", "", cutText(reason, PROBLEM_LIMIT), {}, host)}`;
}

/** Sections that press stand in the menu itself, calm ones in a submenu of their own. */
const CALM: ReadonlySet<Section> = new Set<Section>(["scheduled", "idle", "ended", "unknown"]);

function menuText(menu: MenuContent, style: SwiftbarStyle): string {
  const { host, countUnread } = style;
  const isPaused = menu.displayState === "paused";
  const count = countUnread ? menu.needsYouOrUnread : menu.needsYou;
  const [name, tone, sign] = aggregateLook(menu.displayState);
  const title = [host === "xbar" ? sign : "", count > 0 ? String(count) : ""].filter((part) => part !== "").join(" ");
  const tooltip: Parameters = host === "xbar" ? {} : { tooltip: menu.tooltip };
  const groups = menu.groups.map((group) => groupText(group, style)).join("---\n");
  const footer = [
    menu.groups.length === 0 ? line("", "", "No Sessions", {}, host) : "",
    problemsText(menu.problems, host),
    menu.unread > 0 ? deed("Mark All as Read", "checkmark.circle", ["read", "--all"], style) : "",
    isPaused
      ? deed("Resume Monitoring", "play", ["monitoring", "resume"], style)
      : deed("Pause Monitoring", "pause", ["monitoring", "pause"], style),
    line("", "", "Refresh", { refresh: "true", ...symbol("arrow.clockwise", "calm", host) }, host),
  ];
  return [
    line("", "", title, { ...symbol(name, tone, host), ...tooltip }, host),
    "---\n",
    isPaused ? line("", "", "Monitoring Is Paused", symbol("pause.circle", "planned", host), host) : "",
    groups === "" ? "" : `${groups}---\n`,
    ...footer,
  ].join("");
}

function groupText({ section, count, rows }: MenuGroup, style: SwiftbarStyle): string {
  const isCalm = CALM.has(section);
  const depth = isCalm ? "--" : "";
  const more = count - rows.length;
  return [
    line("", "", `${SECTION_TITLES[section]} (${count})`, {}, style.host),
    ...rows.map((row) => rowText(row, depth, style)),
    more > 0 ? line(depth, "", `${more} More…`, {}, style.host) : "",
  ].join("");
}

/** A session: goes to it, or takes it up again when it has ended; with the option key held it marks its answer as read, or else asks it to pause. */
function rowText(row: MenuRow, depth: string, style: SwiftbarStyle): string {
  const { host } = style;
  const [name, sign] = SYMBOLS[row.state];
  const tone: Tone = row.unread && !row.needsYou ? "answer" : LOOKS[row.state].tone;
  const title = row.subtitle === "" ? row.title : `${row.title} – ${row.subtitle}`;
  const looks = { ...symbol(name, tone, host), ...(host === "xbar" ? {} : { tooltip: row.tooltip }) };
  const mark = host === "xbar" ? `${sign} ` : "";
  const other = alternateOf(row);
  // xbar takes an alternate in a submenu for a row of its own.
  const alternate = other === undefined || (host === "xbar" && depth !== "") ? {} : actionOf(other.argv, style);
  return [
    line(depth, mark, title, { ...looks, ...actionOf([goToVerb(row), "--", row.id], style) }, host),
    other === undefined || !("bash" in alternate)
      ? ""
      : line(depth, mark, `${other.title}: ${title}`, { ...looks, ...alternate, alternate: "true" }, host),
  ].join("");
}

function alternateOf({ id, unread, state }: MenuRow): { title: string; argv: string[] } | undefined {
  if (unread) return { title: "Mark as Read", argv: ["read", "--", id] };
  return state === "dormant" ? undefined : { title: "Pause", argv: ["pause", "--", id] };
}

/** A menu is as wide as its longest line. */
const PROBLEM_LIMIT = 100;

function problemsText({ count, text }: MenuContent["problems"], host: MenuBarHost): string {
  if (count === 0) return "";
  const title = count === 1 ? "1 Problem" : `${count} Problems`;
  const tooltip: Parameters = host === "xbar" ? {} : { tooltip: text };
  return (
    line("", "", title, symbol("exclamationmark.triangle", "doubt", host), host) +
    line("--", "", cutText(text, PROBLEM_LIMIT), tooltip, host)
  );
}

function deed(title: string, name: string, argv: string[], style: SwiftbarStyle): string {
  const action = actionOf(argv, style);
  return "bash" in action ? line("", "", title, { ...action, ...symbol(name, "calm", style.host) }, style.host) : "";
}

/** A value that needs no quotes. */
const BARE = /^[A-Za-z0-9_./:@%+,=#-]+$/;

type Parameters = Readonly<Record<string, string>>;

/** What SwiftBar's shell takes as it is, wherever it stands in a word. */
const INERT = /^[A-Za-z0-9_./:@%+,=-]+$/;

/**
 * The parameters of an action, or none when the command line cannot be given safely. xbar passes a list of arguments;
 * SwiftBar joins them to a line for a shell, unquoted: so whatever a shell would not take as it is has no action, but
 * for the command's own path, which is quoted.
 */
function actionOf(argv: readonly string[], { host, command }: SwiftbarStyle): Parameters {
  if (command === undefined || !argv.every((word) => INERT.test(word))) return {};
  const [program, ...own] = command;
  const quoted = own.map((word) => (host === "xbar" || INERT.test(word) ? word : `'${word}'`));
  // SwiftBar itself quotes a program whose path has a space in it.
  const isSafe = INERT.test(program.replaceAll(" ", "")) && own.every((word) => INERT.test(word.replaceAll(" ", "")));
  if (!isSafe) return {};
  const words = [...quoted, ...argv].map((word, index): [string, string] => [`param${index + 1}`, word]);
  return { bash: program, ...Object.fromEntries(words), terminal: "false", refresh: "true" };
}

/** A line of the menu. The title cannot begin a submenu, a separator or parameters, nor become a picture or a break. */
function line(depth: string, mark: string, title: string, parameters: Parameters, host: MenuBarHost): string {
  const plain = mark + escapeTitle(title);
  const all = { ...parameters, ...(host === "xbar" ? XBAR_PLAIN : SWIFTBAR_PLAIN) };
  const written = Object.entries(all).map(([name, value]) => `${name}=${escapeValue(value)}`);
  return `${depth}${plain} | ${written.join(" ")}\n`;
}

/** No emoji or symbols for `:names:` in a title; xbar reads backslash escapes too unless told not to. */
const SWIFTBAR_PLAIN: Parameters = { emojize: "false", symbolize: "false" };
const XBAR_PLAIN: Parameters = { emojize: "false", ansi: "false" };

/** A title that is nothing but a title. */
export function escapeTitle(text: string): string {
  return printable(text).trim().replaceAll("|", "│").replaceAll("\\", "⧵").replace(/^-/, "‐");
}

/** A value as it is, or in quotes: neither host can have that quote in there. */
function escapeValue(value: string): string {
  if (BARE.test(value)) return value;
  return `"${printable(value).replaceAll('"', "”").replaceAll("\\", "⧵").replaceAll("|", "│")}"`;
}

/** Light and dark, by tone: the system's colors of those names. */
const COLORS: Readonly<Record<Tone, string | undefined>> = {
  urgent: "#D70015,#FF453A",
  answer: "#248A3D,#30D158",
  active: "#0040DD,#0A84FF",
  planned: "#8944AB,#BF5AF2",
  calm: undefined,
  doubt: "#B25000,#FFD60A",
};

function symbol(name: string, tone: Tone, host: MenuBarHost): Parameters {
  if (host === "xbar") return {};
  const color = COLORS[tone];
  return { sfimage: name, ...(color === undefined ? {} : { sfcolor: color }) };
}

/** The picture of each state among the system's symbols, and its sign where there are no pictures. */
const SYMBOLS: Readonly<Record<State, readonly [name: string, sign: string]>> = {
  decision: ["questionmark.circle.fill", LOOKS.decision.sign],
  waiting: ["exclamationmark.circle.fill", LOOKS.waiting.sign],
  failed: ["xmark.circle.fill", LOOKS.failed.sign],
  done: ["checkmark.circle.fill", LOOKS.done.sign],
  working: ["play.circle", LOOKS.working.sign],
  compacting: ["arrow.down.right.and.arrow.up.left", LOOKS.compacting.sign],
  waitingForSubagents: ["arrow.branch", LOOKS.waitingForSubagents.sign],
  scheduled: ["clock", LOOKS.scheduled.sign],
  idle: ["circle", LOOKS.idle.sign],
  // A hyphen in front would begin a submenu.
  dormant: ["moon.zzz", "–"],
  unknown: ["questionmark.diamond", LOOKS.unknown.sign],
};

function aggregateLook(display: DisplayState): readonly [name: string, tone: Tone, sign: string] {
  const of = (state: State): readonly [string, Tone, string] => [
    SYMBOLS[state][0],
    LOOKS[state].tone,
    SYMBOLS[state][1],
  ];
  switch (display) {
    case "paused":
      return ["pause.circle", "calm", "paused"];
    case "blocked":
      return of("failed");
    case "permission":
    case "needs_review":
      return of("waiting");
    case "stale":
      return of("unknown");
    case "active":
      return of("working");
    case "completed":
      return of("done");
    case "ready":
      return of("idle");
    default:
      return display satisfies never;
  }
}
