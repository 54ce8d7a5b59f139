/** Tokens as they are shown: 950, 12k, 1.3M. */
export function tokenCount(tokens: number): string {
  if (tokens >= 999_500) return `${(tokens / 1e6).toFixed(1)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens)}`;
}

/** A span as it is shown: minutes up to two hours, hours up to two days, then days. */
export type Span = { unit: "minutes" | "hours" | "days"; count: number };

/** @param ms how long, in milliseconds; less than nothing counts as nothing */
export function spanOf(ms: number): Span {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 120) return { unit: "minutes", count: minutes };
  const hours = Math.round(minutes / 60);
  return hours < 48 ? { unit: "hours", count: hours } : { unit: "days", count: Math.round(hours / 24) };
}

/** Hours and minutes on the user's clock. */
export function clockTime(ms: number, locale: string): string {
  const date = new Date(ms);
  try {
    return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(date);
  } catch {
    return `${date.toISOString().slice(11, 16)} UTC`;
  }
}
