import type { Graph } from '../definition.ts';
import * as shape from '../shapes/shape.ts';
import { overOne, passMembers } from './container.ts';
import { type BlockBase, type ContainerKind, closedOutput, anyMembers } from './kind.ts';

export const branchesMax = 1000;
export const concurrencyMax = 50;

const params = overOne(
  shape.object(
    {},
    {
      ...passMembers(branchesMax),
      concurrency: shape.number({ min: 1, max: concurrencyMax }),
      onBranchError: shape.choice(['fail', 'collect']),
    },
  ),
  ['count', 'forEach'],
);

/** A block that runs its body in several branches at a time. */
export interface ParallelBlock extends BlockBase {
  type: 'parallel';
  params: shape.ValueOf<typeof params>;
  body: Graph;
}

export const parallel: ContainerKind<ParallelBlock> = {
  members: { params },
  sample: {
    type: 'parallel',
    params: { count: 2 },
    body: {
      blocks: [{ id: 'step', type: 'wait', params: { duration: 1 } }],
      edges: [{ from: 'start', to: 'step' }],
    },
  },
  ...closedOutput(anyMembers('results', 'count', 'errors')),
  templates: ['count', 'forEach'],
  container: { pass: 'branch' },
};
