/**
 * Whether a value is nested deeper than so many levels. What goes down a value by calling itself ends somewhere in the
 * thousands; nothing that a file of ours or of an agent holds goes down that far.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
