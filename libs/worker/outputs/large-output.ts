import type { ApplicationFailure } from '@temporalio/common';
import type { EgressResponse } from '#libs/platform/egress/egress';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { scanOutline } from '#libs/platform/json/repeated-names';
import { parseOutput } from '#libs/platform/sandbox/output';
import { SandboxError } from '#libs/platform/sandbox/sandbox-error';
import { isJsonType } from '#libs/platform/text/foreign-text';
import { screenJson } from '#libs/platform/text/whole-text';
import { depthMax, storable, tooDeep } from '#libs/runs/executions/record/storable';
import { outputOrFailure } from '../calls/http-response.ts';
import { blockFailure } from '../effects/effect-handler.ts';

/** What a handler got, before it is read: an answer, the JSON text that code gave, or the JSON text of any other value. */
export type LargeOutput =
  | ({ kind: 'answer'; response: EgressResponse; isRepeatable: boolean } & AnswerOptions)
  | { kind: 'result'; text: string; logs: string[] }
  | { kind: 'value'; text: string };

export interface AnswerOptions {
  /** Further members of the output. */
  beside?: JsonObject;
  /** JSON that is none is text, and no failure. */
  mayBeText?: boolean;
}

/** An output that a thread reads, because the main thread serves others meanwhile. */
export class Unread {
  constructor(readonly output: LargeOutput) {}
}

/** An output of at most this length, in bytes or characters, is read on the main thread. */
export const sizeHereMax = 65_536;

/** Reads an answer, or leaves a large one to a thread. Throws the failure of the block. */
export function toAnswerOutput(
  response: EgressResponse,
  isRepeatable: boolean,
  options: AnswerOptions = {},
): JsonObject | Unread {
  const output: LargeOutput = { kind: 'answer', response, isRepeatable, ...options };
  return response.body.length > sizeHereMax ? new Unread(output) : readAnswer(output);
}

/** The most values of JSON that a thread has memory for, as `scanOutline` counts them. Every answer of 10 MiB has fewer. */
const valuesInThreadMax = 8_000_000;

/** Reads the output as a row can hold it. Throws the failure of the block, and `Unstorable` when it nests too deep. */
export function readOutput(output: LargeOutput): Json {
  switch (output.kind) {
    case 'answer':
      requireBounded(output.response);
      return screenJson(readAnswer(output));
    case 'result':
      return storable(readResult(output));
    default:
      return storable(JSON.parse(output.text) as Json);
  }
}

/** Looks at the bytes of JSON before it is parsed, because a thread without memory would end the process. */
function requireBounded({ headers, body }: EgressResponse): void {
  if (!isJsonType(headers['content-type'] ?? '')) return;
  const { values, depth } = scanOutline(body);
  if (depth >= depthMax) throw tooDeep();
  if (values <= valuesInThreadMax) return;
  const message = `The answer has more than ${valuesInThreadMax} members and items; ask for less, for example page by page.`;
  throw blockFailure('RESPONSE_TOO_LARGE', message, { retryable: false });
}

function readAnswer({
  response,
  isRepeatable,
  beside,
  mayBeText,
}: Extract<LargeOutput, { kind: 'answer' }>): JsonObject {
  return { ...beside, ...outputOrFailure(response, isRepeatable, mayBeText) };
}

function readResult({ text, logs }: Extract<LargeOutput, { kind: 'result' }>): Json {
  try {
    return parseOutput(text, logs);
  } catch (error) {
    throw error instanceof SandboxError ? codeFailure(error) : error;
  }
}

/** The block's failure for code without a result. */
export function codeFailure({ code, message, details }: SandboxError): ApplicationFailure {
  return blockFailure(code, message, { retryable: true, details: { ...details } });
}
