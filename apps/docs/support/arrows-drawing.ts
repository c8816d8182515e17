import { Graph as Layout, layout } from '@dagrejs/dagre';

interface Arrow {
  from: string;
  to: string;
  typesOnly: boolean;
}

const height = 34;
/** Widths of letters differ between machines; this leaves room for the wide ones. */
const letterWidth = 7.6;
const margin = 8;

const style = `text { font: 600 13px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle }
.box { fill: #f0f2f5; stroke: #7d8590 } .line { stroke: #59636e; fill: none } .types { stroke-dasharray: 5 4 } .head { fill: #59636e }
@media (prefers-color-scheme: dark) { text { fill: #e8ebee } .box { fill: #232a32; stroke: #76808b } .line { stroke: #a6b0ba } .head { fill: #a6b0ba } }`;

/** Draws boxes and the arrows between them, from the top down. An arrow of types alone is dashed. Equal arrows give equal text. */
export function drawArrows(title: string, arrows: Arrow[]): string {
  const plan = new Layout();
  plan.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 56 });
  const names = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].toSorted();
  for (const name of names) plan.setNode(name, { width: name.length * letterWidth + 24, height });
  for (const { from, to } of arrows) plan.setEdge(from, to, {});
  layout(plan);
  const lines = arrows.map(({ from, to, typesOnly }) => {
    const { points = [] }: { points?: { x: number; y: number }[] } = plan.edge(from, to);
    return `<path class="line${typesOnly ? ' types' : ''}" d="M${points.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join('L')}" marker-end="url(#arrow)"/>`;
  });
  const boxes = names.map((name) => {
    const { x = 0, y = 0, width = 0 } = plan.node(name);
    return `<rect class="box" x="${rounded(x - width / 2)}" y="${rounded(y - height / 2)}" width="${rounded(width)}" height="${height}" rx="5"/>
<text x="${rounded(x)}" y="${rounded(y + 5)}">${name}</text>`;
  });
  const size = plan.graph();
  const [right, bottom] = [size.width, size.height].map((length = 0) => Math.ceil(length + 2 * margin));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" role="img">
<title>${title}</title>
<style>
${style}
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<g transform="translate(${margin} ${margin})">
${[...lines, ...boxes].join('\n')}
</g>
</svg>
`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
