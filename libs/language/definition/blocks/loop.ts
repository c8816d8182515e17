import { sourceCharsMax } from '../expressions/cel.ts';
import type { Graph } from '../definition.ts';
import * as shape from '../shapes/shape.ts';
import { at, ruled } from '../shapes/shape.ts';
import { overOne, passMembers } from './container.ts';
import { type BlockBase, type ContainerKind, closedOutput, anyMembers } from './kind.ts';

export const iterationsMax = 10_000;

const expression = shape.text({ min: 1, max: sourceCharsMax });

const pass = overOne(
  shape.object(
    {},
    {
      ...passMembers(iterationsMax),
      while: expression,
      until: expression,
      maxIterations: shape.number({ min: 1, max: iterationsMax }),
    },
  ),
  ['count', 'forEach', 'while', 'until'],
);

/** A loop with a condition needs an iteration limit, because the condition may be true for ever. */
const params = ruled(pass, (given, path, report) => {
  const tests = given.while !== undefined || given.until !== undefined;
  if (tests && given.maxIterations === undefined)
    report(
      at(path, 'maxIterations'),
      'required',
      'A loop with while or until needs a maximum number of passes.',
    );
  if (!tests && given.maxIterations !== undefined)
    report(at(path, 'maxIterations'), 'needs_test', 'It has no effect without while or until.');
});

/** A block that runs its body one pass after the other. */
export interface LoopBlock extends BlockBase {
  type: 'loop';
  params: shape.ValueOf<typeof params>;
  body: Graph;
}

export const loop: ContainerKind<LoopBlock> = {
  members: { params },
  sample: {
    type: 'loop',
    params: { count: 2 },
    body: {
      blocks: [{ id: 'step', type: 'wait', params: { duration: 1 } }],
      edges: [{ from: 'start', to: 'step' }],
    },
  },
  ...closedOutput(anyMembers('results', 'count')),
  templates: ['count', 'forEach'],
  container: { pass: 'loop' },
};
