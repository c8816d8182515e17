import type { Json } from '#libs/platform/json/json';

import { failureChoices } from '../definition.ts';
import { description, duration, identifier } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import type { Shape } from '../shapes/shape.ts';

const common = { name: shape.text({ min: 1, max: 120 }), description };

/** Accepts any id: `checkIds` reports what is wrong with it, also when the rest of the block has faults. */
const blockId: Shape = {
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: identifier.source },
  check: () => {},
};

/** The shape of a block of one type: these members, and the ones that every block has. */
export function blockShape(
  type: string,
  required: Record<string, Shape>,
  optional: Record<string, Shape> = {},
): Shape {
  const checked = shape.object(
    { type: shape.choice([type]), ...required },
    { id: blockId, ...common, ...optional },
  );
  const names: Json[] = ['id', 'type', ...Object.keys(required)];
  return { ...checked, schema: { ...checked.schema, required: names } };
}

/** The members that every effect block may have beside its parameters. */
export const effectKeys = {
  retry: shape.object(
    {},
    {
      maxAttempts: shape.number({ min: 1, max: 10 }),
      initialDelay: duration({ maxMs: 3_600_000 }),
      backoff: shape.number({ min: 1, max: 10, fraction: true }),
      retryOn: shape.list(
        shape.text({ min: 1, max: 64, pattern: /^[A-Z][A-Z0-9_]*$/, says: 'a failure code as HTTP_ERROR' }),
        { max: 20 },
      ),
    },
  ),
  timeout: duration({ minMs: 100, maxMs: 3_600_000 }),
  onFailure: shape.choice(failureChoices),
};
