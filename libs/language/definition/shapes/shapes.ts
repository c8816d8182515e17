import { description, nameText } from '../expressions/atoms.ts';
import { graphMembers } from './graph-shapes.ts';
import * as shape from './shape.ts';
import type { Shape } from './shape.ts';
import { startInput, variable } from './start-shapes.ts';

const inputName = shape.text({ min: 1, max: 128 });

/** The whole definition: the one description from which definitions are checked and the JSON Schema is made. */
export const definitionShape: Shape = shape.object(graphMembers(), {
  $schema: shape.text({ max: 500 }),
  description,
  start: shape.object({}, { inputs: shape.record(inputName, startInput, { max: 200 }), description }),
  variables: shape.record(nameText, variable, { max: 200 }),
});

/** The shape that `body` refers to. */
export const graphShape: Shape = shape.object(graphMembers());
