import { Ajv2020 } from 'ajv/dist/2020.js';
import { fc } from '#libs/platform/text/support/random';

import { responseSchema } from './response-schema.ts';

const names =
  'type properties items required enum const minimum multipleOf maxLength anyOf oneOf format'.split(' ');
const odd = fc.constantFrom(
  '$ref',
  'pattern',
  '$id',
  'if',
  'not',
  'toString',
  'additionalProperties',
  'title',
);
const scalar = fc.oneof(
  fc.constantFrom('object', 'string', 'array', 'null', '#', ''),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -2, max: 5 }),
  fc.boolean(),
  fc.constant(null),
);
const { schema } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    tie('schema'),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('schema'), { maxLength: 2 }),
  map: fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('schema'), { maxKeys: 2 }),
  schema: fc.dictionary(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, odd), tie('value'), {
    maxKeys: 3,
  }),
}));

function faultsOf(value: unknown): string[] {
  const faults: string[] = [];
  responseSchema.check(value, '', (path, code) => faults.push(`${path} ${code}`));
  return faults;
}

test('every schema that passes is accepted by the library that checks the answers of models', () => {
  let passed = 0;
  // The library checks against the meta-schema, so that the schema is also valid by the standard.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  fc.assert(
    fc.property(schema, (value) => {
      if (faultsOf(value).length > 0) return;
      passed += 1;
      ajv.compile(value as object);
    }),
    { numRuns: 5000 },
  );
  expect(passed).toBeGreaterThan(100);
});
