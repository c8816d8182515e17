import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { appendQuery } from '#libs/platform/text/query-text';
import { Egress, isIdempotent } from '#libs/platform/egress/egress';
import { buildEffectKey } from '#libs/runs/executions/record/effect-key';
import { EffectHeld } from '#libs/runs/executions/control/effect-holds';
import { blockFailure, type EffectHandler, type EffectContext } from '../effects/effect-handler.ts';
import { toHeaders, callFailure, textOfEach } from '../calls/http-response.ts';
import { toRequestBody } from '../calls/request-body.ts';
import { toAnswerOutput, type Unread } from '../outputs/large-output.ts';

/** Makes one HTTP call through the egress. Any status but 2xx is a failure `HTTP_<status>`. */
@Injectable()
export class HttpHandler implements EffectHandler<'http'> {
  constructor(private readonly egress: Egress) {}

  async execute(context: EffectContext<'http'>): Promise<Json | Unread> {
    const { params, effect, run, signal, writes, enterHost, gate } = context;
    const { method = 'GET' } = params;
    const repeatable = isIdempotent(method) || params.idempotent === true;
    const given = toHeaders(params.headers);
    const { body, type } = toRequestBody(params.body, given['content-type']);
    const headers: Record<string, string> = { ...(type ? { 'content-type': type } : {}), ...given };
    // The key is the same for all attempts, so a receiver that honours it applies the request once.
    if (method !== 'GET' && method !== 'HEAD') headers['idempotency-key'] ??= buildEffectKey(run, effect);
    if (!repeatable) await writes.sendOnce();
    try {
      const response = await this.egress.request({
        method,
        url: appendQuery(params.url, Object.entries(textOfEach(params.query))),
        headers,
        body,
        repeatable,
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
