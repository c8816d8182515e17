import {
  type DrawnBlock,
  type DrawnEdge,
  type PlacedBlock,
  placeGraph,
  type DrawingPoint,
} from './graph-layout.ts';
import { withStates } from './with-states.ts';

const block = (id: string, container: string | null = null): DrawnBlock => ({
  id,
  name: id,
  type: 'http',
  container,
});
const edge = (from: string, to: string, port = 'out') => ({ from, to, port });

const isInside = ({ x, y }: DrawingPoint, box: PlacedBlock) =>
  x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1;

/** The points between which an edge is drawn straight, and those halfway between. */
function alongside(points: DrawingPoint[]): DrawingPoint[] {
  return points.flatMap((point, n) => {
    const next = points[n + 1];
    return next ? [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }] : [point];
  });
}

describe('the drawing of a graph', () => {
  test('the drawing of a graph leads the way around an if without an else beside the block, not behind it', () => {
    const { blocks, edges } = placeGraph(
      [block('check'), block('high'), block('review'), block('done')],
      [
        edge('start', 'check'),
        edge('check', 'high', 'high'),
        edge('high', 'review'),
        edge('review', 'done'),
        edge('check', 'done', 'else'),
      ],
    );
    const around = edges.find(({ port }) => port === 'else');
    const behind = blocks.filter((box) =>
      alongside(around?.points ?? []).some((point) => isInside(point, box)),
    );
    expect(behind).toEqual([]);
  });

  test('the drawing of a graph keeps two edges between one pair apart, with their labels', () => {
    const { edges } = placeGraph(
      [block('ask'), block('tell')],
      [edge('ask', 'tell', 'out'), edge('ask', 'tell', 'expired')],
    );
    const [one, two] = edges;
    expect(Math.abs((one?.label.x ?? 0) - (two?.label.x ?? 0))).toBeGreaterThan(20);
  });

  test('the drawing of a graph draws the body of a loop inside of it, with its edges', () => {
    const { blocks, edges } = placeGraph(
      [block('each'), block('get', 'each'), block('put', 'each')],
      [edge('start', 'each'), edge('get', 'put')],
    );
    const each = blocks.find(({ id }) => id === 'each');
    const inner = blocks.filter(({ container }) => container === 'each');
    expect(inner).toHaveLength(2);
    for (const { x, y, width, height } of inner) {
      expect(isInside({ x, y }, each as PlacedBlock)).toBe(true);
      expect(isInside({ x: x + width, y: y + height }, each as PlacedBlock)).toBe(true);
    }
    expect(edges.map(({ from }) => from).toSorted()).toEqual(['get', 'start']);
  });

  test('the drawing of a graph has a bounded size for a thousand blocks', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `b${n}`);
    const { blocks, edges } = placeGraph(
      ids.map((id) => block(id)),
      ids.slice(1).map((id, n) => edge(`b${n}`, id)),
    );
    expect(blocks).toHaveLength(1001);
    expect(edges).toHaveLength(999);
  });
});

type Rect = Pick<PlacedBlock, 'x' | 'y' | 'width' | 'height'>;

/** Always the same numbers from 0 to below `n`. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => (state = (state * 48_271) % 2_147_483_647) % n;
}

/** A graph in which each block follows one or two of those before it, and every fourth is a container of three. */
function given(seed: number) {
  const next = numbers(seed);
  const graph = { blocks: [] as DrawnBlock[], edges: [] as DrawnEdge[] };
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

const meet = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const holds = (a: Rect, b: Rect) =>
  a.x <= b.x && b.x + b.width <= a.x + a.width && a.y <= b.y && b.y + b.height <= a.y + a.height;

describe.each([1, 2, 3, 4, 5])('the layout of graph %i', (seed) => {
  const graph = given(seed);
  const { blocks: boxes, edges, width, height } = placeGraph(graph.blocks, graph.edges);
  const at = (id: string): Rect =>
    boxes.find((box) => box.id === id) ?? { x: NaN, y: NaN, width: 0, height: 0 };

  test('the layout of graph %i has every block once, inside of the picture', () => {
    expect(boxes.map(({ id }) => id).toSorted()).toEqual(
      ['start', ...graph.blocks.map(({ id }) => id)].toSorted(),
    );
    expect(
      boxes.filter((box) => !holds({ x: -1, y: -1, width: width + 2, height: height + 2 }, box)),
    ).toEqual([]);
  });

  test('the layout of graph %i has each block below all that lead to it', () => {
    const wrong = graph.edges.filter(({ from, to }) => !(at(from).y + at(from).height < at(to).y));
    expect(wrong).toEqual([]);
  });

  test('the layout of graph %i lets no block cover another but a container its body, which it holds whole', () => {
    const containerOf = new Map(graph.blocks.map(({ id, container }) => [id, container]));
    for (const one of boxes)
      for (const other of boxes) {
        const isBody = containerOf.get(other.id) === one.id;
        if (isBody) expect(holds(one, other)).toBe(true);
        else if (one !== other && containerOf.get(one.id) !== other.id)
          expect([one.id, other.id, meet(one, other)]).toEqual([one.id, other.id, false]);
      }
  });

  test('the layout of graph %i leads no edge behind a block but a container around it', () => {
    const hidden = edges.flatMap(({ id, points }) =>
      boxes
        .filter(({ isContainer }) => !isContainer)
        .filter((box) => alongside(points).some((point) => isInside(point, box)))
        .map((box) => [id, box.id]),
    );
    expect(hidden).toEqual([]);
  });
});

test('a run that goes on changes states and moves nothing', () => {
  const [blocks, edges] = [
    [block('a'), block('b')],
    [edge('start', 'a'), edge('a', 'b')],
  ];
  const before = placeGraph(blocks, edges);
  const after = withStates(
    before,
    blocks.map((one) => ({ ...one, status: 'completed' })),
    edges.map((one) => ({ ...one, taken: true })),
  );
  expect(after.blocks.map(({ x, y }) => [x, y])).toEqual(before.blocks.map(({ x, y }) => [x, y]));
  expect(after.blocks.map(({ status }) => status)).toEqual([undefined, 'completed', 'completed']);
  expect(after.edges.map(({ taken }) => taken)).toEqual([true, true]);
});
