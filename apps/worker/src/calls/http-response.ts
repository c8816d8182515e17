import type { Json, JsonObject } from '#libs/platform/json/json';
import { EgressFailed, EgressRefused, type EgressResponse } from '#libs/platform/egress/egress';
import { cutText } from '#libs/platform/json/texts';
import { blockFailure } from '../effects/effect-handler.ts';

const excerptCharsMax = 1500;

/** Statuses after which the same request may succeed. */
const passing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

/** The answer as an output. Any status but 2xx becomes a failure `HTTP_<status>` with the answer. */
export function outputOrFailure(response: EgressResponse, repeatable: boolean): JsonObject {
  if (response.status >= 200 && response.status < 300) return outputOf(response);
  throw statusFailure(response, repeatable);
}

/** The block's failure for an answer with an error status. */
export function statusFailure(response: EgressResponse, repeatable: boolean): Error {
  const { status, headers } = response;
  const output = outputOf(response);
  return blockFailure(`HTTP_${status}`, `The server answered ${status}.`, {
    retryable: repeatable && passing(status),
    retryAfterMs: retryAfterMs(headers),
    details: { ...output, data: excerpt(output.data) },
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

function outputOf(response: EgressResponse): JsonObject {
  const { status, headers } = response;
  return { status, headers, ...dataOf(response) };
}

/** JSON as JSON, text as text, anything else in base64. */
function dataOf({ headers, body }: EgressResponse): { data: Json; encoding?: 'base64' } {
  const type = headers['content-type'] ?? '';
  const bytes = Buffer.from(body);
  if (/[/+]json\b/i.test(type)) {
    try {
      const parsed: Json = JSON.parse(bytes.toString('utf8'));
      return { data: parsed };
    } catch {
      return { data: bytes.toString('utf8') };
    }
  }
  if (type === '' || /^text\/|xml|javascript|urlencoded/i.test(type)) return { data: bytes.toString('utf8') };
  return { data: bytes.toString('base64'), encoding: 'base64' };
}

/** Null members are left out. */
export function textOfEach(value: JsonObject): Record<string, string> {
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

export function headersOf(value: JsonObject = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(textOfEach(value)).map(([name, text]) => [name.toLowerCase(), text]),
  );
}

/** Compares the date with the server's own clock, which its answer shows. Our clock may differ. */
function retryAfterMs({ date, 'retry-after': header }: Record<string, string>): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const nowMs = Date.parse(date ?? '') || Date.now();
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 3_600_000) : undefined;
}
