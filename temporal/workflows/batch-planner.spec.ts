import type { ActivityEffect, Effect } from '#libs/language/engine/effects';
import { BatchPlanner } from './batch-planner.ts';

const effect = (blockId: string, index: number, more: Partial<ActivityEffect> = {}): ActivityEffect => ({
  kind: 'activity',
  visit: { path: `${blockId}@each[${index}]`, blockId },
  type: 'http',
  name: blockId,
  params: {},
  scope: {},
  timeoutMs: 30_000,
  retry: { maxAttempts: 1, initialDelayMs: 1000, backoff: 2 },
  ...more,
});
const effects = (blockId: string, count: number, more?: Partial<ActivityEffect>) =>
  Array.from({ length: count }, (_, i) => effect(blockId, i, more));
const sizes = (lists: Effect[][]) => lists.map(({ length }) => length);

/** Batches that have noted eight short effects of the block `fetch`. */
function informed(): BatchPlanner {
  const batches = new BatchPlanner();
  for (const one of effects('fetch', 8)) batches.note(one, 3);
  return batches;
}

describe('effects side by side', () => {
  test('effects side by side have activities of their own until eight effects of their block in a row were short', () => {
    const batches = new BatchPlanner();
    for (const one of effects('fetch', 7)) batches.note(one, 3);
    expect(sizes(batches.groupIntoBatches(effects('fetch', 3)))).toEqual([1, 1, 1]);
    batches.note(effect('fetch', 7), 100);
    expect(sizes(batches.groupIntoBatches(effects('fetch', 3)))).toEqual([3]);
    expect(sizes(batches.groupIntoBatches(effects('other', 3)))).toEqual([1, 1, 1]);
  });

  test.each([
    ['took longer', 101],
    ['failed, or was retried, or came from a worker of an earlier build', undefined],
  ])('effects side by side have activities of their own again after an effect that %s', (_, ms) => {
    const batches = informed();
    batches.note(effect('fetch', 8), ms);
    expect(sizes(batches.groupIntoBatches(effects('fetch', 3)))).toEqual([1, 1, 1]);
  });

  test('effects side by side are at most eight to an activity, in their order, each block by itself', () => {
    const batches = informed();
    const ready = effects('fetch', 10).flatMap((one, i): Effect[] => [one, effect('other', i)]);
    const lists = batches.groupIntoBatches(ready);
    expect(sizes(lists).filter((size) => size > 1)).toEqual([8, 2]);
    expect(lists.flat().filter(({ visit }) => visit.blockId === 'fetch')).toEqual(effects('fetch', 10));
    expect(lists.flat()).toHaveLength(20);
  });

  test('share an activity with fewer others when they are large', () => {
    const large = effects('fetch', 4, { params: { body: 'x'.repeat(15_000) } });
    expect(sizes(informed().groupIntoBatches(large))).toEqual([2, 2]);
  });

  test('effects side by side have activities of their own on the queues of code and models', () => {
    const batches = informed();
    for (const one of effects('fetch', 8)) batches.note({ ...one, type: 'function' }, 3);
    expect(sizes(batches.groupIntoBatches(effects('fetch', 3, { type: 'function' })))).toEqual([1, 1, 1]);
    expect(sizes(batches.groupIntoBatches(effects('fetch', 3, { type: 'llm' })))).toEqual([1, 1, 1]);
  });
});
