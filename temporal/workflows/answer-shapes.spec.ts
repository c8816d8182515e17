import { misshapenUpdate } from './answer-shapes.ts';

const answer = { contextId: 'ctx_1', entryId: 'res_1', answers: {} };

describe('an answer that came as an update', () => {
  test.each([
    answer,
    { ...answer, atMs: Date.now() },
    { ...answer, person: { id: 'ann', names: [] } },
    { ...answer, person: { id: 'ann', own: ['ann'], names: [] } },
  ])('has the shape of %j', (message) => {
    expect(misshapenUpdate(message)).toBeNull();
  });

  test.each([
    ['a time that no date has', { atMs: 1e300 }],
    ['a time that is no number', { atMs: NaN }],
    ['a text for a time', { atMs: '1' }],
    ['a person whose names are no list', { person: { id: 'ann', names: 'ann' } }],
    ['a person whose own names are no list', { person: { id: 'ann', own: 'ann', names: [] } }],
  ])('is refused with %s, which would fail the task of the run', (_, wrong) => {
    expect(misshapenUpdate({ ...answer, ...wrong })).toMatchObject({ type: 'ANSWER_INVALID' });
  });
});
