import { sourceCharsMax } from '../expressions/cel.ts';
import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, outputsOf } from './kind.ts';
import { choices, portsIn } from './ports.ts';

/** A block that chooses its port by expressions. */
export interface ConditionBlock extends BlockBase {
  type: 'condition';
  /** In order: the first case that is true gives the port; when none is, the port is `else`. */
  cases: { port: string; when: string }[];
}

export const condition: BlockKind<ConditionBlock> = {
  members: { cases: choices('case', { when: shape.text({ min: 1, max: sourceCharsMax }) }) },
  sample: { type: 'condition', cases: [{ port: 'yes', when: 'start.n > 1' }] },
  ports: ({ cases }) => [...portsIn(cases), 'else'],
  hasChoice: () => true,
  ...outputsOf('port'),
  templates: [],
  conditions: ({ cases }) =>
    Array.isArray(cases)
      ? cases.map((item: unknown, i) => ({
          steps: ['cases', i, 'when'],
          source: isObject(item) ? item.when : undefined,
        }))
      : [],
  planParams: ({ cases }) => ({ cases }),
};
