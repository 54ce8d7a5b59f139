import { cutText } from "../session/text";

/** A folder as a person lists it: the path as it was written, and the label before it, where there is one. */
export interface ListedFolder {
  path: string;
  label?: string;
}

/** An entry of a list that names no folder. */
export interface ListFault {
  /** As it was written. */
  entry: string;
  /** What is wrong with it, as the end of a sentence about it. */
  reason: string;
}

/** A list of folders as it was understood. */
export interface FolderList {
  folders: ListedFolder[];
  faults: ListFault[];
}

/** White space, and a label up to its `=`; a path has a separator before any `=`. */
const LABEL = /\s*(?:([^=/\\,\n"]*)=[^\S\n]*)?/y;

/** A path in double quotes; a quote in it stands twice. */
const QUOTED = /"((?:[^"]|"")*)"/y;

/** The rest of an entry. */
const REST = /[^,\n]*/y;

/**
 * Reads a list of folders: `path` or `Label=path`, separated by commas or lines; blank entries count for nothing. A path
 * that has a comma stands in double quotes: `Work="~/a, b/status"`.
 */
export function parseFolderList(text: string): FolderList {
  const list: FolderList = { folders: [], faults: [] };
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    const [head = "", label] = match(LABEL, text, at);
    at += head.length;
    const isQuoted = text[at] === '"';
    const [quoted = "", inner = ""] = isQuoted ? match(QUOTED, text, at) : [];
    if (isQuoted && quoted === "") {
      list.faults.push({ entry: text.slice(start).trim(), reason: "has a quotation mark that nothing closes" });
      break;
    }
    at += quoted.length;
    const [rest = ""] = match(REST, text, at);
    at += rest.length;
    const entry = text.slice(start, at).trim();
    const path = (isQuoted ? inner.replaceAll('""', '"') : rest).trim();
    if (isQuoted && rest.trim() !== "") list.faults.push({ entry, reason: "goes on after its quotation mark" });
    else if (path !== "") list.folders.push({ path, ...labelOf(label) });
    else if (entry !== "") list.faults.push({ entry, reason: "names no folder" });
  }
  return list;
}

/** A list as text that reads as the same list; one path alone stands as it is, unless it has to be quoted. */
export function folderListText(folders: readonly ListedFolder[]): string {
  return folders
    .map(({ path, label }) => {
      const quoted = /[,\n"]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
      return label === undefined ? quoted : `${label}=${quoted}`;
    })
    .join(",");
}

/** What is wrong with an entry, with the entry: fit for the beginning of a sentence. */
export function faultText({ entry, reason }: ListFault): string {
  return `"${cutText(entry, 80)}" ${reason}`;
}

function match(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

function labelOf(label: string | undefined): Pick<ListedFolder, "label"> {
  const trimmed = label?.trim() ?? "";
  return trimmed === "" ? {} : { label: trimmed };
}
