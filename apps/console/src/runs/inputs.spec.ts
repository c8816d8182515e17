import { checkInputs } from '#libs/language/definition/inputs';
import { exampleInputs } from './inputs.ts';

test('the example inputs of a copied call fit what the workflow declares', () => {
  const inputs = {
    name: { type: 'string' as const, required: true, minLength: 9 },
    size: { type: 'number' as const, required: true, min: 3 },
    low: { type: 'number' as const, required: true, max: -2 },
    colour: { type: 'string' as const, required: true, enum: ['red', 'blue'] },
    many: { type: 'array' as const, required: true },
    day: { type: 'date' as const, required: true },
    any: { type: 'json' as const, required: true },
    given: { type: 'number' as const, required: true, default: 5 },
    free: { type: 'string' as const },
  };
  const example = exampleInputs({ start: { inputs } });
  expect(Object.keys(example)).toEqual(['name', 'size', 'low', 'colour', 'many', 'day', 'any']);
  expect(checkInputs(inputs, JSON.parse(JSON.stringify(example))).details).toEqual([]);
});
