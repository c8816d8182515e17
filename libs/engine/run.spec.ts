import { compile } from '#libs/definition/compile';
import type { Definition } from '#libs/definition/definition';

import { Run } from './run.ts';

const invoice: Definition = {
  start: { inputs: { amount: { type: 'number', required: true }, url: { type: 'string' } } },
  variables: { attempts: { type: 'number', initial: 0 } },
  blocks: [
    {
      id: 'fetch',
      type: 'http',
      params: { method: 'GET', url: '{{ start.url }}' },
      retry: { maxAttempts: 3 },
    },
    {
      id: 'check',
      type: 'condition',
      cases: [{ port: 'large', when: 'start.amount > 1000.0 && fetch.data.ok' }],
    },
    {
      id: 'approve',
      type: 'human',
      params: {
        title: 'Approve {{ start.amount }}?',
        form: [{ name: 'approved', type: 'boolean', required: true }],
        expiresAfter: 'P3D',
      },
    },
    { id: 'done', type: 'response', params: { data: { approved: '{{ approve.approved }}' } } },
  ],
  edges: [
    { from: 'start', to: 'fetch' },
    { from: 'fetch', to: 'check' },
    { from: 'check', port: 'large', to: 'approve' },
    { from: 'check', port: 'else', to: 'done' },
    { from: 'approve', to: 'done' },
  ],
};

function given(definition: Definition, inputs = {}): Run {
  return Run.start(compile(definition), { inputs, run: { id: 'exec_1' }, nowMs: 0 });
}

test('the sample of the language page pauses, is answered, and responds', () => {
  const run = given(invoice, { amount: 2000, url: 'https://x.test' });
  expect(run.takeReady(1)).toEqual([
    {
      kind: 'activity',
      visit: { path: 'fetch', blockId: 'fetch' },
      type: 'http',
      name: 'fetch',
      params: { method: 'GET', url: '{{ start.url }}' },
      scope: { start: { url: 'https://x.test' } },
      timeoutMs: 30_000,
      retry: { maxAttempts: 3, initialDelayMs: 1000, backoff: 2 },
    },
  ]);
  expect(run.settle('fetch', { status: 200, headers: {}, data: { ok: true } }, 2, 1)).toBe(true);
  expect(run.takeReady(3)).toMatchObject([
    { kind: 'pause', title: 'Approve 2000?', expiresAtMs: 3 + 3 * 86_400_000 },
  ]);
  expect(run.waitingForPeople).toBe(true);
  expect(run.resume('approve', { approved: true }, 4)).toBe(true);
  expect(run.takeReady(5)).toEqual([]);
  expect(run.outcome()).toEqual({
    status: 'completed',
    output: { approved: true },
    response: { status: 200, headers: {}, raw: false },
  });
});

test('a small amount skips the pause, and the skipped block reads as null', () => {
  const run = given(invoice, { amount: 1, url: 'https://x.test' });
  run.takeReady(1);
  run.settle('fetch', { data: { ok: true } }, 2);
  run.takeReady(3);
  expect(run.outcome()).toMatchObject({ status: 'completed', output: { approved: null } });
  expect(run.takeLog().map(({ path, status, port }) => [path, status, port])).toEqual([
    ['fetch', 'completed', undefined],
    ['check', 'completed', 'else'],
    ['approve', 'skipped', undefined],
    ['done', 'completed', undefined],
  ]);
});
