import { blockKinds } from '#libs/language/definition/blocks/registry';
import { compile } from '#libs/language/definition/compile';
import { checkOutput } from '#libs/language/definition/outputs';
import { findBlock } from '#libs/language/definition/plan';
import type { Json } from '#libs/platform/json/json';
import { proposeAnswers } from './scripted-answers.ts';

const calling = Object.entries(blockKinds).filter(([, kind]) => 'effect' in kind);

test.each(calling)(
  'the proposed answer of a block of type %s is an output that it can have',
  (type, kind) => {
    const sample = { id: 'b', ...kind.sample };
    const { effects } = proposeAnswers({ blocks: [sample] });
    const definition = { start: { inputs: {} }, blocks: [sample], edges: [{ from: 'start', to: 'b' }] };
    // The sample is a valid block of its type.
    const block = findBlock(compile(definition as never).blocks, 'b');
    if (!block) throw new Error(`no block of type ${type}`);
    expect(Object.keys(effects)).toEqual(['b']);
    expect(checkOutput(block, effects['b']?.output as Json, 'output')).toEqual([]);
  },
);

test('the proposed answers are those of calls and children, also within loops, and none of what computes or asks people', () => {
  const body = {
    blocks: [
      { id: 'call', type: 'http', params: {} },
      { id: 'sub', type: 'workflow' },
    ],
  };
  const { effects, children } = proposeAnswers({
    blocks: [
      { id: 'each', type: 'loop', body },
      { id: 'ask', type: 'human' },
      { id: 'out', type: 'response' },
    ],
  });
  expect([Object.keys(effects), Object.keys(children)]).toEqual([['call'], ['sub']]);
});
