import type { Json } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';

const excerptCharsMax = 100;
const units: [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** The beginning of a value, on one line. */
export function excerpt(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  return cutText(text, excerptCharsMax, '…');
}

/** A duration in its largest two units, such as `2 d 3 h`, or `0.4 s` below a minute. */
export function span(ms: number): string {
  const first = units.findIndex(([size]) => ms >= size);
  if (first === -1) return `${(ms / 1000).toFixed(1)} s`;
  const [size, name] = units[first] ?? [1, ''];
  const rest = ms % size;
  const [nextSize, nextName] = units[first + 1] ?? [1000, 's'];
  const next = Math.floor(rest / nextSize);
  return `${Math.floor(ms / size)} ${name}${next > 0 ? ` ${next} ${nextName}` : ''}`;
}
