import { nameText } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import { anyMembers, type BlockBase, type BlockKind } from './kind.ts';

const params = shape.object({ set: shape.record(nameText, shape.json, { min: 1, max: 100 }) });

/** A block that sets variables of the run. */
export interface VariablesBlock extends BlockBase {
  type: 'variables';
  params: shape.ValueOf<typeof params>;
}

export const variables: BlockKind<VariablesBlock> = {
  members: { params },
  sample: { type: 'variables', params: { set: { v: '{{ vars.v + 1 }}' } } },
  outputs: (block) =>
    anyMembers(
      ...(isObject(block.params) && isObject(block.params.set) ? Object.keys(block.params.set) : []),
    ),
  // The values are checked where they are evaluated, so the plan has the types.
  planParams: (block, types) => ({ ...block.params, types }),
};
