import type { Graph } from '../definition.ts';
import * as shape from '../shapes/shape.ts';
import { type ContainerParams, overOne, passMembers } from './container.ts';
import { type BlockBase, type ContainerKind, outputsOf } from './kind.ts';

/** A block that runs its body in several branches at a time. */
export interface ParallelBlock extends BlockBase {
  type: 'parallel';
  params: ContainerParams & { concurrency?: number; onBranchError?: 'fail' | 'collect' };
  body: Graph;
}

export const branchesMax = 1000;
export const concurrencyMax = 50;

export const parallel: ContainerKind<ParallelBlock> = {
  members: {
    params: overOne(
      shape.object(
        {},
        {
          ...passMembers(branchesMax),
          concurrency: shape.number({ min: 1, max: concurrencyMax }),
          onBranchError: shape.choice(['fail', 'collect']),
          collect: shape.json,
        },
      ),
      ['count', 'forEach'],
    ),
  },
  sample: {
    type: 'parallel',
    params: { count: 2 },
    body: {
      blocks: [{ id: 'step', type: 'wait', params: { duration: 1 } }],
      edges: [{ from: 'start', to: 'step' }],
    },
  },
  ...outputsOf('results', 'count', 'errors'),
  templates: ['count', 'forEach'],
  container: { pass: 'branch' },
};
