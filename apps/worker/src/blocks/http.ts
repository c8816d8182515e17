import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#libs/definition/values';
import { Egress, EgressFailed, EgressRefused, type EgressResponse } from '#libs/egress/egress';
import { blockFailure, isObject, type Work } from '../activities/effect-frame.ts';

/** Methods that may be sent twice without harm, by the HTTP standard. */
const idempotentMethods = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];

const excerptCharsMax = 1500;

/** Answers after which the same request may succeed. */
const passing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

/** Makes one HTTP call through the one door. Any answer but 2xx is a failure `HTTP_<status>`. */
@Injectable()
export class HttpBlock {
  constructor(private readonly egress: Egress) {}

  async carryOut({ params, effect, run, signal, attempt }: Work): Promise<Json> {
    const method = String(params.method ?? 'GET').toUpperCase();
    const repeatable = idempotentMethods.includes(method) || params.idempotent === true;
    if (attempt > 1 && !repeatable) {
      const message = `A worker was lost while it sent this ${method}; it may or may not have arrived, so it is not sent again.`;
      throw blockFailure('OUTCOME_UNKNOWN', message, { retryable: false });
    }
    const { body, type } = bodyOf(params.body);
    const headers: Record<string, string> = {
      ...(type ? { 'content-type': type } : {}),
      ...headersOf(params.headers),
    };
    // The same over every attempt: a receiver that honours it applies the request once.
    if (method !== 'GET' && method !== 'HEAD')
      headers['idempotency-key'] ??= `${run.executionId}/${effect.visit.path}`;
    try {
      const response = await this.egress.request({
        method,
        url: withQuery(String(params.url ?? ''), params.query),
        headers,
        body,
        signal,
        timeoutMs: effect.timeoutMs,
        ...(typeof params.maxResponseBytes === 'number' ? { responseBytesMax: params.maxResponseBytes } : {}),
        ...(params.followRedirects === false ? { redirectsMax: 0 } : {}),
      });
      return accepted(response, repeatable);
    } catch (error) {
      throw refusal(error, repeatable);
    }
  }
}

function accepted(response: EgressResponse, repeatable: boolean): JsonObject {
  const { status, headers } = response;
  const output: JsonObject = { status, headers, ...dataOf(response) };
  if (status >= 200 && status < 300) return output;
  throw blockFailure(`HTTP_${status}`, `The server answered ${status}.`, {
    retryable: repeatable && passing(status),
    retryAfterMs: retryAfterMs(headers['retry-after']),
    details: { ...output, data: excerpt(output.data) },
  });
}

function refusal(error: unknown, repeatable: boolean): unknown {
  if (error instanceof EgressRefused) return blockFailure(error.code, error.message, { retryable: false });
  if (error instanceof EgressFailed)
    return blockFailure(error.code, error.message, {
      retryable: repeatable || !error.sent,
      details: { sent: error.sent },
    });
  return error;
}

/** A failure travels through history, so it carries the start of a long answer and not the whole. */
function excerpt(data: Json | undefined): Json {
  const text = JSON.stringify(data ?? null);
  return text.length <= excerptCharsMax ? (data ?? null) : `${text.slice(0, excerptCharsMax)}…`;
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

function bodyOf(body: Json | undefined): { body?: string; type?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  return { body: JSON.stringify(body), type: 'application/json' };
}

/** Null members are left out, as if they had not been written. */
function textOfEach(value: Json | undefined): Record<string, string> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

function headersOf(value: Json | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(textOfEach(value)).map(([name, text]) => [name.toLowerCase(), text]),
  );
}

function withQuery(url: string, query: Json | undefined): string {
  const pairs = Object.entries(textOfEach(query));
  if (pairs.length === 0 || !URL.canParse(url)) return url;
  const whole = new URL(url);
  for (const [name, value] of pairs) whole.searchParams.append(name, value);
  return whole.href;
}

function retryAfterMs(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 3_600_000) : undefined;
}
