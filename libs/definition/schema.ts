import type { JsonObject } from '#libs/definition/values';

import { definitionShape, graphShape } from './shapes.ts';

/**
 * The JSON Schema (2020-12) of a definition, made from the shapes that `validate` checks with. What a schema cannot
 * say (references, ways, expressions, bounds between members) only `validate` knows.
 */
export function definitionSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Holdfast workflow definition',
    ...definitionShape.schema,
    $defs: { graph: graphShape.schema },
  };
}
