import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, outputObject, outputText, type RawBlock } from './kind.ts';
import { model, modelKeys, promptText } from './model.ts';
import { choices, portsIn } from './ports.ts';

const routes = choices('route', {
  description: shape.rendered(shape.text({ min: 1, max: 2000 }), shape.json),
});
const params = shape.object({ model, input: shape.json, routes }, { ...modelKeys, instructions: promptText });

/** A block that asks a model for its port. */
export interface RouterBlock extends EffectBase {
  type: 'router';
  params: shape.ValueOf<typeof params>;
}

const portsOf = (block: RawBlock) => portsIn(isObject(block.params) ? block.params.routes : []);

export const router: EffectKind<RouterBlock> = {
  members: { params },
  sample: {
    type: 'router',
    params: { model: 'm', input: 1, routes: [{ port: 'yes', description: 'd' }] },
  },
  ports: portsOf,
  hasChoice: () => true,
  // The run goes on by the port, so it must be one of the block.
  outputs: (block) => ({ port: shape.choice(portsOf(block)), reason: outputText, usage: outputObject }),
  effect: { queue: 'llm', timeoutMs: 60_000 },
};
