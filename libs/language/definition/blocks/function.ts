import type { Json } from '#libs/platform/json/json';

import * as shape from '../shapes/shape.ts';
import type { EffectBase, EffectKind } from './kind.ts';

/** A block that runs the author's JavaScript in the sandbox. */
export interface FunctionBlock extends EffectBase {
  type: 'function';
  /** `code` is JavaScript, never a template; `input` is the value that the code gets. */
  params: { code: string; input?: Json };
}

export const functionKind: EffectKind<FunctionBlock> = {
  members: {
    params: shape.object({ code: shape.text({ min: 1, max: 131_072 }) }, { input: shape.json }),
  },
  sample: { type: 'function', params: { code: 'return input', input: '{{ start }}' } },
  templates: ['input'],
  effect: { queue: 'code', timeoutMs: 10_000 },
};
