/** The languages of the plugin's texts. */
export type Language = "en" | "de";

/** The language of a locale's variables, the one that counts most first (LC_ALL, LC_MESSAGES, LANG; POSIX). */
export function languageOf(...locales: readonly (string | undefined)[]): Language {
  const locale = locales.find((name) => name !== undefined && name !== "") ?? "";
  return /^(?:de(?![a-z])|german|deutsch)/i.test(locale) ? "de" : "en";
}
