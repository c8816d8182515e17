/** The measurements of one subject at one number of clients. */
export interface Measured {
  /** One duration a run, in milliseconds, in any order. */
  durationsMs: number[];
  /** Wall-clock time of all rounds together, in milliseconds. */
  wallMs: number;
}

export interface Summary {
  runs: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  runsPerS: number;
}

/** By nearest rank, so the quantile is a measured value. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function summarise({ durationsMs, wallMs }: Measured): Summary {
  const at = (share: number) => quantile(durationsMs, share);
  return {
    runs: durationsMs.length,
    p50Ms: round(at(0.5)),
    p95Ms: round(at(0.95)),
    p99Ms: round(at(0.99)),
    runsPerS: wallMs === 0 ? 0 : round((durationsMs.length * 1000) / wallMs),
  };
}

/** Rounds to two decimals by default: a hundredth of a millisecond is less than the difference between two runs. */
export function round(value: number, decimals = 2): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/** A text table. The first column is text and the others are numbers. */
export function table(head: string[], rows: (string | number)[][]): string {
  const texts = [
    head,
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell))),
  ];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
