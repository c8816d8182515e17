import type { Json, JsonObject } from '#libs/platform/json/json';
import { parseKeepingDigits, UnholdableNumber } from '#libs/platform/json/kept-digits';
import { scanOutline } from '#libs/platform/json/repeated-names';
import { foreignText, isJsonType, isTextual } from '#libs/platform/text/foreign-text';
import type { EgressResponse } from '#libs/platform/egress/egress';
import { EgressFailed, EgressRefused } from '#libs/platform/egress/egress-errors';
import { cutText } from '#libs/platform/text/whole-text';
import { retryAfterMs } from '#libs/platform/egress/headers';
import { blockFailure } from '../effects/effect-handler.ts';

const excerptCharsMax = 1500;
const beginningCharsMax = 200;
const retryAfterMsMax = 3_600_000;

/** The most values in an answer that is read on the main thread: members of objects and items of lists. */
const valuesHereMax = 100_000;

/** Throws for an answer that would keep the main thread for long. The length of texts in it costs little. */
export function requireFewValues({ body }: Pick<EgressResponse, 'body'>): void {
  if (body.length <= valuesHereMax || scanOutline(body).values <= valuesHereMax) return;
  const message = `The answer has more than ${valuesHereMax} members and items.`;
  throw new EgressFailed('RESPONSE_TOO_LARGE', message, true);
}

/** Statuses after which the same request may succeed. */
const passing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * The answer as an output. Any status but 2xx becomes a failure `HTTP_<status>` with the answer, and JSON that is none a failure
 * `RESPONSE_INVALID` unless it may be text.
 */
export function outputOrFailure(
  response: EgressResponse,
  repeatable: boolean,
  mayBeText = false,
): JsonObject {
  const { status } = response;
  if (status < 200 || status >= 300) throw statusFailure(response, repeatable);
  const { fault, ...read } = dataOf(response);
  if (fault instanceof UnholdableNumber)
    throw blockFailure('RESPONSE_INVALID', `The answer cannot be kept. ${fault.message}`, {
      retryable: false,
    });
  const output = { status, headers: toOutputHeaders(response), ...read };
  // A part that was asked for is no whole value.
  if (fault === undefined || mayBeText || status === 206) return output;
  const begins = readBeginning(response);
  if (begins === '') return output;
  const advice = 'let its server send JSON, or another content type';
  const message = `The answer says that it is JSON, and is none; ${advice}. It begins: ${begins}`;
  throw blockFailure('RESPONSE_INVALID', message, {
    retryable: repeatable,
    details: { ...output, data: excerpt(read.data) },
  });
}

/** The block's failure for an answer with an error status. */
export function statusFailure(response: EgressResponse, repeatable: boolean): Error {
  const { status, headers } = response;
  const { fault: _, ...read } = dataOf(response);
  return blockFailure(`HTTP_${status}`, `The server answered ${status}.`, {
    retryable: repeatable && passing(status),
    retryAfterMs: retryAfterMs(headers, retryAfterMsMax),
    details: { status, headers: toOutputHeaders(response), ...read, data: excerpt(read.data) },
  });
}

/** The block's failure for a call without an answer. `repeatable` says whether a sent call may be made again. */
export function callFailure(error: unknown, repeatable: boolean): unknown {
  if (error instanceof EgressRefused) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof EgressFailed)
    return blockFailure(error.code, error.message, {
      retryable: repeatable || !error.sent,
      details: { sent: error.sent },
    });
  return error;
}

/** The start of a long answer: a failure travels through history, so it must stay small. */
export function excerpt(data: Json | undefined): Json {
  const text = JSON.stringify(data ?? null);
  return text.length <= excerptCharsMax ? (data ?? null) : cutText(text, excerptCharsMax, '…');
}

/** Several cookies are a list, because a cookie may have a comma. */
function toOutputHeaders({ headers, setCookies }: EgressResponse): JsonObject {
  return setCookies ? { ...headers, 'set-cookie': setCookies } : headers;
}

/** JSON as JSON, other text as text, anything else in base64. JSON that cannot be read is text, with the fault. */
function dataOf({ headers, body }: EgressResponse): { data: Json; encoding?: 'base64'; fault?: unknown } {
  const type = headers['content-type'] ?? '';
  if (!isTextual(type)) return { data: Buffer.from(body).toString('base64'), encoding: 'base64' };
  const text = foreignText(body, type);
  if (!isJsonType(type)) return { data: text };
  try {
    return { data: parseKeepingDigits(text) };
  } catch (fault) {
    return { data: text, fault };
  }
}

/** The start of the text of an answer, for a sentence. */
export function readBeginning({ headers, body }: EgressResponse): string {
  return cutText(foreignText(body, headers['content-type']).trim(), beginningCharsMax, '…');
}

/** Null members are left out. */
export function textOfEach(value: JsonObject = {}): Record<string, string> {
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

export function toHeaders(value?: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(textOfEach(value)).map(([name, text]) => [name.toLowerCase(), text]),
  );
}
