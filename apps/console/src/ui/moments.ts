const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** The distance of a moment from now, in words: "3 min. ago", "in 2 days". */
export function distanceOf(moment: number, now: number): string {
  const distance = moment - now;
  if (Math.abs(distance) < 5_000) return 'just now';
  const [unit, size] = units.find(([, ms]) => Math.abs(distance) >= ms) ?? ['second', 1_000];
  return relative.format(Math.trunc(distance / size), unit);
}

/** A moment in the zone of the reader, to the second and with the name of the zone. */
export const exactly = (moment: string | number): string => exact.format(new Date(moment));

/** A length of time in the two largest units that it has: "820 ms", "4.2 s", "3 min 5 s", "2 d 4 h". */
export function lengthOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
