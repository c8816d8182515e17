import { ApplicationFailure } from '@temporalio/workflow';
import { isObject } from '#libs/platform/json/json';

/** The latest time of a JavaScript date, in milliseconds. */
const latestMs = 8.64e15;

/**
 * The fault in the shape of an answer that came as an update, or null. A person can type any message in the Temporal UI
 * or CLI.
 */
export function misshapenUpdate(message: unknown): ApplicationFailure | null {
  if (!isObject(message)) return invalid('an answer is an object: { entryId, contextId, answers }');
  const { contextId, entryId, answers, person, atMs = 0, appliedAtMs } = message;
  if (typeof contextId !== 'string' || typeof entryId !== 'string')
    return invalid('contextId and entryId are text');
  if (!isObject(answers)) return invalid('answers are an object');
  if (appliedAtMs !== undefined && typeof appliedAtMs !== 'number') return invalid('appliedAtMs is a number');
  if (typeof atMs !== 'number' || !(Math.abs(atMs) <= latestMs)) return invalid('atMs is the time of a date');
  if (person === undefined) return null;
  const isPerson =
    isObject(person) &&
    typeof person['id'] === 'string' &&
    Array.isArray(person['names']) &&
    Array.isArray(person['own'] ?? []);
  return isPerson ? null : invalid('a person is { id, own, names }');
}

/** The fault in the shape of an answer that came as a signal, or null. */
export function misshapenSignal(message: unknown): ApplicationFailure | null {
  if (!isObject(message)) return invalid('an answer is an object: { contextId, answers }');
  const { contextId, entryId = '', answers = {}, input = {}, as = '' } = message;
  if (typeof contextId !== 'string' || typeof entryId !== 'string' || typeof as !== 'string')
    return invalid('contextId is text, as are entryId and as where they are given');
  return isObject(answers) && isObject(input) ? null : invalid('answers are an object');
}

const invalid = (sentence: string) => ApplicationFailure.nonRetryable(sentence, 'ANSWER_INVALID');
