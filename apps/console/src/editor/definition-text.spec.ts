import { blockAt, insertBlock, rangeOfBlock, rangeOfPath, syntaxFaults } from './definition-text.ts';

const definition = {
  blocks: [
    { id: 'check', type: 'condition', cases: [{ port: 'large', when: 'start.amount > 10.0' }] },
    {
      id: 'each',
      type: 'loop',
      params: { count: 2 },
      body: { blocks: [{ id: 'inner', type: 'wait', params: { duration: 'PT1S' } }], edges: [] },
    },
    { id: 'done', type: 'response', params: { data: {} } },
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', to: 'done', port: 'else' },
    { from: 'check', to: 'each', port: 'large' },
    { from: 'each', to: 'done' },
  ],
};
const text = JSON.stringify(definition, null, 2);
const textAt = ({ from, to }: { from: number; to: number }) => text.slice(from, to);

describe('the text of a definition', () => {
  test('the text of a definition shows the place of a fault by its path', () => {
    expect(textAt(rangeOfPath(text, 'blocks[1].params.count'))).toBe('2');
  });

  test('the text of a definition shows a missing member at the object that must hold it', () => {
    expect(textAt(rangeOfPath(text, 'blocks[2].params.status'))).toContain('"data"');
  });

  test('the text of a definition has each block at its place, also one in a loop', () => {
    const range = rangeOfBlock(text, 'inner') ?? { from: 0, to: 0 };
    expect(JSON.parse(textAt(range))).toMatchObject({ id: 'inner' });
    expect(blockAt(text, range.from + 5)).toBe('inner');
  });

  test('the text of a definition names the place of a syntax fault', () => {
    expect(syntaxFaults('{ "blocks": [ }')[0]).toMatchObject({ from: 14 });
  });
});

describe('a block that is added', () => {
  test('a block that is added comes on the way between two blocks', () => {
    const { text: changed, id } = insertBlock(text, 'human', 'each') ?? { text: '{}', id: '' };
    const { edges, blocks } = JSON.parse(changed) as typeof definition;
    expect(blocks.map((block) => block.id)).toContain(id);
    expect(edges).toContainEqual({ from: 'each', to: id });
    expect(edges).toContainEqual({ from: id, to: 'done' });
    expect(edges).not.toContainEqual({ from: 'each', to: 'done' });
  });

  test('a block that is added leaves the ways of a condition as they are', () => {
    const { text: changed, id } = insertBlock(text, 'http', 'check') ?? { text: '{}', id: '' };
    const { edges } = JSON.parse(changed) as typeof definition;
    expect(edges.filter(({ from }) => from === 'check')).toHaveLength(3);
    expect(edges).toContainEqual({ from: 'check', to: id });
  });

  test('a block that is added stays within the loop of the block before it', () => {
    const { text: changed } = insertBlock(text, 'function', 'inner') ?? { text: '{}' };
    const [, each] = (JSON.parse(changed) as typeof definition).blocks;
    expect(each?.body?.blocks.map(({ type }) => type)).toEqual(['wait', 'function']);
  });

  test('a block that is added keeps the rest of the text to the letter', () => {
    const { text: changed } = insertBlock(text, 'wait', 'each') ?? { text: '' };
    expect(changed).toContain(text.slice(0, text.indexOf('"id": "done"')));
  });

  test('a block that is added is refused while the text is not JSON', () => {
    expect(insertBlock('{ "blocks": [', 'wait', 'start')).toBeUndefined();
  });
});
