import { type DrawnBlock, type PlacedBlock, placeGraph, type Point } from './layout.ts';

const block = (id: string, container: string | null = null): DrawnBlock => ({
  id,
  name: id,
  type: 'http',
  container,
});
const edge = (from: string, to: string, port = 'out') => ({ from, to, port });

const isInside = ({ x, y }: Point, box: PlacedBlock) =>
  x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1;

/** The points between which an edge is drawn straight, and those halfway between. */
function alongside(points: Point[]): Point[] {
  return points.flatMap((point, n) => {
    const next = points[n + 1];
    return next ? [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }] : [point];
  });
}

describe('the drawing of a graph', () => {
  test('leads the way around an if without an else beside the block, not behind it', () => {
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

  test('keeps two edges between one pair apart, with their labels', () => {
    const { edges } = placeGraph(
      [block('ask'), block('tell')],
      [edge('ask', 'tell', 'out'), edge('ask', 'tell', 'expired')],
    );
    const [one, two] = edges;
    expect(Math.abs((one?.label.x ?? 0) - (two?.label.x ?? 0))).toBeGreaterThan(20);
  });

  test('draws the body of a loop inside of it, with its edges', () => {
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

  test('of a thousand blocks is made within a bounded size', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `b${n}`);
    const { blocks, edges } = placeGraph(
      ids.map((id) => block(id)),
      ids.slice(1).map((id, n) => edge(`b${n}`, id)),
    );
    expect(blocks).toHaveLength(1001);
    expect(edges).toHaveLength(999);
  });
});
