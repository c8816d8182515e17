/** A duration in at most two units: `350 ms`, `1.2 s`, `3 min 5 s`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ];
  const first = units.findIndex(([, size]) => ms >= size);
  const [large, small] = [units[first], units[first + 1]];
  const rest = small ? Math.floor((ms % (large?.[1] ?? 1)) / small[1]) : 0;
  const head = `${Math.floor(ms / (large?.[1] ?? 1))} ${large?.[0]}`;
  return rest > 0 ? `${head} ${rest} ${small?.[0]}` : head;
}

/** The time from the first start to the last end; empty before the end. */
export function formatSpan({
  startedAt,
  endedAt,
}: {
  startedAt: string | null;
  endedAt: string | null;
}): string {
  return startedAt && endedAt ? formatDuration(Date.parse(endedAt) - Date.parse(startedAt)) : '';
}
