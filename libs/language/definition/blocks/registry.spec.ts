import { validate } from '../checks/validate.ts';
import type { Shape } from '../shapes/shape.ts';
import type { BlockKind } from './kind.ts';
import { blockKinds, blockTypes, kindOf } from './registry.ts';

describe('the kind of a block', () => {
  test.each(blockTypes)('%s has a valid sample of that type', (type) => {
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

  test.each(blockTypes)('%s lists only parameters of the block as templates', (type) => {
    const { templates = [], members }: BlockKind = blockKinds[type];
    const { schema = {} } = 'params' in members ? (members.params as Shape) : {};
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining([...templates]));
  });

  test('the kind of a block is undefined for a type that the registry does not have, and for names of Object.prototype', () => {
    expect([kindOf('table_flip'), kindOf('constructor'), kindOf('__proto__')]).toEqual(
      Array(3).fill(undefined),
    );
  });
});
