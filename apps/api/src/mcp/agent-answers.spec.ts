import { toEntryId } from './agent-answers.ts';

const agent = { kind: 'key', id: 'key_a' } as const;
const first = toEntryId('ctx_a', agent, { approved: true, note: 'x' });

test('a repeated answer of an agent has the same id, so it counts once', () => {
  expect(toEntryId('ctx_a', { ...agent }, { note: 'x', approved: true })).toBe(first);
});

test.each<[string, string, { kind: 'key'; id: string }, object]>([
  ['a corrected answer', 'ctx_a', agent, { approved: true, note: 'y' }],
  ['the answer of another agent', 'ctx_a', { kind: 'key', id: 'key_b' }, { approved: true, note: 'x' }],
  ['the answer to another pause', 'ctx_b', agent, { approved: true, note: 'x' }],
])('%s has an id of its own, so a refused one does not stand for it', (_, contextId, actor, answers) => {
  expect(toEntryId(contextId, actor, { ...answers })).not.toBe(first);
});
