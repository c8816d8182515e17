/** The time of one visit. Times are in milliseconds. */
export interface TimeSpan {
  begin: number;
  /** Null while the visit is not over. */
  end: number | null;
  /** True when the block does no work itself: a wait, a pause, or a container. */
  isIdle: boolean;
}

/** A part of the axis. `from` and `to` are its place on the axis, from 0 to 1. A folded part has a fixed width. */
export interface Stretch {
  begin: number;
  end: number;
  from: number;
  to: number;
  isFolded: boolean;
}

/** The types of blocks that wait or contain other blocks. Their own time is idle. */
export const idleTypes: ReadonlySet<string> = new Set(['human', 'wait', 'loop', 'parallel', 'workflow']);

const shortestFold = 5_000;
/** The width of each fold, as a share of the width of all other parts. */
const foldShare = 0.1;

/** Divides the time of a run into parts. Folds each idle gap that is longer than twice all work and five seconds. */
export function foldTime(spans: TimeSpan[], begin: number, end: number): Stretch[] {
  const busy = merged(spans.filter(({ isIdle }) => !isIdle).map((span) => [span.begin, span.end ?? end]));
  const work = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  // A run without any work has only waits, so none is folded.
  const least = work > 0 ? Math.max(shortestFold, 2 * work) : Infinity;
  const folds = findGaps(busy, begin, end).filter(([from, to]) => to - from > least);
  const cuts = [begin, ...folds.flat(), end];
  const parts = cuts
    .slice(1)
    .map((to, n) => ({ begin: cuts[n] ?? begin, end: to, isFolded: n % 2 === 1 }))
    .filter((part) => part.isFolded || part.end > part.begin);
  return widened(parts, end - begin);
}

function widened(parts: Omit<Stretch, 'from' | 'to'>[], length: number): Stretch[] {
  const open = parts
    .filter(({ isFolded }) => !isFolded)
    .reduce((sum, part) => sum + part.end - part.begin, 0);
  // If every part is folded, the folds share the axis.
  const fold = (open || length || 1) * foldShare;
  const weights = parts.map((part) => (part.isFolded ? fold : part.end - part.begin));
  const all = weights.reduce((sum, one) => sum + one, 0) || 1;
  let at = 0;
  return parts.map((part, n) => {
    const from = at;
    at += (weights[n] ?? 0) / all;
    return { ...part, from, to: at };
  });
}

/** The place of a time on the axis, from 0 to 1. */
export function toPosition(moment: number, stretches: Stretch[]): number {
  const last = stretches.at(-1);
  if (!last) return 0;
  const part = stretches.find(({ end }) => moment <= end) ?? last;
  const length = part.end - part.begin;
  const share = length > 0 ? (moment - part.begin) / length : 0;
  return part.from + Math.min(Math.max(share, 0), 1) * (part.to - part.from);
}

/** The labels below the axis: round distances from the begin of the run, with their places. */
export function buildTicks(stretches: Stretch[]): { at: number; distance: number }[] {
  const begin = stretches[0]?.begin ?? 0;
  return stretches.flatMap((part) => {
    if (part.isFolded) return [];
    const step = chooseStep((part.end - part.begin) / Math.max(1, Math.floor((part.to - part.from) * 5)));
    const first = Math.ceil((part.begin - begin) / step) * step;
    const ticks = [];
    for (let distance = first; begin + distance <= part.end; distance += step)
      ticks.push({ at: toPosition(begin + distance, stretches), distance });
    return ticks;
  });
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5,
  432e5, 864e5,
];

function chooseStep(least: number): number {
  return steps.find((step) => step >= least) ?? Math.ceil(least / 864e5) * 864e5;
}

function merged(parts: [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of parts.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

function findGaps(busy: [number, number][], begin: number, end: number): [number, number][] {
  const edges = [begin, ...busy.flat(), end];
  const gaps: [number, number][] = [];
  for (let n = 0; n < edges.length; n += 2) gaps.push([edges[n] ?? begin, edges[n + 1] ?? end]);
  return gaps.filter(([from, to]) => to > from);
}
