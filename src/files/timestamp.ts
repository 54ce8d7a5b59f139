/** The years 1 to 9999, in seconds since 1970: what a date in ISO 8601 can say. Milliseconds by mistake lie outside. */
const FIRST = -62_135_596_800;
const LAST = 253_402_300_799;

/** Whether a number of seconds since 1970 is a moment that can be written as a date. */
export function isMoment(seconds: number): boolean {
  return seconds >= FIRST && seconds <= LAST;
}

/** A moment as ISO 8601 in UTC with milliseconds, `2026-05-28T03:45:00.000Z`. */
export function isoOf(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString();
}

/** A moment as Agent Signal writes it, in whole seconds: `2026-05-28T03:45:00Z`. */
export function wholeSecondIsoOf(seconds: number): string {
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,12}))?(?:Z|([+-])(\d{2}):?(\d{2})?)?$/i;

/**
 * The seconds of an ISO 8601 date and time, with or without a fraction and an offset (none means UTC); undefined for
 * anything else, impossible dates included.
 */
export function secondsOfIso(text: string): number | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "0", sign, offsetHour = "0", offsetMinute = "0"] = match;
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const date = new Date(Date.UTC(y, mo - 1, d, h, mi, s));
  date.setUTCFullYear(y);
  const isReal = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60;
  if (!isReal || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60 * (sign === "-" ? -1 : 1);
  return date.getTime() / 1000 + Number(`0.${fraction}`) - offset;
}
