import type { Graph } from './graph.ts';
import { graphSvg } from './graph.svg.ts';
import { type Box, layoutOf } from './layout.ts';

const block = (id: string, container: string | null = null) => ({
  id,
  name: id,
  type: 'http',
  container,
  status: 'completed',
  visits: 1,
  states: {},
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.200Z',
});
const edge = (from: string, to: string) => ({ from, to, port: 'out', taken: true });

/** Always the same numbers from 0 to below `n`. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => (state = (state * 48_271) % 2_147_483_647) % n;
}

/** A graph in which each block follows one or two of those before it, and every fourth is a container of three. */
function given(seed: number): Graph {
  const next = numbers(seed);
  const graph: Graph = { blocks: [], edges: [] };
  for (let n = 0; n < 30; n++) {
    const id = `b${n}`;
    graph.blocks.push(block(id));
    graph.edges.push(edge(n === 0 ? 'start' : `b${next(n)}`, id));
    if (n > 1) graph.edges.push(edge(`b${next(n)}`, id));
    if (n % 4 !== 3) continue;
    for (const inner of ['x', 'y', 'z']) graph.blocks.push(block(id + inner, id));
    graph.edges.push(edge(`${id}x`, `${id}y`), edge(`${id}x`, `${id}z`));
  }
  return graph;
}

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const holds = (a: Box, b: Box) =>
  a.x <= b.x && b.x + b.width <= a.x + a.width && a.y <= b.y && b.y + b.height <= a.y + a.height;

describe.each([1, 2, 3, 4, 5])('the layout of graph %i', (seed) => {
  const graph = given(seed);
  const { boxes, ...size } = layoutOf(graph);
  const at = (id: string): Box =>
    boxes.find((box) => box.id === id) ?? { id, x: NaN, y: NaN, width: 0, height: 0 };

  test('has every block once, inside of the picture', () => {
    expect(boxes.map(({ id }) => id).toSorted()).toEqual(
      ['start', ...graph.blocks.map(({ id }) => id)].toSorted(),
    );
    expect(boxes.filter((box) => !holds({ id: '', x: 0, y: 0, ...size }, box))).toEqual([]);
  });

  test('has each block below all that lead to it', () => {
    const wrong = graph.edges.filter(({ from, to }) => !(at(from).y + at(from).height < at(to).y));
    expect(wrong).toEqual([]);
  });

  test('lets no block cover another but a container its body, which it holds whole', () => {
    const containerOf = new Map(graph.blocks.map(({ id, container }) => [id, container]));
    for (const one of boxes)
      for (const other of boxes) {
        const isBody = containerOf.get(other.id) === one.id;
        if (isBody) expect(holds(one, other)).toBe(true);
        else if (one !== other && containerOf.get(one.id) !== other.id)
          expect([one.id, other.id, meet(one, other)]).toEqual([one.id, other.id, false]);
      }
  });
});

test('a name that looks like markup stays text', () => {
  const graph = { blocks: [{ ...block('a'), name: '<script>x</script>' }], edges: [edge('start', 'a')] };
  const { text } = graphSvg(graph);
  expect(text).not.toContain('<script>');
  expect(text).toContain('&lt;script&gt;x');
});
