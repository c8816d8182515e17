import { failureChoices } from '../definition.ts';
import { description, nameText } from '../expressions/atoms.ts';
import { flow } from './flow-shapes.ts';
import { graphMembers } from './graph-shapes.ts';
import * as shape from './shape.ts';
import type { Shape } from './shape.ts';
import { startInput, trigger, triggersMax, variable } from './start-shapes.ts';

const inputName = shape.text({ min: 1, max: 128 });

/** The whole definition: the one description from which definitions are checked and the JSON Schema is made. */
export const definitionShape: Shape = shape.object(graphMembers(), {
  $schema: shape.text({ max: 500 }),
  description,
  start: shape.object(
    {},
    {
      inputs: shape.record(inputName, startInput, { max: 200 }),
      title: shape.text({ min: 1, max: 500 }),
      description,
      flow,
      triggers: shape.list(trigger, { max: triggersMax }),
    },
  ),
  variables: shape.record(nameText, variable, { max: 200 }),
  onFailure: shape.choice(failureChoices),
});

/** The shape that `body` refers to. */
export const graphShape: Shape = shape.object(graphMembers());
