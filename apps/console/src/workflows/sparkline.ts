const [least, most] = [4, 20];

/**
 * The heights of bars for durations. The square root keeps short bars apart beside a long bar. A running execution is
 * as high as the longest.
 */
export function barsOf(durations: (number | null)[]): number[] {
  const longest = Math.sqrt(Math.max(1, ...durations.map((one) => one ?? 0)));
  return durations.map((one) =>
    one === null ? most : Math.round(least + (Math.sqrt(Math.max(0, one)) / longest) * (most - least)),
  );
}
