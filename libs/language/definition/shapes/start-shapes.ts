import { inputTypes, type StartInput } from '../definition.ts';
import { type Variable, variableTypes } from '../definition.ts';

import { checkBounds, description } from '../expressions/atoms.ts';
import { checkInput } from '../inputs.ts';
import * as shape from './shape.ts';
import { at, ruled } from './shape.ts';
import { isOfType } from '../types.ts';
import type { Json } from '#libs/platform/json/json';

/** One declared input. */
export const startInput = ruled<StartInput>(
  shape.object(
    { type: shape.choice(inputTypes) },
    {
      required: shape.boolean,
      default: shape.json,
      description,
      min: shape.anyNumber,
      max: shape.anyNumber,
      minLength: shape.number({ min: 0, max: 10_000_000 }),
      maxLength: shape.number({ min: 0, max: 10_000_000 }),
      enum: shape.list(shape.json, { min: 1, max: 200 }),
    },
  ),
  (input, path, report) => {
    const { type, min, max, minLength, maxLength } = input;
    checkBounds(path, report, { min, max });
    checkBounds(path, report, { minLength, maxLength });
    if (type !== 'number')
      for (const [bound, value] of Object.entries({ min, max }))
        if (value !== undefined) report(at(path, bound), 'not_applicable', `A ${type} has no ${bound}.`);
    if (type !== 'string' && type !== 'array')
      for (const [bound, value] of Object.entries({ minLength, maxLength }))
        if (value !== undefined) report(at(path, bound), 'not_applicable', `A ${type} has no ${bound}.`);
    input.enum?.forEach((member, i) => {
      if (!isOfType(member, type)) report(at(at(path, 'enum'), i), 'type', `It must be of type ${type}.`);
    });
    if (input.default === undefined) return;
    for (const { code, message } of checkInput(input.default, input, ''))
      report(at(path, 'default'), code, message);
  },
);

/** One variable of the run. */
export const variable = ruled<Variable>(
  shape.object({ type: shape.choice(variableTypes) }, { initial: shape.json, description }),
  ({ type, initial = null }, path, report) => {
    if (initial !== null && !isOfType(initial, type))
      report(at(path, 'initial'), 'type', `It must be of type ${type}.`);
  },
);

/** The most triggers of a workflow. */
export const triggersMax = 50;

/** One trigger. What keeps triggers checks its members, in the way of a trigger that is made by a call. */
export const trigger: shape.Shape<Json> = {
  schema: { $ref: '#/$defs/trigger' },
  check: shape.record(shape.text({ max: 100 }), shape.json, { max: 20 }).check,
};
