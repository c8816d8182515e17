import { misshapenAnswer } from './answer-shapes.ts';

const answer = { contextId: 'ctx_1' };

describe('an answer of an operator', () => {
  test.each([
    answer,
    { ...answer, entryId: 'res_1', answers: {} },
    { ...answer, input: { ok: true }, as: 'ann@example.org' },
  ])('an answer of an operator has the shape of %j', (message) => {
    expect(misshapenAnswer(message)).toBeNull();
  });

  test.each([
    ['a text in place of an object', 'yes'],
    ['no pause', {}],
    ['a pause that is no text', { contextId: 1 }],
    ['an entry that is no text', { ...answer, entryId: 1 }],
    ['a person who is no text', { ...answer, as: { id: 'ann' } }],
    ['answers that are a list', { ...answer, answers: [] }],
    ['an input that is a text', { ...answer, input: 'yes' }],
  ])('an answer of an operator is refused with %s, which would fail the task of the run', (_, wrong) => {
    expect(misshapenAnswer(wrong)).toMatchObject({ type: 'ANSWER_INVALID' });
  });
});
