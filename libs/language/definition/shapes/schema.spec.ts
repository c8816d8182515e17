import { blockTypes } from '../blocks/registry.ts';
import { definitionSchema } from './schema.ts';

test('the schema names its dialect and every block type, and no object allows unknown members', () => {
  const schema = definitionSchema();
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['blocks', 'edges'],
    additionalProperties: false,
    properties: {
      blocks: {
        type: 'array',
        items: {
          oneOf: blockTypes.map((type) => ({
            required: expect.arrayContaining(['id', 'type']),
            properties: { type: { enum: [type] }, id: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
          })),
        },
      },
    },
  });
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
