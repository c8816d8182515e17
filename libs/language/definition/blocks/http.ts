import { anyText, sentHeaders, isNumber, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import {
  type EffectBase,
  type EffectKind,
  closedOutput,
  outputStatus,
  outputObject,
  outputText,
} from './kind.ts';

const queryValue = shape.rendered(
  shape.either(
    'text, a number, a boolean, null, or a list of texts',
    [isNumber, shape.anyNumber],
    [(value) => typeof value === 'boolean', shape.boolean],
    [(value) => value === null, { schema: { type: 'null' }, check: () => {} }],
    [(value) => typeof value === 'string', anyText],
    [Array.isArray, shape.list(shape.json, { max: 100 })],
  ),
  shape.json,
);

const params = shape.object(
  { url },
  {
    /** GET when absent. */
    method: shape.choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    headers: sentHeaders,
    query: shape.record(shape.text({ min: 1, max: 256 }), queryValue, { max: 100 }),
    body: shape.json,
    idempotent: shape.boolean,
    followRedirects: shape.boolean,
    maxResponseBytes: shape.number({ min: 1, max: 52_428_800 }),
  },
);

/** A block that makes one HTTP call. */
export interface HttpBlock extends EffectBase {
  type: 'http';
  params: shape.ValueOf<typeof params>;
}

export const http: EffectKind<HttpBlock> = {
  members: { params },
  sample: { type: 'http', params: { url: 'https://a.test' }, retry: { maxAttempts: 2 } },
  ...closedOutput({ status: outputStatus, headers: outputObject, data: shape.json, encoding: outputText }),
  effect: { queue: 'io', timeoutMs: 30_000 },
};
