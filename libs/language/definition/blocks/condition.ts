import { sourceCharsMax } from '../expressions/cel.ts';
import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, closedOutput, anyMembers } from './kind.ts';
import { choices, portsIn } from './ports.ts';

/** In order: the first case that is true gives the port; when none is, the port is `else`. */
const cases = choices('case', { when: shape.text({ min: 1, max: sourceCharsMax }) });

/** A block that chooses its port by expressions. */
export interface ConditionBlock extends BlockBase {
  type: 'condition';
  cases: shape.ValueOf<typeof cases>;
}

export const condition: BlockKind<ConditionBlock> = {
  members: { cases },
  sample: { type: 'condition', cases: [{ port: 'yes', when: 'start.n > 1' }] },
  ports: (block) => [...portsIn(block.cases), 'else'],
  hasChoice: () => true,
  ...closedOutput(anyMembers('port')),
  templates: [],
  conditions: (block) =>
    Array.isArray(block.cases)
      ? block.cases.map((item: unknown, i) => ({
          steps: ['cases', i, 'when'],
          source: isObject(item) ? item.when : undefined,
        }))
      : [],
  planParams: (block) => ({ cases: block.cases }),
};
