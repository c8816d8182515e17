import { sentHeaders, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, closedOutput, outputObjects } from './kind.ts';

const params = shape.object(
  { url, tool: shape.text({ min: 1, max: 256 }) },
  {
    arguments: shape.templated(
      'an object of arguments',
      shape.record(shape.text({ min: 1, max: 256 }), shape.json, { max: 200 }),
    ),
    headers: sentHeaders,
    idempotent: shape.boolean,
  },
);

/** A block that calls one tool of an MCP server. */
export interface McpBlock extends EffectBase {
  type: 'mcp';
  params: shape.ValueOf<typeof params>;
}

export const mcp: EffectKind<McpBlock> = {
  members: { params },
  sample: { type: 'mcp', params: { url: 'https://a.test', tool: 't' } },
  ...closedOutput({ content: outputObjects, structuredContent: shape.json }),
  effect: { queue: 'io', timeoutMs: 60_000 },
};
