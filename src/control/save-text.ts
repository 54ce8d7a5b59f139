import type { Environment } from "../store/places";
import type { MemoryTarget } from "./memory-file";

/** The languages in which a session is asked to save. */
export type TextLanguage = "en" | "de";

/** What is known for the request. */
export interface SaveTextFacts {
  language: TextLanguage;
  /** Where the session saves; absent: it knows better than we do. */
  target?: MemoryTarget;
  /** Whether it is in the middle of something. */
  isBusy: boolean;
}

/** German where the locale says so (POSIX: `LC_ALL`, then `LC_MESSAGES`, then `LANG`; blank counts as unset). */
export function textLanguageOf({ LC_ALL, LC_MESSAGES, LANG }: Environment): TextLanguage {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value.trim() !== "");
  return /^(?:de(?![a-z])|german|deutsch)/i.test(locale?.trim() ?? "") ? "de" : "en";
}

/**
 * How a session without the plugin is asked to save: where to, briefly, and what to do afterwards. One line, so that it
 * can be typed; it tells nothing that a session could take for another's order.
 */
export function saveText({ language, target, isBusy }: SaveTextFacts): string {
  switch (language) {
    case "en":
      return english(target, isBusy);
    case "de":
      return german(target, isBusy);
    default:
      return language satisfies never;
  }
}

function english(target: MemoryTarget | undefined, isBusy: boolean): string {
  const where =
    target === undefined
      ? "into the memory file responsible for this work"
      : `into ${target.file}, the file that "${target.phrase}" reads in`;
  const after = isBusy
    ? "You were in the middle of something: once it is saved, go on with that if anything is left to do."
    : "You were waiting for the user: once it is saved, do nothing more.";
  return (
    `Pause: please write now where you stand ${where}: what is done, what is open, and the next step. ` +
    `Keep it short, only what is new. Ask nothing back. ${after}`
  );
}

function german(target: MemoryTarget | undefined, isBusy: boolean): string {
  const where =
    target === undefined
      ? "in die Memory-Datei, die für diese Arbeit zuständig ist"
      : `in ${target.file}, die Datei, die „${target.phrase}“ einliest`;
  const after = isBusy
    ? "Du warst mitten in einer Arbeit: Mach nach dem Sichern dort weiter, falls noch etwas offen ist."
    : "Du hast auf den Nutzer gewartet: Tu nach dem Sichern nichts weiter.";
  return (
    `Pause: Bitte schreib jetzt den aktuellen Stand ${where}: was erledigt ist, was offen ist und der nächste Schritt. ` +
    `Kurz, nur das Neue. Frag nichts nach. ${after}`
  );
}
