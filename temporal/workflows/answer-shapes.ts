import { ApplicationFailure } from '@temporalio/workflow';
import { isObject } from '#libs/platform/json/json';

/** The fault in the shape of an answer, or null. A person can type any message in the Temporal UI or CLI. */
export function misshapenAnswer(message: unknown): ApplicationFailure | null {
  if (!isObject(message)) return invalid('an answer is an object: { contextId, answers }');
  const { contextId, entryId = '', answers = {}, input = {}, as = '' } = message;
  if (typeof contextId !== 'string' || typeof entryId !== 'string' || typeof as !== 'string')
    return invalid('contextId is text, as are entryId and as where they are given');
  return isObject(answers) && isObject(input) ? null : invalid('answers are an object');
}

const invalid = (sentence: string) => ApplicationFailure.nonRetryable(sentence, 'ANSWER_INVALID');
