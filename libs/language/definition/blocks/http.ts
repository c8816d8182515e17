import type { Json, JsonObject } from '#libs/platform/json/json';

import { anyText, headers, isNumber, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, outputsOf } from './kind.ts';

/** A block that makes one HTTP call. */
export interface HttpBlock extends EffectBase {
  type: 'http';
  params: {
    /** GET when absent. */
    method?: string;
    url: string;
    headers?: JsonObject;
    query?: JsonObject;
    body?: Json;
    idempotent?: boolean;
    followRedirects?: boolean;
    maxResponseBytes?: number;
  };
}

const queryValue = shape.either(
  'text, a number, a boolean, null, or a list of texts',
  [isNumber, shape.anyNumber],
  [(value) => typeof value === 'boolean', shape.boolean],
  [(value) => value === null, { schema: { type: 'null' }, check: () => {} }],
  [(value) => typeof value === 'string', anyText],
  [Array.isArray, shape.list(shape.json, { max: 100 })],
);

export const http: EffectKind<HttpBlock> = {
  members: {
    params: shape.object(
      { url },
      {
        method: shape.choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
        headers,
        query: shape.record(shape.text({ min: 1, max: 256 }), queryValue, { max: 100 }),
        body: shape.json,
        idempotent: shape.boolean,
        followRedirects: shape.boolean,
        maxResponseBytes: shape.number({ min: 1, max: 52_428_800 }),
      },
    ),
  },
  sample: { type: 'http', params: { url: 'https://a.test' }, retry: { maxAttempts: 2 } },
  ...outputsOf('status', 'headers', 'data', 'encoding'),
  effect: { queue: 'io', timeoutMs: 30_000 },
};
