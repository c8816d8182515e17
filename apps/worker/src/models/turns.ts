import type { Json, JsonObject } from '#libs/platform/json/json';
import { blockFailure, isPlainObject } from '../effects/effect-handler.ts';
import type { Message, Turn } from './model-provider.ts';

/** Work that all blocks with a model share. A parameter that came out unusable is a failure `INVALID_VALUE`. */
export function turnOf(params: JsonObject, messages: Message[]): Turn {
  const { model, temperature, maxTokens, apiKey, baseUrl } = params;
  return {
    model: textOf(model, 'model'),
    messages,
    ...(temperature === undefined ? {} : { temperature: numberOf(temperature, 'temperature', 0, 2) }),
    ...(maxTokens === undefined ? {} : { maxTokens: wholeOf(maxTokens) }),
    ...(apiKey === undefined ? {} : { apiKey: textOf(apiKey, 'apiKey') }),
    ...(baseUrl === undefined ? {} : { baseUrl: textOf(baseUrl, 'baseUrl') }),
  };
}

/** A system message when there is one, then the prompt or the messages as they are given. */
export function messagesOf({ system, prompt, messages }: JsonObject): Message[] {
  const first: Message[] = isEmpty(system) ? [] : [{ role: 'system', content: asText(system) }];
  if (prompt !== undefined) {
    // A template that reads nothing would ask the model for "null".
    if (isEmpty(prompt)) throw unusable('the prompt came out empty');
    return [...first, { role: 'user', content: asText(prompt) }];
  }
  if (!Array.isArray(messages) || messages.length === 0)
    throw unusable('messages must be a list of { role, content }');
  return [...first, ...messages.map(messageOf)];
}

/** Text as it is, anything else as JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null || value === '';
}

function messageOf(value: Json): Message {
  const { role, content } = isPlainObject(value) ? value : {};
  if ((role !== 'system' && role !== 'user' && role !== 'assistant') || typeof content !== 'string')
    throw unusable('a message has a role of system, user or assistant, and text as content');
  return { role, content };
}

function textOf(value: Json | undefined, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw unusable(`${name} must be text`);
}

function numberOf(value: Json, name: string, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw unusable(`${name} must be a number from ${min} to ${max}`);
}

function wholeOf(value: Json): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw unusable('maxTokens must be a whole number above 0');
}

function unusable(what: string) {
  return blockFailure('INVALID_VALUE', `The parameters cannot be used: ${what}.`, { retryable: false });
}
