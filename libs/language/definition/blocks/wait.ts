import { duration, moment } from '../expressions/atoms.ts';
import { yearMs } from '../durations.ts';
import * as shape from '../shapes/shape.ts';
import { ruled } from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, closedOutput, anyMembers } from './kind.ts';

const params = ruled(
  shape.object(
    {},
    {
      duration: duration({ maxMs: yearMs, template: true }),
      until: shape.templated('a moment', moment()),
    },
  ),
  (given, path, report) => {
    if (Object.keys(given).length !== 1)
      report(path, 'exactly_one', 'It must have exactly one of duration and until.');
  },
);

/** A block that waits for a time or until a moment. */
export interface WaitBlock extends BlockBase {
  type: 'wait';
  params: shape.ValueOf<typeof params>;
}

export const wait: BlockKind<WaitBlock> = {
  members: { params },
  sample: { type: 'wait', params: { duration: '{{ start.n }}' } },
  ...closedOutput(anyMembers('waitedUntil')),
};
