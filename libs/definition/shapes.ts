import { description, nameText } from './atoms.ts';
import { block } from './block-shapes.ts';
import * as shape from './shape.ts';
import type { Shape } from './shape.ts';
import { startInput, variable } from './start-shapes.ts';

export const blocksMax = 500;
export const edgesMax = 2000;

const edge = shape.object(
  { from: shape.text({ min: 1, max: 64 }), to: shape.text({ min: 1, max: 64 }) },
  { port: shape.text({ min: 1, max: 64 }) },
);

const inputName = shape.text({ min: 1, max: 128 });

/** The whole definition: the one description from which it is checked and its JSON Schema is made. */
export const definitionShape: Shape = shape.object(
  {
    blocks: shape.list(block, { min: 1, max: blocksMax }),
    edges: shape.list(edge, { max: edgesMax }),
  },
  {
    $schema: shape.text({ max: 500 }),
    description,
    start: shape.object({}, { inputs: shape.record(inputName, startInput, { max: 200 }), description }),
    variables: shape.record(nameText, variable, { max: 200 }),
  },
);
