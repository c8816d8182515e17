import type { PlanBlock } from '#libs/language/definition/plan';
import type { Json } from '#libs/platform/json/json';

import type { Failure } from './effects.ts';

/**
 * The port by which a settled block is left: `out`, or the port that a router's output names. Undefined when the
 * router has no such route, so that no output can take a way that the definition does not have.
 */
export function portAfter({ type, params }: PlanBlock, output: Json): string | undefined {
  if (type !== 'router') return 'out';
  const port = memberOf(output, 'port');
  const routes = Array.isArray(params.routes) ? params.routes : [];
  return typeof port === 'string' && routes.some((route) => memberOf(route, 'port') === port)
    ? port
    : undefined;
}

export const noSuchRoute: Failure = {
  code: 'MODEL_OUTPUT_INVALID',
  message: 'The model chose a route that the block does not have.',
};

function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
