import { parseTtl } from "../session/cache";
import { cutText, printable } from "../session/text";
import { faultText, parseFolderList } from "../store/folder-list";
import { fullPathOf } from "../store/places";
import type { Standing } from "../store/standing";

/** The preferences of which a value can be wrong, with the titles by which the user finds them. */
export const PREFERENCE_TITLES = {
  statusDirectory: "Status Directories",
  signalStateFile: "Agent Signal State File",
  homeDirectory: "Agent Sessions Folder",
  claudeDirectories: "Claude Config Folders",
  cacheTtl: "Prompt Cache",
  commandPath: "Command Path",
  terminal: "Terminal",
  countUnread: "Menu Bar Count",
} as const;

export type PreferenceName = keyof typeof PREFERENCE_TITLES;

/** The values as they are set; one that is not is empty. */
export type PreferenceValues = Readonly<Record<PreferenceName, string>>;

/** The choices of each dropdown, as the manifest has them. */
export const CHOICES = {
  cacheTtl: ["auto", "5m", "1h"],
  terminal: [
    ...["auto", "apple-terminal", "iterm2", "ghostty", "kitty", "wezterm", "alacritty", "warp", "windows-terminal"],
    ...["gnome-terminal", "konsole", "xfce4-terminal", "mate-terminal", "foot", "urxvt", "xterm", "tmux"],
  ],
  countUnread: ["needs-you", "needs-you-and-unread", "nothing"],
} as const satisfies Partial<Record<PreferenceName, readonly string[]>>;

/** A value that cannot be what the user means. */
export interface PreferenceProblem {
  preference: PreferenceName;
  title: string;
  /** What is wrong with which value, and what to do, in whole sentences. */
  reason: string;
  /**
   * What would not be honest while it stands: `reading`, since the sessions that show would not be all that the user
   * means; `acting` on them; or `nothing`.
   */
  stops: "reading" | "acting" | "nothing";
}

/** What is asked of the machine about a value. */
export interface PreferenceSurroundings {
  /** The user's own folder, absolute. */
  user: string;
  standingAt: (path: string) => Standing;
  /** Why the program at an absolute path cannot be run, as the end of a sentence; undefined when it can. */
  commandFault: (path: string) => string | undefined;
}

/** A launcher has no folder that such a path could start from. */
const RELATIVE = "is a relative path: write it in full, or from ~ on";

/** Judges what the user set: every value that is wrong, in the order of the preferences. Empty ones never are. */
export function preferenceProblems(
  values: PreferenceValues,
  surroundings: PreferenceSurroundings,
): readonly PreferenceProblem[] {
  const { user, standingAt, commandFault } = surroundings;
  const full = (path: string, judge: (full: string) => string | undefined) => {
    const found = fullPathOf(path, user);
    return found === undefined ? `${quoted(path)} ${RELATIVE}` : judge(found);
  };
  const folder = (path: string) => full(path, (found) => folderFault(found, standingAt(found)));
  const statusFaults = listFaults(values.statusDirectory, folder);
  const claudeFaults = listFaults(values.claudeDirectories, folder);
  const missing = parseFolderList(values.claudeDirectories).folders.flatMap(({ path }) => {
    const found = fullPathOf(path, user);
    return found !== undefined && standingAt(found) === "missing" ? [`${shown(found)} does not exist`] : [];
  });
  return [
    ...wrong("statusDirectory", "reading", statusFaults),
    ...wrong("signalStateFile", "reading", [
      one(values.signalStateFile, (path) => full(path, (found) => stateFileFault(found, standingAt(found)))),
    ]),
    ...wrong("homeDirectory", "reading", [one(values.homeDirectory, folder)]),
    ...wrong("claudeDirectories", "reading", claudeFaults),
    ...wrong("claudeDirectories", "nothing", missing),
    ...(parseTtl(values.cacheTtl) === undefined ? noChoice("cacheTtl", "acting", values.cacheTtl) : []),
    ...wrong("commandPath", "acting", [
      one(values.commandPath, (path) =>
        full(path, (found) => {
          const fault = commandFault(found);
          return fault === undefined ? undefined : `${shown(found)} ${fault}`;
        }),
      ),
    ]),
    ...noChoice("terminal", "acting", values.terminal),
    ...noChoice("countUnread", "nothing", values.countUnread),
  ];
}

function wrong(
  preference: PreferenceName,
  stops: PreferenceProblem["stops"],
  faults: readonly (string | undefined)[],
): PreferenceProblem[] {
  const found = faults.filter((each) => each !== undefined);
  if (found.length === 0) return [];
  const title = PREFERENCE_TITLES[preference];
  const next = `Correct ${title} in the extension's preferences, or leave it empty.`;
  return [{ preference, title, stops, reason: `${found.join("; ")}. ${next}` }];
}

/** A value that a dropdown does not have: somebody wrote it by hand, or another version kept it. */
function noChoice(
  preference: keyof typeof CHOICES,
  stops: PreferenceProblem["stops"],
  value: string,
): PreferenceProblem[] {
  const choices: readonly string[] = CHOICES[preference];
  if (value.trim() === "" || choices.includes(value)) return [];
  const title = PREFERENCE_TITLES[preference];
  const reason = `${title} is set to ${quoted(value)}, which is none of its choices. Choose one in the extension's preferences.`;
  return [{ preference, title, stops, reason }];
}

function one(value: string, judge: (value: string) => string | undefined): string | undefined {
  return value.trim() === "" ? undefined : judge(value.trim());
}

function listFaults(list: string, judge: (path: string) => string | undefined): string[] {
  const { folders, faults } = parseFolderList(list);
  const found = faults.map((fault) => printable(faultText(fault)));
  for (const { path } of folders) {
    const fault = judge(path);
    if (fault === undefined) continue;
    const mayBeCut = folders.length > 1 && fault.endsWith(RELATIVE);
    found.push(mayBeCut ? `${fault} (a path with a comma goes in double quotes)` : fault);
  }
  return found;
}

function folderFault(path: string, standing: Standing): string | undefined {
  switch (standing) {
    case "file":
      return `${shown(path)} is a file, not a folder`;
    case "under-file":
      return `${shown(path)} lies under a file`;
    case "folder":
    case "missing":
    case "unknown":
      return undefined;
    default:
      return standing satisfies never;
  }
}

function stateFileFault(path: string, standing: Standing): string | undefined {
  switch (standing) {
    case "folder":
      return `${shown(path)} is a folder, not a file: name the file in it`;
    case "under-file":
      return `${shown(path)} lies under a file`;
    case "file":
    case "missing":
    case "unknown":
      return undefined;
    default:
      return standing satisfies never;
  }
}

function shown(path: string): string {
  return printable(cutText(path, 200));
}

function quoted(value: string): string {
  return `"${printable(cutText(value, 80))}"`;
}
