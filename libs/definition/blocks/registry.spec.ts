import { validate } from '../validate.ts';
import { blockKinds, blockTypes, effectTypes, kindOf } from './registry.ts';

describe('the kind of a block', () => {
  test.each(blockTypes)('%s has a sample of that type which is sound', (type) => {
    const { sample } = blockKinds[type];
    expect(sample.type).toBe(type);
    const { faults } = validate({
      start: { inputs: { n: { type: 'number' } } },
      variables: { v: { type: 'json' } },
      blocks: [{ ...sample, id: 'sample' }],
      edges: [{ from: 'start', to: 'sample' }],
    });
    expect(faults).toEqual([]);
  });

  test.each(blockTypes)('%s names only parameters that the block may have as templates', (type) => {
    const { templates = [], members } = blockKinds[type] as NonNullable<ReturnType<typeof kindOf>>;
    const schema = members.params?.schema ?? {};
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining([...templates]));
  });

  test('is unknown for a type that no line of the registry names, and for names of every object', () => {
    expect([kindOf('table_flip'), kindOf('constructor'), kindOf('__proto__')]).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('says of seven types where their activity runs', () => {
    expect(effectTypes).toEqual(['http', 'function', 'webhook', 'llm', 'router', 'evaluator', 'mcp']);
  });
});
