import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { Egress } from '#libs/platform/egress/egress';
import { buildEffectKey } from '../effects/effect-key.ts';
import { EffectHeld } from '#libs/runs/executions/control/effect-holds';
import { blockFailure, type EffectHandler, type EffectContext } from '../effects/effect-handler.ts';
import { toHeaders, callFailure, textOfEach } from '../calls/http-response.ts';
import { toAnswerOutput, type Unread } from '../outputs/large-output.ts';

/** By the HTTP standard these methods may be sent twice without harm. */
const idempotentMethods = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];

/** Makes one HTTP call through the egress. Any status but 2xx is a failure `HTTP_<status>`. */
@Injectable()
export class HttpHandler implements EffectHandler<'http'> {
  constructor(private readonly egress: Egress) {}

  async execute(context: EffectContext<'http'>): Promise<Json | Unread> {
    const { params, effect, run, signal, writes, enterHost, gate } = context;
    const { method = 'GET' } = params;
    const repeatable = idempotentMethods.includes(method) || params.idempotent === true;
    const { body, type } = bodyOf(params.body);
    const headers: Record<string, string> = {
      ...(type ? { 'content-type': type } : {}),
      ...toHeaders(params.headers),
    };
    // The key is the same for all attempts, so a receiver that honours it applies the request once.
    if (method !== 'GET' && method !== 'HEAD') headers['idempotency-key'] ??= buildEffectKey(run, effect);
    if (!repeatable) await writes.sendOnce();
    try {
      const response = await this.egress.request({
        method,
        url: withQuery(params.url, params.query),
        headers,
        body,
        signal,
        enterHost: (location) => enterHost(location, repeatable),
        gate,
        timeoutMs: effect.timeoutMs,
        ...(params.maxResponseBytes === undefined ? {} : { responseBytesMax: params.maxResponseBytes }),
        ...(params.followRedirects === false ? { redirectsMax: 0 } : {}),
      });
      return toAnswerOutput(response, repeatable);
    } catch (error) {
      if (error instanceof EffectHeld && !repeatable)
        throw blockFailure('REDIRECT_HELD', `The redirect of the answer is not followed. ${error.message}`, {
          retryable: false,
        });
      throw callFailure(error, repeatable);
    }
  }
}

function bodyOf(body: Json | undefined): { body?: string; type?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  return { body: JSON.stringify(body), type: 'application/json' };
}

function withQuery(url: string, query: JsonObject = {}): string {
  const pairs = Object.entries(textOfEach(query));
  if (pairs.length === 0 || !URL.canParse(url)) return url;
  const whole = new URL(url);
  for (const [name, value] of pairs) whole.searchParams.append(name, value);
  return whole.href;
}
