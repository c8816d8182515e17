import { barsSvg } from './bars.svg.ts';
import type { GraphBlock } from './graph.ts';
import { graphSvg } from './graph.svg.ts';

const [startedAt, endedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.200Z'];
const block = (id: string, more: Partial<GraphBlock> = {}): GraphBlock => ({
  id,
  name: id,
  type: 'http',
  container: null,
  status: 'completed',
  visits: 1,
  states: {},
  startedAt,
  endedAt,
  ...more,
});
const edge = (from: string, to: string, port = 'out') => ({ from, to, port, taken: true });

describe('the picture of a graph', () => {
  test('the picture of a graph shows a name and a port that look like markup as text', () => {
    const blocks = [block('a', { name: '<script>x</script>' })];
    const { text = '' } = graphSvg({ blocks, edges: [edge('start', 'a', '<b>')] }) ?? {};
    expect(text).not.toMatch(/<script>|<b>/);
    expect(text).toContain('&lt;script&gt;x');
  });

  test('the picture of a graph counts the visits of a block in a loop by their states, failures first', () => {
    const blocks = [block('get', { visits: 20, states: { completed: 18, failed: 2 } })];
    expect(graphSvg({ blocks, edges: [] })?.text).toContain('http · 2 failed, 18 completed');
  });

  test('the picture of a graph is left out when placing it would block the process for long', () => {
    const blocks = Array.from({ length: 401 }, (_, n) => block(`b${n}`));
    expect(graphSvg({ blocks, edges: [] })).toBeNull();
  });
});

test('the bars show waits, work and the number of attempts', () => {
  const visit = { path: '', blockId: '', name: '', status: 'completed', port: 'out', failure: null };
  const visits = [
    { ...visit, path: 'ask', type: 'human', startedAt, endedAt, duration: 1200, attempts: 0 },
    { ...visit, path: 'call', type: 'http', startedAt, endedAt, duration: 1200, attempts: 3 },
    { ...visit, path: 'left', type: 'http', status: 'skipped', startedAt, endedAt, duration: 0, attempts: 0 },
  ];
  const text = barsSvg(visits, Date.parse(startedAt), Date.parse(endedAt))?.svg.text ?? '';
  expect(text).toContain('class="bar completed idle"');
  expect(text).toContain('1.2 s · 3 attempts');
  expect(text).not.toContain('left');
});
