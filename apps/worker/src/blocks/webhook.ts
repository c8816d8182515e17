import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/definition/values';
import { Egress } from '#libs/egress/egress';
import type { RunKey } from '#temporal/activities';
import { blockFailure, type Work } from '../activities/effect-frame.ts';
import { accepted, headersOf, refusal } from './http-answer.ts';

/**
 * Delivers an event, signed after the Standard Webhooks scheme. Its id is the same over every attempt, so a receiver
 * tells a repetition by it, and a delivery whose worker was lost is sent again.
 */
@Injectable()
export class WebhookBlock {
  constructor(private readonly egress: Egress) {}

  async carryOut({ params, effect, run, signal }: Work): Promise<Json> {
    const id = deliveryId(run, effect.visit.path);
    // No time in it: one id is one body. The attempt's own time is in the header.
    const body = JSON.stringify({ type: params.event, data: params.data ?? null });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = sign(keyOf(params.secret), `${id}.${timestamp}.${body}`);
    try {
      const response = await this.egress.request({
        method: 'POST',
        url: String(params.url ?? ''),
        headers: {
          'content-type': 'application/json',
          ...headersOf(params.headers),
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signature,
        },
        body,
        signal,
        timeoutMs: effect.timeoutMs,
        // By the scheme a redirect is a refusal: what was signed for one receiver is not handed to another.
        redirectsMax: 0,
      });
      return { id, ...accepted(response, true) };
    } catch (error) {
      throw refusal(error, true);
    }
  }
}

/** Without a dot, which separates the parts of what is signed. */
function deliveryId({ executionId }: RunKey, path: string): string {
  return `msg_${createHash('sha256').update(`${executionId}/${path}`).digest('hex').slice(0, 32)}`;
}

function sign(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function keyOf(secret: Json | undefined): Buffer {
  const written = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(typeof secret === 'string' ? secret.trim() : '')?.[1];
  const key = Buffer.from(written ?? '', 'base64');
  if (key.length >= 24 && key.length <= 64) return key;
  const message = 'The secret of a webhook is whsec_ and the base64 of 24 to 64 bytes.';
  throw blockFailure('INVALID_VALUE', message, { retryable: false });
}
