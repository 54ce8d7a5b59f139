/** A figure of a benchmark. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  note?: string;
}

/** The median of several measurements. */
export function median(rounds: number, measure: (round: number) => number): number {
  const values = Array.from({ length: rounds }, (_, round) => measure(round)).sort((one, other) => one - other);
  return values[values.length >> 1] ?? Number.NaN;
}

/** The rows as a table for a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, value, unit, note }) => {
      const figure = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
      return `${name.padEnd(width)}  ${figure.padStart(10)}${note === undefined ? "" : `  (${note})`}\n`;
    })
    .join("");
}
