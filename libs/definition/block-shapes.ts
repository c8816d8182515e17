import type { JsonObject } from '#libs/definition/values';

import {
  anyText,
  duration,
  headers,
  isNumber,
  moment,
  nameText,
  portName,
  repeated,
  reservedPorts,
} from './atoms.ts';
import { blockOf, effectKeys, url } from './blocks/block-frame.ts';
import { mcp, webhook } from './blocks/call-shapes.ts';
import { human } from './blocks/human-shapes.ts';
import { evaluator, llm, router } from './blocks/model-shapes.ts';
import { sourceCharsMax } from './cel.ts';
import { yearMs } from './durations.ts';
import { loopParams, parallelParams } from './container-shapes.ts';
import * as shape from './shape.ts';
import { at, ruled, type Shape } from './shape.ts';

const conditionCase = ruled<{ port: string }>(
  shape.object({ port: portName, when: shape.text({ min: 1, max: sourceCharsMax }) }),
  ({ port }, path, report) => {
    if (reservedPorts.includes(port))
      report(at(path, 'port'), 'reserved_name', `"${port}" has a meaning of its own.`);
  },
);

const cases = ruled<{ port: string }[]>(
  shape.list(conditionCase, { min: 1, max: 50 }),
  (all, path, report) => {
    for (const i of repeated(all.map(({ port }) => port)))
      report(at(at(path, i), 'port'), 'duplicate_port', 'Another case has this port already.');
  },
);

const wait = blockOf('wait', {
  params: ruled<JsonObject>(
    shape.object(
      {},
      { duration: duration({ maxMs: yearMs, template: true }), until: shape.templated('a moment', moment()) },
    ),
    (params, path, report) => {
      if (Object.keys(params).length !== 1)
        report(path, 'exactly_one', 'It must have exactly one of duration and until.');
    },
  ),
});

const queryValue = shape.either(
  'text, a number, a boolean, null, or a list of texts',
  [isNumber, shape.anyNumber],
  [(value) => typeof value === 'boolean', shape.boolean],
  [(value) => value === null, { schema: { type: 'null' }, check: () => {} }],
  [(value) => typeof value === 'string', anyText],
  [Array.isArray, shape.list(shape.json, { max: 100 })],
);

const http = blockOf(
  'http',
  {
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
  effectKeys,
);

const functionBlock = blockOf(
  'function',
  {
    params: shape.object({ code: shape.text({ min: 1, max: 131_072 }) }, { input: shape.json }),
  },
  effectKeys,
);

const variables = blockOf('variables', {
  params: shape.object({ set: shape.record(nameText, shape.json, { min: 1, max: 100 }) }),
});

const response = blockOf('response', {
  params: shape.object(
    {},
    {
      data: shape.json,
      status: shape.templated('a status from 100 to 599', shape.number({ min: 100, max: 599 })),
      headers,
      raw: shape.boolean,
    },
  ),
});

export const blocksMax = 500;
export const edgesMax = 2000;

const edge = shape.object(
  { from: shape.text({ min: 1, max: 64 }), to: shape.text({ min: 1, max: 64 }) },
  { port: shape.text({ min: 1, max: 64 }) },
);

/** The members of a graph: of the definition itself, and of the body of a container. */
export const graphMembers = (): Record<string, Shape> => ({
  blocks: shape.list(block, { min: 1, max: blocksMax }),
  edges: shape.list(edge, { max: edgesMax }),
});

const body = shape.named('graph', () => shape.object(graphMembers()));

const workflow = blockOf('workflow', {
  params: shape.object(
    {
      workflowId: shape.text({ min: 1, max: 64, pattern: /^wf_\w+$/, says: 'the id of a workflow, as wf_…' }),
    },
    { inputs: shape.record(shape.text({ min: 1, max: 128 }), shape.json, { max: 200 }) },
  ),
});

/** A block of any type, told by `type`. */
export const block: Shape = shape.variant('type', {
  condition: blockOf('condition', { cases }),
  variables,
  response,
  http,
  function: functionBlock,
  human,
  wait,
  loop: blockOf('loop', { params: loopParams, body }),
  parallel: blockOf('parallel', { params: parallelParams, body }),
  workflow,
  webhook,
  llm,
  router,
  evaluator,
  mcp,
});
