import type { JsonObject } from '#libs/platform/json/json';

import { definitionShape, graphShape } from './shapes.ts';

/**
 * The JSON Schema (2020-12) of a definition, made from the shapes that `validate` checks with. Only `validate`
 * checks what a schema cannot say: references, ports, expressions, bounds between members. What keeps triggers gives the schema of one.
 */
export function definitionSchema(trigger: JsonObject = anyTrigger): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Holdfast workflow definition',
    ...definitionShape.schema,
    $defs: { graph: graphShape.schema, trigger },
  };
}

const anyTrigger = { type: 'object', required: ['kind', 'name'], additionalProperties: true };
