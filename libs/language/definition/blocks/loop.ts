import { sourceCharsMax } from '../expressions/cel.ts';
import type { Graph } from '../definition.ts';
import * as shape from '../shapes/shape.ts';
import { at, ruled, type Shape } from '../shapes/shape.ts';
import { type ContainerParams, overOne, passMembers } from './container.ts';
import { type BlockBase, type ContainerKind, outputsOf } from './kind.ts';

/** A block that runs its body one pass after the other. */
export interface LoopBlock extends BlockBase {
  type: 'loop';
  params: ContainerParams & { while?: string; until?: string; maxIterations?: number };
  body: Graph;
}

export const iterationsMax = 10_000;

const expression = shape.text({ min: 1, max: sourceCharsMax });

/** Requires a bound beside a test, which may be true for ever; a count and a list have an end. */
function boundedTest(params: Shape): Shape {
  return ruled<Record<string, unknown>>(params, (value, path, report) => {
    const tests = value['while'] !== undefined || value['until'] !== undefined;
    if (tests && value['maxIterations'] === undefined)
      report(at(path, 'maxIterations'), 'required', 'A loop with a test must say how often it runs at most.');
    if (!tests && value['maxIterations'] !== undefined)
      report(at(path, 'maxIterations'), 'needs_test', 'It has no effect without while or until.');
  });
}

export const loop: ContainerKind<LoopBlock> = {
  members: {
    params: boundedTest(
      overOne(
        shape.object(
          {},
          {
            ...passMembers(iterationsMax),
            while: expression,
            until: expression,
            maxIterations: shape.number({ min: 1, max: iterationsMax }),
            collect: shape.json,
          },
        ),
        ['count', 'forEach', 'while', 'until'],
      ),
    ),
  },
  sample: {
    type: 'loop',
    params: { count: 2 },
    body: {
      blocks: [{ id: 'step', type: 'wait', params: { duration: 1 } }],
      edges: [{ from: 'start', to: 'step' }],
    },
  },
  ...outputsOf('results', 'count'),
  templates: ['count', 'forEach'],
  container: { pass: 'loop' },
};
