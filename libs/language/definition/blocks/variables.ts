import type { JsonObject } from '#libs/platform/json/json';

import { nameText } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import type { BlockBase, BlockKind } from './kind.ts';

/** A block that sets variables of the run. */
export interface VariablesBlock extends BlockBase {
  type: 'variables';
  params: { set: JsonObject };
}

export const variables: BlockKind<VariablesBlock> = {
  members: { params: shape.object({ set: shape.record(nameText, shape.json, { min: 1, max: 100 }) }) },
  sample: { type: 'variables', params: { set: { v: '{{ vars.v + 1 }}' } } },
  outputs: ({ params }) => (isObject(params) && isObject(params.set) ? Object.keys(params.set) : []),
  // The values are checked where they are evaluated, so the plan has the types.
  planParams: ({ params }, types) => ({ ...params, types }),
};
