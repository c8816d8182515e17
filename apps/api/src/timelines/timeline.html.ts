import type { LogBlockView } from '../executions/block-log.dto.ts';
import { parseLink, anchor } from '../http/anchor.ts';
import { markup, page, type Html } from '../http/html.ts';
import { formatMoment } from '../pauses/display.html.ts';
import { type Bars, barsSvg } from './bars.svg.ts';
import { formatCounts, graphSvg } from './graph.svg.ts';
import { formatDuration, formatSpan } from './spans.ts';
import type { TimelineView } from './timeline.dto.ts';

interface PageLinks {
  /** The URL of the next page of visits. */
  next: string | null;
  isFirst: boolean;
  /** The execution in the console, where a signed-in person reads inputs and outputs. */
  consoleUrl: string;
}

/** The page of a timeline: the state of the execution, its graph, and one page of its visits. */
export function timelinePage(view: TimelineView, place: PageLinks): string {
  const { workflowName, status, pausePoints, graph, countsAll } = view;
  const drawing = graphSvg(graph);
  const bars = buildBars(view, place);
  const body = markup`${renderFacts(view)}
<p>${anchor(new URL(place.consoleUrl), 'Inputs and outputs by block, in the console')}</p>
${pausePoints.length > 0 && renderPauses(view)}
<h2 id="graph">Blocks</h2>
${!countsAll && markup`<p class="hint">This run is long: its first 20,000 visits are counted here.</p>`}
${
  drawing
    ? markup`<div class="wide whole" role="region" aria-labelledby="graph" tabindex="0">${drawing}</div>`
    : markup`<p class="hint">This graph is too large to be drawn here. The console draws it, and the table below has each block.</p>`
}
${bars !== null && barsPart(bars, place)}
<h2 id="sums">What each block did</h2>
<div class="wide" role="region" aria-labelledby="sums" tabindex="0">${renderSums(view)}</div>
<h2 id="visits">Visits${!place.isFirst && ', continued'}</h2>
<div class="wide" role="region" aria-labelledby="visits" tabindex="0">${renderVisits(view)}</div>
${place.next !== null && markup`<p><a href="${place.next}">Later visits</a></p>`}`;
  return page(workflowName, body, {
    prefix: `${status}: `,
    foot: 'Anyone with this link can see this page for a day. Please do not pass it on.',
  });
}

function renderFacts({
  executionId,
  version,
  status,
  startedAt,
  completedAt,
  failure,
  temporalUrl,
}: TimelineView): Html {
  const url = temporalUrl === null ? undefined : parseLink(temporalUrl);
  const facts: [string, Html | string | false][] = [
    ['State', status],
    ['Failure', failure !== null && `${failure.code}: ${failure.message}`],
    ['Execution', markup`<code>${executionId}</code>`],
    ['Version', String(version)],
    ['Started', startedAt !== null && formatMoment(Date.parse(startedAt))],
    ['Took', formatSpan({ startedAt, endedAt: completedAt })],
    ['Temporal', url !== undefined && anchor(url, 'The run in the Temporal UI')],
  ];
  const visible = facts.filter(([, value]) => value !== false && value !== '');
  return markup`<dl>${visible.map(([label, value]) => markup`<div class="pair"><dt>${label}</dt><dd dir="auto">${value}</dd></div>`)}</dl>`;
}

function renderPauses({ pausePoints }: TimelineView): Html {
  const items = pausePoints.map(({ title, uiUrl }) => {
    const url = uiUrl === null ? undefined : parseLink(uiUrl);
    return markup`<li dir="auto">${url ? anchor(url, title) : title}</li>`;
  });
  return markup`<section class="state" aria-labelledby="pauses"><h2 id="pauses">Waits for people</h2><ul>${items}</ul></section>`;
}

function renderSums({ graph: { blocks } }: TimelineView): Html {
  const rows = blocks
    .filter(({ visits }) => visits > 0)
    .map(
      ({ id, name, type, status, visits, states, ...times }) =>
        markup`<tr id="block-${id}" tabindex="-1"><th scope="row" dir="auto">${name}</th><td>${type}</td><td>${visits > 1 ? formatCounts({ states }) : status}</td><td class="num">${visits}</td><td class="num">${formatSpan(times)}</td></tr>`,
    );
  return markup`<table><thead><tr><th scope="col">Block</th><th scope="col">Type</th><th scope="col">State</th><th scope="col">Visits</th><th scope="col">From first to last</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function barsPart({ svg, folds }: Bars, { isFirst }: PageLinks): Html {
  return markup`<h2 id="bars">Timeline${!isFirst && ', continued'}</h2>
<div class="wide" role="region" aria-labelledby="bars" tabindex="0">${svg}</div>
${folds.map((length) => markup`<p class="hint">⋯ The axis folds ${length} in which nothing worked.</p>`)}`;
}

/** The bars of this page's visits. The first page begins with the run. */
function buildBars(
  { visits, startedAt, completedAt }: TimelineView,
  { isFirst, next }: PageLinks,
): Bars | null {
  const [first, last] = [visits[0], visits.at(-1)];
  if (!first || !last) return null;
  const ends = visits.map(({ endedAt }) => (endedAt === null ? Date.now() : Date.parse(endedAt)));
  const endMs = next === null && completedAt !== null ? Date.parse(completedAt) : Math.max(...ends);
  return barsSvg(visits, Date.parse((isFirst && startedAt) || first.startedAt), endMs);
}

function renderVisits({ visits, startedAt }: TimelineView): Html {
  const beginMs = Date.parse(startedAt ?? visits[0]?.startedAt ?? '');
  const rows = visits.map((visit) => renderRow(visit, beginMs));
  return markup`<table><thead><tr><th scope="col">After</th><th scope="col">Visit</th><th scope="col">State</th><th scope="col">Took</th><th scope="col">Attempts</th><th scope="col">Failure</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function renderRow(
  { path, status, startedAt, duration, attempts, failure }: LogBlockView,
  beginMs: number,
): Html {
  const after = formatDuration(Math.max(0, Date.parse(startedAt) - beginMs));
  const took = duration === null ? '' : formatDuration(duration);
  return markup`<tr><td class="num">${after}</td><th scope="row"><code>${path}</code></th><td>${status}</td><td class="num">${took}</td><td class="num">${attempts}</td><td dir="auto">${failure !== null && `${failure.code}: ${failure.message}`}</td></tr>`;
}
