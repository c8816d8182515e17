import type { JsonObject } from '#libs/definition/values';

import { checkBounds, nameText, portName, repeated, reservedPorts } from '../atoms.ts';
import { blockOf, effectKeys, url } from './block-frame.ts';
import { credential } from './call-shapes.ts';
import { responseSchema } from './response-schema.ts';
import * as shape from '../shape.ts';
import { anyNumber, at, ruled, type Shape } from '../shape.ts';

const promptText = shape.text({ min: 1, max: 131_072 });

/** What every block that asks a model may say. */
const modelKeys: Record<string, Shape> = {
  apiKey: credential,
  baseUrl: url,
  temperature: shape.templated('a number from 0 to 2', shape.number({ min: 0, max: 2, fraction: true })),
  maxTokens: shape.templated('a whole number', shape.number({ min: 1, max: 1_000_000 })),
};

const model = shape.text({ min: 1, max: 256 });

const message = shape.object({ role: shape.choice(['system', 'user', 'assistant']), content: promptText });

const messages = shape.templated('a list of messages', shape.list(message, { min: 1, max: 200 }));

/** One turn of a model. */
export const llm = blockOf(
  'llm',
  {
    params: ruled<JsonObject>(
      shape.object(
        { model },
        { ...modelKeys, system: promptText, prompt: promptText, messages, responseSchema },
      ),
      (params, path, report) => {
        if ((params.prompt === undefined) === (params.messages === undefined))
          report(path, 'exactly_one', 'It must have exactly one of prompt and messages.');
      },
    ),
  },
  effectKeys,
);

const route = ruled<{ port: string }>(
  shape.object({ port: portName, description: shape.text({ min: 1, max: 2000 }) }),
  ({ port }, path, report) => {
    if (reservedPorts.includes(port))
      report(at(path, 'port'), 'reserved_name', `"${port}" has a meaning of its own.`);
  },
);

const routes = ruled<{ port: string }[]>(shape.list(route, { min: 1, max: 50 }), (all, path, report) => {
  for (const i of repeated(all.map(({ port }) => port)))
    report(at(at(path, i), 'port'), 'duplicate_port', 'Another route has this port already.');
});

/** A model that chooses the way on. */
export const router = blockOf(
  'router',
  { params: shape.object({ model, input: shape.json, routes }, { ...modelKeys, instructions: promptText }) },
  effectKeys,
);

const metric = ruled<{ min: number; max: number }>(
  shape.object({
    name: nameText,
    description: shape.text({ min: 1, max: 2000 }),
    min: anyNumber,
    max: anyNumber,
  }),
  ({ min, max }, path, report) => checkBounds(path, report, { min, max }),
);

const metrics = ruled<{ name: string }[]>(shape.list(metric, { min: 1, max: 20 }), (all, path, report) => {
  for (const i of repeated(all.map(({ name }) => name)))
    report(at(at(path, i), 'name'), 'duplicate_name', 'Another metric has this name already.');
});

/** A model that gives marks. */
export const evaluator = blockOf(
  'evaluator',
  {
    params: shape.object({ model, content: shape.json, metrics }, { ...modelKeys, instructions: promptText }),
  },
  effectKeys,
);
