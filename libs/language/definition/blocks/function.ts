import * as shape from '../shapes/shape.ts';
import type { EffectBase, EffectKind } from './kind.ts';

/** `code` is JavaScript, never a template; `input` is the value that the code gets. */
const params = shape.object({ code: shape.text({ min: 1, max: 131_072 }) }, { input: shape.json });

/** A block that runs the author's JavaScript in the sandbox. */
export interface FunctionBlock extends EffectBase {
  type: 'function';
  params: shape.ValueOf<typeof params>;
}

export const functionKind: EffectKind<FunctionBlock> = {
  members: { params },
  sample: { type: 'function', params: { code: 'return input', input: '{{ start }}' } },
  templates: ['input'],
  effect: { queue: 'code', timeoutMs: 10_000 },
};
