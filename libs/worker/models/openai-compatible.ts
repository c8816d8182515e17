import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { Egress } from '#libs/platform/egress/egress';
import { Settings } from '#libs/platform/settings/settings';
import { appendPath } from '#libs/platform/text/query-text';
import { Costs } from '../effects/costs.ts';
import { blockFailure, isPlainObject } from '../effects/effect-handler.ts';
import { outputOrFailure, excerpt, callFailure, requireFewValues } from '../calls/http-response.ts';
import {
  ModelProvider,
  type Turn,
  type TurnCall,
  type TurnResult,
  type TokenUsage,
} from './model-provider.ts';
import { isStrict } from './structured.ts';

const answerBytesMax = 4 * 1024 * 1024;

/**
 * `POST {baseUrl}/chat/completions`, which most providers and local servers support. We send it ourselves: it is one
 * request, and the retries and time-outs of a client library would multiply with the block's.
 */
@Injectable()
export class OpenAiCompatible extends ModelProvider {
  constructor(
    private readonly egress: Egress,
    private readonly settings: Settings,
    private readonly costs: Costs,
  ) {
    super();
  }

  async answer(turn: Turn, { run, visitPath, ...call }: TurnCall): Promise<TurnResult> {
    try {
      const response = await this.egress.request({
        ...call,
        method: 'POST',
        url: appendPath(turn.baseUrl ?? this.settings.llmBaseUrl, '/chat/completions'),
        headers: {
          'content-type': 'application/json',
          ...(turn.apiKey ? { authorization: `Bearer ${turn.apiKey}` } : {}),
        },
        body: JSON.stringify(bodyOf(turn)),
        responseBytesMax: answerBytesMax,
        redirectsMax: 0,
      });
      requireFewValues(response);
      // A turn changes nothing outside, so a failed one may be repeated.
      const { data } = outputOrFailure(response, true);
      const used = parseUsage(objectOf(data).usage);
      // An unusable answer has been paid for too.
      if (used) await this.costs.noteModelCall(run, visitPath, turn.model, used);
      return answerOf(data, turn.model);
    } catch (error) {
      throw callFailure(error, true);
    }
  }
}

function bodyOf({ model, messages, temperature, maxTokens, format }: Turn): object {
  return {
    model,
    messages,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(format ? { response_format: formatOf(format) } : {}),
  };
}

function formatOf({ name, schema }: { name: string; schema: JsonObject }): object {
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrict(schema) } };
}

function answerOf(data: Json | undefined, requestedModel: string): TurnResult {
  const whole = objectOf(data);
  const choices = Array.isArray(whole.choices) ? whole.choices : [];
  const choice = objectOf(choices[0]);
  const message = objectOf(choice.message);
  const usage = parseUsage(whole.usage);
  if (typeof message.refusal === 'string' && message.refusal !== '')
    throw blockFailure('MODEL_REFUSED', 'The model refused to answer.', {
      retryable: false,
      details: { refusal: excerpt(message.refusal), usage },
    });
  if (choices.length === 0 || (typeof message.content !== 'string' && message.content !== null))
    throw blockFailure('RESPONSE_INVALID', 'The answer is no chat completion.', {
      retryable: true,
      details: { answer: excerpt(data) },
    });
  return {
    content: message.content ?? '',
    model: typeof whole.model === 'string' ? whole.model : requestedModel,
    usage,
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : 'unknown',
  };
}

function parseUsage(value: Json | undefined): TokenUsage | null {
  const { prompt_tokens, completion_tokens, total_tokens } = objectOf(value);
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return null;
  const total = typeof total_tokens === 'number' ? total_tokens : prompt_tokens + completion_tokens;
  return { promptTokens: prompt_tokens, completionTokens: completion_tokens, totalTokens: total };
}

function objectOf(value: Json | undefined): JsonObject {
  return isPlainObject(value) ? value : {};
}
