import type { Point } from './layout.ts';

/** A soft line through the middles between points, as an SVG path. */
export function pathThrough(points: Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const at = ({ x, y }: Point) => `${x.toFixed(1)},${y.toFixed(1)}`;
  const curves = rest.slice(0, -1).map((point, n) => {
    const next = rest[n + 1] ?? last;
    const end = n === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${curves.length > 0 ? curves.join('') : `L${at(last)}`}`;
}
