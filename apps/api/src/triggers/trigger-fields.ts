import { Invalid } from '#libs/platform/errors/errors';
import type { TriggerFields, TriggerKind } from '#libs/triggers/trigger.entity';
import { StartingEventsBody } from './events.dto.ts';
import { FormTriggerBody } from './forms.dto.ts';
import { ScheduleBody } from './schedules.dto.ts';
import { type CreateTriggerBody, WebhookBody } from './triggers.dto.ts';

/** Returns a new trigger as a body describes it. Throws when the settings of its kind are missing, and for those of another. */
export function toFields(body: CreateTriggerBody): TriggerFields & { secret?: string } {
  const { name, inputs = null, when = null, secret } = body;
  return { name, inputs, filter: when, ...(secret === undefined ? {} : { secret }), ...toSettings(body) };
}

/** Returns the settings of the kind. Throws when they are missing, and for settings of another kind. */
function toSettings({ kind, name, webhook, schedule, event, form, when, secret }: CreateTriggerBody) {
  requireKind(kind, { webhook, schedule, event, form, when, secret });
  const none = { webhook: null, schedule: null, event: null, form: null };
  if (kind === 'form') return { ...none, form: FormTriggerBody.toSettings(form ?? {}, name) };
  if (kind === 'webhook' && webhook) return { ...none, webhook: WebhookBody.toSettings(webhook) };
  if (kind === 'schedule' && schedule) return { ...none, schedule: ScheduleBody.toSettings(schedule) };
  if (kind === 'event' && event) return { ...none, event: StartingEventsBody.toSettings(event) };
  throw Invalid.field(kind, 'is required', 'required');
}

const membersByKind: Record<TriggerKind, string[]> = {
  webhook: ['webhook', 'when', 'secret'],
  schedule: ['schedule'],
  form: ['form', 'when'],
  event: ['event', 'when'],
};

/** Throws for members that belong to another kind of trigger. */
export function requireKind(kind: TriggerKind, members: Record<string, unknown>): void {
  for (const [path, value] of Object.entries(members))
    if (value !== undefined && value !== null && !membersByKind[kind].includes(path))
      throw Invalid.field(path, `does not belong to a trigger of kind ${kind}`, 'conflict');
}
