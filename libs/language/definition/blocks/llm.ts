import type { JsonObject } from '#libs/platform/json/json';

import * as shape from '../shapes/shape.ts';
import { ruled } from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, outputsOf } from './kind.ts';
import { model, modelKeys, type ModelParams, promptText } from './model.ts';
import { responseSchema } from './response-schema.ts';

/** A block that asks a model for one answer. */
export interface LlmBlock extends EffectBase {
  type: 'llm';
  params: ModelParams & {
    system?: string;
    prompt?: string;
    messages?: { role: string; content: string }[] | string;
    /** The JSON Schema that the model's output must satisfy; never a template. */
    responseSchema?: JsonObject;
  };
}

const message = shape.object({ role: shape.choice(['system', 'user', 'assistant']), content: promptText });
const messages = shape.templated('a list of messages', shape.list(message, { min: 1, max: 200 }));

export const llm: EffectKind<LlmBlock> = {
  members: {
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
  sample: { type: 'llm', params: { model: 'm', prompt: 'Say {{ start.n }}' } },
  ...outputsOf('content', 'data', 'model', 'usage', 'finishReason'),
  effect: { queue: 'llm', timeoutMs: 120_000 },
};
