import type { DrawingPoint } from './graph-layout.ts';

const roundness = 12;

/** An SVG path through the points, with round corners. It stays on the lines between the points; a smoother curve would leave them. */
export function pathThrough(points: DrawingPoint[]): string {
  const distinct = points.filter((point, n) => n === 0 || distance(point, points[n - 1] ?? point) > 0.5);
  const [first, ...rest] = distinct;
  const last = rest.pop();
  if (!first || !last) return '';
  const bends = rest.map((corner, n) => {
    const [before, after] = [rest[n - 1] ?? first, rest[n + 1] ?? last];
    return `L${at(towards(corner, before))}Q${at(corner)} ${at(towards(corner, after))}`;
  });
  return `M${at(first)}${bends.join('')}L${at(last)}`;
}

const at = ({ x, y }: DrawingPoint) => `${x.toFixed(1)},${y.toFixed(1)}`;

const distance = (a: DrawingPoint, b: DrawingPoint) => Math.hypot(a.x - b.x, a.y - b.y);

/** The point where a round corner begins: on the line to the other point, at most half way. */
function towards(corner: DrawingPoint, other: DrawingPoint): DrawingPoint {
  const part = Math.min(0.5, roundness / Math.max(1, distance(corner, other)));
  return { x: corner.x + (other.x - corner.x) * part, y: corner.y + (other.y - corner.y) * part };
}
