import { missingSecret, namedThings, secretNames } from './named-things.ts';

const block = (id: string, type: string, params: object, more: object = {}) => ({
  id,
  type,
  params,
  ...more,
});
const start = (...ids: string[]) => ids.map((to, i) => ({ from: ids[i - 1] ?? 'start', to }));

describe('the things that a definition names', () => {
  test('the things that a definition names are its secrets, tables, knowledge bases and workflows, with the place of each, in loops too', () => {
    const call = { url: 'https://a.test/{{ secrets.HOST }}', headers: { a: 'Bearer {{ secrets.TOKEN }}' } };
    const definition = {
      blocks: [
        block('call', 'http', call),
        block(
          'each',
          'loop',
          { count: 2, maxIterations: 2 },
          {
            body: {
              blocks: [
                block('keep', 'table', { operation: 'insert', table: 'leads', data: {} }),
                block('find', 'knowledge', {
                  operation: 'search',
                  knowledgeBases: ['laws', '{{ start.base }}'],
                  query: 'x',
                }),
              ],
              edges: start('keep', 'find'),
            },
          },
        ),
        block('child', 'workflow', { workflowId: 'wf_1' }),
      ],
      edges: start('call', 'each', 'child'),
    };
    expect(namedThings(definition)).toEqual([
      { kind: 'secret', name: 'HOST', path: 'blocks[0].params.url', blockId: 'call' },
      { kind: 'secret', name: 'TOKEN', path: 'blocks[0].params.headers.a', blockId: 'call' },
      { kind: 'workflow', name: 'wf_1', path: 'blocks[2].params.workflowId', blockId: 'child' },
      { kind: 'table', name: 'leads', path: 'blocks[1].body.blocks[0].params.table', blockId: 'keep' },
      {
        kind: 'knowledge base',
        name: 'laws',
        path: 'blocks[1].body.blocks[1].params.knowledgeBases[0]',
        blockId: 'find',
      },
    ]);
  });

  test('the things that a definition names leave out names that only a run knows, and the code of a function', () => {
    const definition = {
      blocks: [
        block('keep', 'table', { operation: 'insert', table: '{{ start.table }}', data: {} }),
        block('work', 'function', { code: 'return "{{ secrets.NOT_READ }}"', input: '{{ secrets.READ }}' }),
      ],
      edges: start('keep', 'work'),
    };
    expect(namedThings(definition).map(({ name }) => name)).toEqual(['READ']);
  });
});

describe('a missing secret', () => {
  test('a missing secret is named by the failure of the block, also when a branch of its expression would not read it', () => {
    const templates = { url: '{{ start.test ? secrets.A : secrets.B }}' };
    expect(secretNames(templates)).toEqual(['A', 'B']);
    expect(missingSecret(templates, { A: 'x' })).toEqual({
      code: 'SECRET_NOT_FOUND',
      message: 'There is no secret "B"; nothing was sent.',
    });
    expect(missingSecret(templates, { A: 'x', B: '' })).toBeNull();
  });
});
