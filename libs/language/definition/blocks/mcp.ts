import type { JsonObject } from '#libs/platform/json/json';

import { headers, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, outputsOf } from './kind.ts';

/** A block that calls one tool of an MCP server. */
export interface McpBlock extends EffectBase {
  type: 'mcp';
  params: {
    url: string;
    tool: string;
    arguments?: JsonObject | string;
    headers?: JsonObject;
    idempotent?: boolean;
  };
}

export const mcp: EffectKind<McpBlock> = {
  members: {
    params: shape.object(
      { url, tool: shape.text({ min: 1, max: 256 }) },
      {
        arguments: shape.templated(
          'an object of arguments',
          shape.record(shape.text({ min: 1, max: 256 }), shape.json, { max: 200 }),
        ),
        headers,
        idempotent: shape.boolean,
      },
    ),
  },
  sample: { type: 'mcp', params: { url: 'https://a.test', tool: 't' } },
  ...outputsOf('content', 'structuredContent'),
  effect: { queue: 'io', timeoutMs: 60_000 },
};
