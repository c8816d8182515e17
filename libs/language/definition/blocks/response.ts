import { headers } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, closedOutput, anyMembers } from './kind.ts';

const params = shape.object(
  {},
  {
    data: shape.json,
    status: shape.templated('a status from 200 to 599', shape.number({ min: 200, max: 599 })),
    headers,
    raw: shape.boolean,
  },
);

/** A block that gives the run's output, and the status and headers of a raw response. */
export interface ResponseBlock extends BlockBase {
  type: 'response';
  params: shape.ValueOf<typeof params>;
}

export const response: BlockKind<ResponseBlock> = {
  members: { params },
  sample: {
    type: 'response',
    params: { data: '{{ vars }}', status: 201, headers: { 'x-a': '{{ start.n }}' } },
  },
  ...closedOutput(anyMembers('data', 'status', 'headers')),
};
