import type { EffectParams } from '#libs/language/definition/blocks/registry';
import type { Json } from '#libs/platform/json/json';
import { invalidValue } from '../effects/effect-handler.ts';
import type { Message, Turn } from './model-provider.ts';

type ModelBlock = 'llm' | 'router' | 'evaluator';

export function buildTurn(params: EffectParams<ModelBlock>, messages: Message[]): Turn {
  const { model, temperature, maxTokens, apiKey, baseUrl } = params;
  return { model, messages, temperature, maxTokens, apiKey, baseUrl };
}

/** The system message, if any, then the prompt or the given messages. */
export function buildMessages({ system, prompt, messages = [] }: EffectParams<'llm'>): Message[] {
  const first: Message[] = isEmpty(system) ? [] : [{ role: 'system', content: asText(system) }];
  if (prompt !== undefined) {
    // Without this check an empty template would ask the model for "null".
    if (isEmpty(prompt)) throw invalidValue('prompt: It came out empty.');
    return [...first, { role: 'user', content: asText(prompt) }];
  }
  return [...first, ...messages];
}

/** Text as it is, anything else as JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null || value === '';
}
