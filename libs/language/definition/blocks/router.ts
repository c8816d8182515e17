import type { Json } from '#libs/platform/json/json';

import * as shape from '../shapes/shape.ts';
import { isObject } from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, outputsOf } from './kind.ts';
import { model, modelKeys, type ModelParams, promptText } from './model.ts';
import { choices, portsIn } from './ports.ts';

/** A block that asks a model for its port. */
export interface RouterBlock extends EffectBase {
  type: 'router';
  params: ModelParams & {
    input: Json;
    routes: { port: string; description: string }[];
    instructions?: string;
  };
}

const routes = choices('route', { description: shape.text({ min: 1, max: 2000 }) });

export const router: EffectKind<RouterBlock> = {
  members: {
    params: shape.object({ model, input: shape.json, routes }, { ...modelKeys, instructions: promptText }),
  },
  sample: {
    type: 'router',
    params: { model: 'm', input: 1, routes: [{ port: 'yes', description: 'd' }] },
  },
  ports: ({ params }) => portsIn(isObject(params) ? params.routes : []),
  hasChoice: () => true,
  ...outputsOf('port', 'reason', 'usage'),
  effect: { queue: 'llm', timeoutMs: 60_000 },
};
