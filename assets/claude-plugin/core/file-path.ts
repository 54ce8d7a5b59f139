/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

/** Whether two paths are spelled for the same file; separators may differ. */
export function isSamePath(one: string, other: string): boolean {
  return one.replace(/\\/g, "/") === other.replace(/\\/g, "/");
}

/** Whether a shell command names a file as a word of its own: `my_notes.md` does not name `notes.md`. */
export function namesFile(command: string, file: string): boolean {
  const name = baseName(file).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return name !== "" && new RegExp(`(^|[\\s/\\\\'"=(<>:,\`])${name}(?=$|[\\s'");|&<>,\`])`).test(command);
}

/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A session's id as the name of its folder in our home (docs/control.md); undefined where it can be none. */
export function nameOfId(id: string): string | undefined {
  const isDevice = DEVICE.test(id);
  const name = Array.from(new TextEncoder().encode(id), (byte, index) => {
    const letter = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._-]/.test(letter) && !(index === 0 && (letter === "." || isDevice));
    return isPlain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
  return name === "" || name.length > 200 ? undefined : name;
}

/** Whether a path is absolute, of whatever system. */
export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

/**
 * Our home: the folder that the environment names, read as everywhere (blanks around it do not count, `~` is the user's
 * folder, and a relative path starts there), else `.agent-sessions` of the user.
 *
 * @param asked `AGENT_SESSIONS_HOME`
 * @param user the user's folder
 */
export function homeOf(asked: string | undefined, user: string): string {
  const path = (asked ?? "").trim();
  if (path === "") return `${user}/.agent-sessions`;
  if (isAbsolute(path)) return path.replace(/(?<=.)[\\/]+$/, "");
  if (path === "~") return user;
  return `${user}/${path.replace(/^~[\\/]/, "")}`;
}

/** The folder of a project's transcripts and memory, as Claude Code names it; it cuts longer ones and adds a digest. */
export function projectFolderName(root: string): string | undefined {
  return root.length > 200 ? undefined : root.replace(/[^A-Za-z0-9]/g, "-");
}
