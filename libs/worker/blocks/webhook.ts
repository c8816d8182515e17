import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { Egress } from '#libs/platform/egress/egress';
import { buildEffectKey } from '#libs/runs/executions/record/effect-key';
import { type EffectHandler, invalidValue, type EffectContext } from '../effects/effect-handler.ts';
import { toHeaders, callFailure } from '../calls/http-response.ts';
import { toAnswerOutput, type Unread } from '../outputs/large-output.ts';
import { signedHeaders } from '../calls/webhook-signature.ts';

const noSecret = 'The secret of a webhook is whsec_ and the base64 of 24 to 64 bytes.';

/**
 * Delivers an event, signed by the Standard Webhooks scheme. All attempts have the same id, so a receiver recognises a
 * repetition. A delivery whose worker was lost is sent again.
 */
@Injectable()
export class WebhookHandler implements EffectHandler<'webhook'> {
  constructor(private readonly egress: Egress) {}

  async execute({ params, effect, run, signal, gate }: EffectContext<'webhook'>): Promise<Json | Unread> {
    const id = buildDeliveryId(buildEffectKey(run, effect));
    // The body has no time, because one id must have one body. The header has the time of the attempt.
    const body = JSON.stringify({ type: params.event, data: params.data ?? null });
    const signed = signedHeaders(id, body, [params.secret]);
    if (!signed) throw invalidValue(noSecret);
    try {
      const response = await this.egress.request({
        method: 'POST',
        url: params.url,
        headers: {
          'content-type': 'application/json',
          ...toHeaders(params.headers),
          ...signed,
        },
        body,
        // All attempts have one id, so a receiver recognises a repetition.
        repeatable: true,
        signal,
        gate,
        timeoutMs: effect.timeoutMs,
        // By the scheme a redirect is a refusal: a signed event must not go to another receiver.
        redirectsMax: 0,
      });
      // A delivery that was accepted does not fail for an answer that nobody reads.
      return toAnswerOutput(response, true, { beside: { id }, mayBeText: !effect.answerIsRead });
    } catch (error) {
      throw callFailure(error, true);
    }
  }
}

/** The id has no dot, because a dot separates the parts of the signed text. */
function buildDeliveryId(key: string): string {
  return `msg_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}
