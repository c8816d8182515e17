import { foldTime, idleTypes, toPosition, type Stretch, buildTicks } from '#libs/platform/drawing/time-axis';
import type { LogBlockView } from '../executions/block-log.dto.ts';
import { markup, type Html } from '../http/html.ts';
import { cut } from './graph.svg.ts';
import { formatDuration } from './spans.ts';

const [names, track, after] = [190, 620, 150];
const [head, row] = [26, 24];
const nameMax = 26;

interface Bar {
  visit: LogBlockView;
  begin: number;
  end: number | null;
  isIdle: boolean;
}

/** The picture, and the length of each gap that it folds. */
export interface Bars {
  svg: Html;
  folds: string[];
}

/**
 * The visits as bars over a time axis. Long idle gaps are folded. Skipped visits have no bar, because they took no
 * time.
 */
export function barsSvg(visits: LogBlockView[], beginMs: number, endMs: number): Bars | null {
  const bars = visits
    .filter(({ status }) => status !== 'skipped')
    .map((visit) => ({
      visit,
      begin: Date.parse(visit.startedAt),
      end: visit.endedAt === null ? null : Date.parse(visit.endedAt),
      isIdle: idleTypes.has(visit.type),
    }));
  if (bars.length === 0) return null;
  const axis = foldTime(bars, Math.min(beginMs, ...bars.map(({ begin }) => begin)), endMs);
  const [width, height] = [names + track + after, head + row * bars.length];
  const folds = axis.filter(({ isFolded }) => isFolded);
  const svg = markup`<svg class="graph bars" role="img" aria-label="When each block ran" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${folds.map((fold) => drawFold(fold, height))}${ticks(axis, height)}${bars.map((bar, n) => drawBar(bar, head + n * row, axis))}</svg>`;
  return { svg, folds: folds.map(({ begin, end }) => formatDuration(end - begin)) };
}

const toX = (share: number): number => Math.round((names + share * track) * 10) / 10;

function drawFold({ from, to }: Stretch, height: number): Html {
  return markup`<rect class="fold" x="${toX(from)}" y="${head}" width="${toX(to) - toX(from)}" height="${height - head}"/>`;
}

function ticks(axis: Stretch[], height: number): Html[] {
  return buildTicks(axis)
    .filter(({ at }) => at < 0.97)
    .map(
      ({ at, distance }) =>
        markup`<path class="tick" d="M${toX(at)} 4V${height}"/><text class="state-of" x="${toX(at) + 4}" y="16">${distance === 0 ? '0' : formatDuration(distance)}</text>`,
    );
}

function drawBar({ visit, begin, end, isIdle }: Bar, y: number, axis: Stretch[]): Html {
  const from = toX(toPosition(begin, axis));
  const to = Math.max(from + 4, toX(toPosition(end ?? Infinity, axis)));
  const { path, status, attempts } = visit;
  const took = end === null ? '…' : formatDuration(end - begin);
  const tries = attempts > 1 ? ` · ${attempts} attempts` : '';
  return markup`<g><title>${path}: ${status}, ${took}${tries}</title><text x="0" y="${y + 16}">${cut(path, nameMax)}</text><rect class="bar ${status}${isIdle && ' idle'}" x="${from}" y="${y + 4}" width="${Math.round((to - from) * 10) / 10}" height="${row - 9}" rx="3"/><text class="state-of" x="${to + 6}" y="${y + 16}">${took}${tries}</text></g>`;
}
