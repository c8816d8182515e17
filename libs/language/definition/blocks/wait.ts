import type { JsonObject } from '#libs/platform/json/json';

import { duration, moment } from '../expressions/atoms.ts';
import type { Duration } from '../definition.ts';
import { yearMs } from '../durations.ts';
import * as shape from '../shapes/shape.ts';
import { ruled } from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, outputsOf } from './kind.ts';

/** A block that waits for a time or until a moment. */
export interface WaitBlock extends BlockBase {
  type: 'wait';
  params: { duration: Duration } | { until: string };
}

export const wait: BlockKind<WaitBlock> = {
  members: {
    params: ruled<JsonObject>(
      shape.object(
        {},
        {
          duration: duration({ maxMs: yearMs, template: true }),
          until: shape.templated('a moment', moment()),
        },
      ),
      (params, path, report) => {
        if (Object.keys(params).length !== 1)
          report(path, 'exactly_one', 'It must have exactly one of duration and until.');
      },
    ),
  },
  sample: { type: 'wait', params: { duration: '{{ start.n }}' } },
  ...outputsOf('waitedUntil'),
};
