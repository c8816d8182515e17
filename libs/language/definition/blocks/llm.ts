import * as shape from '../shapes/shape.ts';
import { ruled } from '../shapes/shape.ts';
import { isObject, type Json, objectOf } from '#libs/platform/json/json';
import { type EffectBase, type EffectKind, outputObject, outputText } from './kind.ts';
import { model, modelKeys, promptCharsMax, promptText } from './model.ts';
import { following } from './response-data.ts';
import { responseSchema } from './response-schema.ts';

const message = shape.object({
  role: shape.choice(['system', 'user', 'assistant']),
  content: shape.text({ min: 1, max: promptCharsMax }),
});
const messages = shape.templated('a list of messages', shape.list(message, { min: 1, max: 200 }));

const params = ruled(
  shape.object(
    { model },
    {
      ...modelKeys,
      system: promptText,
      prompt: promptText,
      messages,
      /** The JSON Schema that the model's output must satisfy; never a template. */
      responseSchema,
    },
  ),
  ({ prompt, messages: given }, path, report) => {
    if ((prompt === undefined) === (given === undefined))
      report(path, 'exactly_one', 'It must have exactly one of prompt and messages.');
  },
);

/** A block that asks a model for one answer. */
export interface LlmBlock extends EffectBase {
  type: 'llm';
  params: shape.ValueOf<typeof params>;
}

export const llm: EffectKind<LlmBlock> = {
  members: { params },
  sample: { type: 'llm', params: { model: 'm', prompt: 'Say {{ start.n }}' } },
  outputs({ params: written }) {
    const { responseSchema: schema } = objectOf(written as Json | undefined);
    return {
      content: outputText,
      data: isObject(schema) ? following(schema) : shape.json,
      model: outputText,
      usage: outputObject,
      finishReason: outputText,
    };
  },
  effect: { queue: 'llm', timeoutMs: 120_000 },
};
