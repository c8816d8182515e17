import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { DeliveryRoom } from '#libs/platform/database/delivery-room';
import { Egress, type EgressResponse } from '#libs/platform/egress/egress';
import type { JsonObject } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';
import { cutText, screenText } from '#libs/platform/text/whole-text';
import { Endpoints } from '#libs/workspace/endpoints/endpoints';
import { callbackSecret } from '#libs/workspace/endpoints/event-types';
import {
  type AttemptResult,
  delaysS,
  type DueDelivery,
  EventOutbox,
} from '#libs/workspace/endpoints/event-outbox';
import { type EventForTrigger, EventTriggers } from '#libs/triggers/events/event-triggers';
import { signedHeaders } from '../calls/webhook-signature.ts';
import { toLinks } from './event-links.ts';

const bounds = { most: 100, perWorkspace: 24, perReceiver: 12 };
const timeoutMs = 15_000;
const answerBytesMax = 64 * 1024;
/** A receiver can ask for a pause of a day at most, in seconds. */
const slowMaxS = 86_400;

/**
 * Delivers events to endpoints and callbacks by Standard Webhooks, each at least once, and to triggers. All attempts of an event have the same id and
 * the same body.
 */
@Injectable()
export class EventCourier implements OnModuleDestroy {
  private readonly log = new Logger(EventCourier.name);
  private readonly room = new DeliveryRoom<DueDelivery>(bounds, {
    claim: (values) => this.outbox.claim(values),
    deliver: (delivery) => this.deliver(delivery),
  });

  constructor(
    private readonly outbox: EventOutbox,
    private readonly endpoints: Endpoints,
    private readonly triggers: EventTriggers,
    private readonly egress: Egress,
    private readonly settings: Settings,
  ) {}

  get due(): string {
    return this.outbox.due;
  }

  sendDueEvents(): Promise<void> {
    return this.room.deliverDue();
  }

  /** Resolves when the current deliveries have ended. */
  async onModuleDestroy(): Promise<void> {
    await this.room.drain();
  }

  /** If the result cannot be written, the delivery is due again when its claim ends. */
  private async deliver(delivery: DueDelivery): Promise<void> {
    try {
      await this.outbox.settle(delivery, await this.attempt(delivery));
    } catch (error) {
      this.log.warn(`the result of ${delivery.id} is not written: ${String(error)}`);
    }
  }

  private async attempt(delivery: DueDelivery): Promise<AttemptResult> {
    const beganAt = new Date(readClockMs());
    const build = (status: number | null, error: string | null) => ({
      at: beganAt.toISOString(),
      status,
      error: error === null ? null : cutText(screenText(error), 500),
      durationMs: readClockMs() - beganAt.getTime(),
    });
    try {
      if (delivery.triggerId !== null) {
        await this.triggers.startOnEvent(this.toEvent(delivery, delivery.triggerId));
        return { attempt: build(null, null), outcome: 'delivered' };
      }
      const response = await this.send(delivery);
      const { status } = response;
      if (status >= 200 && status <= 299) return { attempt: build(status, null), outcome: 'delivered' };
      const isGone = status === 410;
      return {
        attempt: build(status, `the receiver answered ${status}`),
        outcome: isGone ? 'failed' : 'retry',
        isGone,
        slowForS: parseRetryAfter(response),
      };
    } catch (error) {
      return {
        attempt: build(null, error instanceof Error ? error.message : String(error)),
        outcome: 'retry',
      };
    }
  }

  private async send(delivery: DueDelivery): Promise<EgressResponse> {
    const { workspaceId, endpointId, eventId, url } = delivery;
    const body = JSON.stringify(this.buildBody(delivery));
    const secrets = await this.endpoints.readSecrets(workspaceId, endpointId);
    const signed = secrets.length > 0 ? signedHeaders(eventId, body, secrets) : null;
    if (!signed) throw new Error(`the secret ${callbackSecret} is missing, or not whsec_ and base64`);
    return this.egress.request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...signed },
      body,
      timeoutMs,
      responseBytesMax: answerBytesMax,
      // A signed event must not go to another receiver, so a redirect is a failure.
      redirectsMax: 0,
    });
  }

  private toEvent(delivery: DueDelivery, triggerId: string): EventForTrigger {
    const { eventId: id, at, data, attempts } = delivery;
    const { executionId } = data;
    return {
      id,
      triggerId,
      at,
      body: this.buildBody(delivery),
      executionId: typeof executionId === 'string' ? executionId : null,
      isLast: attempts >= delaysS.length,
    };
  }

  private buildBody({ workspaceId, type, at, sequence, data }: DueDelivery): JsonObject {
    const known = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
    const links = toLinks(this.settings.publicUrl, workspaceId, known);
    return {
      type,
      timestamp: at.toISOString(),
      data: { workspaceId, ...(sequence === null ? {} : { sequence }), ...known, links },
    };
  }
}

/** The seconds for which a receiver that is busy asks for no call: a number, or a date. Zero when it does not say. */
function parseRetryAfter({ status, headers }: EgressResponse): number {
  const text = headers['retry-after'];
  if ((status !== 429 && status !== 503) || text === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - readClockMs()) / 1000;
  return Number.isFinite(seconds) ? Math.min(slowMaxS, Math.max(0, Math.ceil(seconds))) : 0;
}
