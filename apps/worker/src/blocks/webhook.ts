import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { Egress } from '#libs/platform/egress/egress';
import type { RunKey } from '#temporal/activities';
import { type EffectHandler, unusable, type Work } from '../effects/effect-handler.ts';
import { outputOrFailure, headersOf, callFailure } from '../calls/http-response.ts';
import { signedHeaders } from '../calls/webhook-signature.ts';

const noSecret = 'The secret of a webhook is whsec_ and the base64 of 24 to 64 bytes.';

/**
 * Delivers an event, signed after the Standard Webhooks scheme. Its id is the same over every attempt, so a receiver
 * tells a repetition by it, and a delivery whose worker was lost is sent again.
 */
@Injectable()
export class WebhookBlock implements EffectHandler<'webhook'> {
  constructor(private readonly egress: Egress) {}

  async carryOut({ params, effect, run, signal }: Work<'webhook'>): Promise<Json> {
    const id = deliveryId(run, effect.visit.path);
    // No time in it: one id is one body. The attempt's own time is in the header.
    const body = JSON.stringify({ type: params.event, data: params.data ?? null });
    const signed = signedHeaders(id, body, params.secret);
    if (!signed) throw unusable(noSecret);
    try {
      const response = await this.egress.request({
        method: 'POST',
        url: params.url,
        headers: {
          'content-type': 'application/json',
          ...headersOf(params.headers),
          ...signed,
        },
        body,
        signal,
        timeoutMs: effect.timeoutMs,
        // By the scheme a redirect is a refusal: what was signed for one receiver is not handed to another.
        redirectsMax: 0,
      });
      return { id, ...outputOrFailure(response, true) };
    } catch (error) {
      throw callFailure(error, true);
    }
  }
}

/** Without a dot, which separates the parts of what is signed. */
function deliveryId({ executionId }: RunKey, path: string): string {
  return `msg_${createHash('sha256').update(`${executionId}/${path}`).digest('hex').slice(0, 32)}`;
}
