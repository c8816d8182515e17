/** What was measured of one subject at one number of clients. */
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

/** Percentiles by nearest rank: each is a duration that really occurred. */
export function summarise({ durationsMs, wallMs }: Measured): Summary {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return {
    runs: sorted.length,
    p50Ms: round(at(0.5)),
    p95Ms: round(at(0.95)),
    p99Ms: round(at(0.99)),
    runsPerS: wallMs === 0 ? 0 : round((sorted.length * 1000) / wallMs),
  };
}

/** Two decimals: a hundredth of a millisecond is below what a repetition changes. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Lines of a table whose first column is text and whose others are numbers. */
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
