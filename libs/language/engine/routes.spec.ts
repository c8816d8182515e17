import type { Block } from '#libs/language/definition/blocks/registry';
import type { Json } from '#libs/platform/json/json';

import { parseEdges, givenRun, respond } from './support/given.ts';

const router: Block = {
  id: 'ask',
  type: 'router',
  params: {
    model: 'm',
    input: 'x',
    routes: [
      { port: 'left', description: 'l' },
      { port: 'right', description: 'r' },
    ],
  },
};

function settled(output: Json, ...more: string[]) {
  const blocks = [router, respond('a', 'left'), respond('b', 'right'), respond('c', '{{ ask.error.code }}')];
  const edges = parseEdges('start ask', 'ask a left', 'ask b right', ...more);
  const used = new Set(edges.map(({ to }) => to));
  const run = givenRun(
    blocks.filter(({ id }) => used.has(id)),
    { edges },
  );
  expect(run.takeReady(0)).toMatchObject([{ kind: 'activity', type: 'router', visit: { path: 'ask' } }]);
  run.succeed('ask', output, 1, 2);
  run.takeReady(1);
  return { outcome: run.outcome(), log: run.takeLog() };
}

describe('a router', () => {
  test('a router is left by the port that its output names, and the log shows the port', () => {
    const { outcome, log } = settled({ port: 'right', reason: 'why' });
    expect(outcome).toMatchObject({ status: 'completed', output: 'right' });
    expect(log).toMatchObject([
      { blockId: 'ask', port: 'right', attempts: 2 },
      { blockId: 'a', status: 'skipped' },
      { blockId: 'b', status: 'completed' },
    ]);
  });

  test.each([
    ['a port that it does not have', { port: 'up' }],
    ['the default port', { port: 'out' }],
    ['no port', {}],
    ['a port of another kind', { port: ['left'] }],
    ['no object', 'left'],
    ['a stored value', { $payload: 'pay_1', bytes: 9, preview: '' }],
  ])('a router fails with %s, and takes no route', (_name, output) => {
    expect(settled(output).outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'MODEL_OUTPUT_INVALID', blockId: 'ask' },
    });
    expect(settled(output, 'ask c error').outcome).toMatchObject({
      status: 'completed',
      output: 'MODEL_OUTPUT_INVALID',
    });
  });
});
