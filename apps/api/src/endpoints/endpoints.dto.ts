import { readClockMs } from '#libs/platform/clock/database-clock';
import type { Endpoint } from '#libs/workspace/endpoints/endpoints';
import {
  type DeliveryAttempt,
  type EventDelivery,
  deliveryStatuses,
  type Replayed,
} from '#libs/workspace/endpoints/event-deliveries';
import { eventTypes } from '#libs/workspace/endpoints/event-types';
import { CursorQuery } from '../http/cursor-query.ts';
import { Bool, Int, ListOf, OneOf, Text, Texts, Time } from '../http/fields.ts';

const urlMax = 2000;
const descriptionMax = 500;
const healths = ['healthy', 'failing', 'slowed', 'disabled'] as const;

const url = 'The address that gets the events, by http or https. A private address is refused.';
const types = `The types of events that it hears of; empty: all. The types are ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`;
const workflowIds =
  'The ids of the workflows whose events it hears of; empty: all. Events of documents and of tables pass in any case.';
const enabled =
  'False: nothing is sent. Deliveries wait, and events from now on are kept for `replay` without a delivery.';

export class CreateEndpointBody {
  @Text({ min: 1, max: urlMax, description: url }) url!: string;
  @Text({ optional: true, max: descriptionMax, description: 'A note for people; empty when left out.' })
  description?: string;
  @Texts({ optional: true, description: types }) types?: string[];
  @Texts({ optional: true, description: workflowIds }) workflowIds?: string[];
  @Bool({ optional: true, default: true, description: enabled }) enabled?: boolean;
}

export class UpdateEndpointBody {
  @Text({ optional: true, min: 1, max: urlMax, description: url }) url?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new note. Left out: no change.' })
  description?: string;
  @Texts({ optional: true, description: types }) types?: string[];
  @Texts({ optional: true, description: workflowIds }) workflowIds?: string[];
  @Bool({ optional: true, description: enabled }) enabled?: boolean;
}

export class ReplayBody {
  @Bool({ optional: true, description: 'True: the deliveries that have failed are sent again.' })
  failed?: boolean;
  @Time({
    optional: true,
    description:
      'All events since this time are sent again, also those that the endpoint missed while it was disabled.',
  })
  since?: string;
}

const time = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export class EndpointView {
  @Text({ description: 'The id of the endpoint, which begins with `ep_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: 'The address that gets the events.' }) url!: string;
  @Text({ description: 'A note for people.' }) description!: string;
  @Texts({ description: types }) types!: string[];
  @Texts({ description: workflowIds }) workflowIds!: string[];
  @Bool({ description: enabled }) enabled!: boolean;
  @Text({ nullable: true, description: 'Why it is disabled; null while it is enabled.' })
  disabledReason!: string | null;
  @OneOf(healths, {
    description:
      '`failing`: the latest attempt failed. `slowed`: the receiver asked for a pause. `disabled`: nothing is sent.',
  })
  health!: (typeof healths)[number];
  @Time({ nullable: true, description: 'Since when no delivery has succeeded; null when the latest did.' })
  failingSince!: string | null;
  @Time({ nullable: true, description: 'The receiver asked for no call before this time; null when not.' })
  slowedUntil!: string | null;
  @Time({ nullable: true, description: 'The time of the latest success, within five seconds.' })
  lastDeliveredAt!: string | null;
  @Time({ nullable: true, description: 'The time of the latest failure.' }) lastFailedAt!: string | null;
  @Text({ nullable: true, description: 'The reason of the latest failure; null after a success.' })
  lastError!: string | null;
  @Time({ nullable: true, description: 'The time of the latest rotation of the secret; null before.' })
  rotatedAt!: string | null;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of(endpoint: Endpoint): EndpointView {
    const { id, workspaceId, url: address, description, disabledReason, lastError } = endpoint;
    const slowedUntil =
      endpoint.slowedUntil && endpoint.slowedUntil.getTime() > readClockMs() ? endpoint.slowedUntil : null;
    return {
      id,
      workspaceId,
      url: address,
      description,
      types: endpoint.types,
      workflowIds: endpoint.workflowIds,
      enabled: endpoint.enabled,
      disabledReason,
      health: healthOf({ ...endpoint, slowedUntil }),
      failingSince: time(endpoint.failingSince),
      slowedUntil: time(slowedUntil),
      lastDeliveredAt: time(endpoint.lastDeliveredAt),
      lastFailedAt: time(endpoint.lastFailedAt),
      lastError,
      rotatedAt: time(endpoint.rotatedAt),
      createdAt: endpoint.createdAt.toISOString(),
      updatedAt: endpoint.updatedAt.toISOString(),
    };
  }
}

function healthOf({
  enabled: isEnabled,
  slowedUntil,
  failingSince,
}: Pick<Endpoint, 'enabled' | 'slowedUntil' | 'failingSince'>): (typeof healths)[number] {
  if (!isEnabled) return 'disabled';
  if (slowedUntil) return 'slowed';
  return failingSince ? 'failing' : 'healthy';
}

/** An endpoint with its secret, which only the answers to its creation and to a rotation have. */
export class EndpointSecretView extends EndpointView {
  @Text({
    description: 'The secret that signs the events, `whsec_` and base64. It is shown only in this answer.',
  })
  secret!: string;

  static ofMade({ endpoint, secret }: { endpoint: Endpoint; secret: string }): EndpointSecretView {
    return { ...EndpointView.of(endpoint), secret };
  }
}

export class DeliveryListQuery extends CursorQuery {
  @Text({ optional: true, max: 100, description: 'Only deliveries to this endpoint.' }) endpointId?: string;
  @Text({ optional: true, max: 100, description: 'Only events of this execution, with its callback.' })
  executionId?: string;
  @OneOf(deliveryStatuses, { optional: true, description: 'Only deliveries in this state.' })
  status?: string;
  @OneOf([...eventTypes, 'endpoint.tested'], { optional: true, description: 'Only events of this type.' })
  type?: string;
}

export class AttemptView {
  @Time({ description: 'The time at which the attempt began.' }) at!: string;
  @Int({ nullable: true, description: 'The HTTP status of the answer; null without an answer.' }) status!:
    | number
    | null;
  @Text({ nullable: true, description: 'Why the attempt failed; null when it succeeded.' }) error!:
    | string
    | null;
  @Int({ description: 'The duration of the attempt in milliseconds.' }) durationMs!: number;
}

export class EventDeliveryView {
  @Text({ description: 'The id of the delivery, which begins with `dlv_`.' }) id!: string;
  @Text({ nullable: true, description: 'The id of the endpoint; null for a trigger or a callback.' })
  endpointId!: string | null;
  @Text({ nullable: true, description: 'The trigger that the event starts; null for another receiver.' })
  triggerId!: string | null;
  @Text({ description: 'The id of the event, which every attempt sends as `webhook-id`.' }) eventId!: string;
  @Text({ description: 'The type of the event.' }) type!: string;
  @Text({ nullable: true, description: 'The outermost execution that the event tells of, if any.' })
  executionId!: string | null;
  @Text({ nullable: true, description: 'The workflow that the event tells of, if any.' }) workflowId!:
    | string
    | null;
  @Int({ nullable: true, description: 'The place of the event among those of its execution, from 1.' })
  sequence!: number | null;
  @OneOf(deliveryStatuses, {
    description:
      '`pending` until an attempt succeeds or the last has failed; `held` while the endpoint is disabled.',
  })
  status!: string;
  @Int({ description: 'The number of attempts since the event, or since the latest replay.' })
  attempts!: number;
  @Time({ nullable: true, description: 'The earliest time of the next attempt; null when none follows.' })
  nextAttemptAt!: string | null;
  @Int({ nullable: true, description: 'The HTTP status of the latest answer; null without one.' })
  lastStatus!: number | null;
  @Text({ nullable: true, description: 'Why the latest attempt failed; null when it did not.' })
  lastError!: string | null;
  @ListOf(() => AttemptView, { description: 'The latest twenty attempts, the oldest first.' })
  log!: DeliveryAttempt[];
  @Time({ description: 'The time of what the event tells of.' }) occurredAt!: string;
  @Time({ description: 'The time at which the delivery was made.' }) createdAt!: string;
  @Time({ nullable: true, description: 'The time at which it succeeded or failed for good.' })
  settledAt!: string | null;

  static of({ dueAt, ...delivery }: EventDelivery): EventDeliveryView {
    return {
      ...delivery,
      nextAttemptAt: delivery.status === 'pending' ? dueAt.toISOString() : null,
      occurredAt: delivery.occurredAt.toISOString(),
      createdAt: delivery.createdAt.toISOString(),
      settledAt: time(delivery.settledAt),
    };
  }
}

export class ReplayedEventsView {
  @Int({ description: 'The number of deliveries that are sent again.' }) replayed!: number;
  @Bool({ description: 'True when a further call is needed, because one call takes 10,000 at most.' })
  more!: boolean;
  @Time({ nullable: true, description: 'The `since` of the further call; null when none is needed.' })
  nextSince!: string | null;

  static of({ replayed, more, nextSince }: Replayed): ReplayedEventsView {
    return { replayed, more, nextSince: time(nextSince) };
  }
}
