import { readClockMs } from '#libs/platform/clock/database-clock';
import type { Json, JsonObject } from '#libs/platform/json/json';
import {
  type TriggerKind,
  triggerKinds,
  verdicts,
  type WebhookSettings,
} from '#libs/triggers/trigger.entity';
import { countRunsLeft } from '#libs/triggers/schedules/moments';
import type { OpenedTrigger, TriggerState } from '#libs/triggers/triggers';
import { getScheme, schemeNames, type SchemeName } from '#libs/triggers/webhooks/schemes';
import { Anything, Bool, Int, NameOf, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { StartingEventsBody, StartingEventsView } from './events.dto.ts';
import { FormTriggerBody, FormTriggerView } from './forms.dto.ts';
import { ScheduleBody, ScheduleView } from './schedules.dto.ts';
import { nameMax } from '../workflows/workflow-fields.ts';

const expressionMax = 4096;
const headerName = /^[A-Za-z0-9-]{1,100}$/;
const headerRule = 'must be the name of a header: letters, digits and hyphens, 100 at most';
const secretText = { optional: true, min: 8, max: 500 } as const;

const secretNameText =
  'The secret of the workspace that proves the sender. It is read with each delivery, so that a new value holds within seconds. Null: a secret of the trigger.';
const inputsText =
  'The inputs of the execution, a template over the event: `{{ event.body.id }}`, `event.headers`, `event.query`; of an event `{{ event.body.data.executionId }}`; of a form `{{ event.body.email }}`; of a schedule `{{ schedule.scheduledAt }}`. Null: the body, or the moment, is the inputs.';
const whenText =
  'An expression over the event, as `event.body.type == "order.paid"`. Nothing starts when it is false. Null: every delivery starts an execution.';

/** How a sender that no other scheme knows signs the body. */
export class HmacBody {
  @Text({
    min: 1,
    max: 100,
    pattern: headerName,
    rule: headerRule,
    description: 'The header with the signature.',
  })
  header!: string;
  @OneOf(['sha256', 'sha1', 'sha512'], {
    optional: true,
    default: 'sha256',
    description: 'The hash of the HMAC.',
  })
  algorithm?: 'sha256' | 'sha1' | 'sha512';
  @OneOf(['hex', 'base64'], { optional: true, default: 'hex', description: 'The encoding of the signature.' })
  encoding?: 'hex' | 'base64';
  @Text({
    optional: true,
    max: 100,
    description: 'The text before the signature in its header, as `sha256=`.',
  })
  prefix?: string;
  @Text({
    optional: true,
    nullable: true,
    pattern: headerName,
    rule: headerRule,
    description:
      'The header with the time of the signature. The sender then signs `<time>.<body>`. Null: it signs the body.',
  })
  timestampHeader?: string | null;
  @Int({
    optional: true,
    min: 10,
    max: 86_400,
    default: 300,
    description: 'The seconds that the time of the signature may differ from the clock.',
  })
  toleranceSeconds?: number;
}

export class WebhookBody {
  @OneOf(schemeNames, {
    description:
      'The way in which the sender proves a delivery. `none` proves nothing: whoever knows the address starts the workflow.',
  })
  scheme!: SchemeName;
  @Text({ optional: true, nullable: true, min: 1, max: 100, description: secretNameText }) secretName?:
    | string
    | null;
  @One(() => HmacBody, { optional: true, description: 'The signature; for the scheme `hmac` only.' })
  hmac?: HmacBody;
  @Text({
    optional: true,
    nullable: true,
    pattern: headerName,
    rule: headerRule,
    description: 'The header with the id of the delivery. Null: that of the scheme.',
  })
  deliveryIdHeader?: string | null;
  @Text({
    optional: true,
    nullable: true,
    min: 1,
    max: 200,
    description: 'The path of the id of the delivery in the body, as `data.id`. Null: that of the scheme.',
  })
  deliveryIdPath?: string | null;
  @Int({
    optional: true,
    min: 0,
    max: 86_400,
    default: 300,
    description:
      'The seconds in which a delivery without an id counts as a repetition of an equal one. 0: every one starts an execution.',
  })
  repeatSeconds?: number;
  @OneOf(['accepted', 'result'], {
    optional: true,
    default: 'accepted',
    description:
      '`accepted` answers 202 at once; `result` waits for the end and gives the answer of the Response block.',
  })
  respond?: 'accepted' | 'result';
  @Int({
    optional: true,
    min: 1,
    max: 60,
    default: 10,
    description: 'The seconds for which `result` waits. After them it answers 202, and the run goes on.',
  })
  waitSeconds?: number;

  static toSettings(body: WebhookBody): WebhookSettings {
    const { scheme, secretName = null, hmac, deliveryIdHeader = null, deliveryIdPath = null } = body;
    const { repeatSeconds = 300, respond = 'accepted', waitSeconds = 10 } = body;
    const signature = hmac && {
      header: hmac.header,
      algorithm: hmac.algorithm ?? 'sha256',
      encoding: hmac.encoding ?? 'hex',
      prefix: hmac.prefix ?? '',
      timestampHeader: hmac.timestampHeader ?? null,
      toleranceSeconds: hmac.toleranceSeconds ?? 300,
    };
    const ids = { deliveryIdHeader, deliveryIdPath, repeatSeconds };
    return { scheme, secretName, hmac: signature ?? null, ...ids, respond, waitSeconds };
  }
}

export class CreateTriggerBody {
  @OneOf(triggerKinds, { description: 'What the trigger waits for.' }) kind!: TriggerKind;
  @Text({ min: 1, max: nameMax, description: 'The name, which no other trigger of the workflow may have.' })
  name!: string;
  @Obj({ optional: true, nullable: true, description: inputsText }) inputs?: JsonObject | null;
  @Text({ optional: true, nullable: true, min: 1, max: expressionMax, description: whenText }) when?:
    | string
    | null;
  @One(() => WebhookBody, {
    optional: true,
    description: 'For a webhook: how deliveries are proven, told apart and answered.',
  })
  webhook?: WebhookBody;
  @One(() => ScheduleBody, { optional: true, description: 'For a schedule: when it starts executions.' })
  schedule?: ScheduleBody;
  @One(() => StartingEventsBody, {
    optional: true,
    description: 'For events: those that start the workflow.',
  })
  event?: StartingEventsBody;
  @One(() => FormTriggerBody, {
    optional: true,
    description: 'For a form: the page that people fill in. Left out: with a field for each input.',
  })
  form?: FormTriggerBody;
  @Text({
    ...secretText,
    description:
      'The secret that the sender has made. Left out: one is made here, unless the sender of the scheme makes it.',
  })
  secret?: string;
}

export class UpdateTriggerBody {
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name. Left out: no change.' })
  name?: string;
  @Obj({ optional: true, nullable: true, description: inputsText }) inputs?: JsonObject | null;
  @Text({ optional: true, nullable: true, min: 1, max: expressionMax, description: whenText }) when?:
    | string
    | null;
  @One(() => WebhookBody, {
    optional: true,
    description: 'The new settings as a whole. Left out: no change.',
  })
  webhook?: WebhookBody;
  @One(() => ScheduleBody, {
    optional: true,
    description: 'The new schedule as a whole, from now on. Left out: no change.',
  })
  schedule?: ScheduleBody;
  @One(() => StartingEventsBody, {
    optional: true,
    description: 'The new choice of events as a whole. Left out: no change.',
  })
  event?: StartingEventsBody;
  @One(() => FormTriggerBody, {
    optional: true,
    description: 'The settings of the page to change; the others stay. Left out: no change.',
  })
  form?: FormTriggerBody;
}

export class PauseTriggerBody {
  @Text({
    optional: true,
    max: 500,
    description: 'Why it is paused; shown with the trigger and to its senders.',
  })
  note?: string;
}

export class RotateTriggerBody {
  @Bool({ optional: true, default: false, description: 'True makes a new address.' }) url?: boolean;
  @Bool({ optional: true, default: false, description: 'True makes a new secret.' }) secret?: boolean;
  @Text({ ...secretText, description: 'A new secret that the sender has made.' }) secretValue?: string;
  @Int({
    optional: true,
    min: 0,
    max: 168,
    default: 24,
    description: 'The hours for which the former address and the former secret stay valid too.',
  })
  overlapHours?: number;
}

export class RunTriggerBody {
  @Anything({ optional: true, description: 'The body of the event; null when left out.' }) body?: Json;
  @Obj({ optional: true, description: 'The headers of the event.' }) headers?: Record<string, string>;
  @Obj({ optional: true, description: 'The query of the event.' }) query?: Record<string, string>;
}

export class PrincipalView {
  @OneOf(['user', 'key'], { description: 'A user, or a key of the workspace.' }) kind!: string;
  @Text({ description: 'The id of the user or the key.' }) id!: string;
  @NameOf('id') name?: string | null;
}

export class HmacView {
  @Text({ description: 'The header with the signature.' }) header!: string;
  @Text({ description: 'The hash of the HMAC.' }) algorithm!: string;
  @Text({ description: 'The encoding of the signature.' }) encoding!: string;
  @Text({ description: 'The text before the signature in its header.' }) prefix!: string;
  @Text({
    nullable: true,
    description: 'The header with the time of the signature; null when only the body is signed.',
  })
  timestampHeader!: string | null;
  @Int({ description: 'The seconds that the time may differ.' }) toleranceSeconds!: number;
}

export class WebhookView {
  @OneOf(schemeNames, { description: 'The way in which the sender proves a delivery.' }) scheme!: string;
  @Text({ nullable: true, description: secretNameText }) secretName!: string | null;
  @One(() => HmacView, { nullable: true, description: 'The signature of the scheme `hmac`; else null.' })
  hmac!: HmacView | null;
  @Text({
    nullable: true,
    description: 'The header with the id of the delivery; null for that of the scheme.',
  })
  deliveryIdHeader!: string | null;
  @Text({ nullable: true, description: 'The path of the id in the body; null for that of the scheme.' })
  deliveryIdPath!: string | null;
  @Int({ description: 'The seconds in which an equal delivery without an id is a repetition.' })
  repeatSeconds!: number;
  @OneOf(['accepted', 'result'], { description: 'What the sender is answered.' }) respond!: string;
  @Int({ description: 'The seconds for which `result` waits.' }) waitSeconds!: number;
  @Bool({
    description:
      'True when there is a secret. Without one every delivery is refused, unless the scheme is `none`.',
  })
  hasSecret!: boolean;
  @Time({
    nullable: true,
    description: 'The time until which the former secret is valid; null when there is none.',
  })
  formerSecretUntil!: string | null;
  @Time({
    nullable: true,
    description: 'The time until which the former address is valid; null when there is none.',
  })
  formerUrlUntil!: string | null;
}

export class LastDeliveryView {
  @Time({ description: 'The time of its arrival, in ISO 8601 and UTC.' }) at!: string;
  @OneOf(verdicts, { description: 'What became of it.' }) verdict!: string;
  @Text({ nullable: true, description: 'The execution that it started; null when it started none.' })
  executionId!: string | null;
  @Bool({ description: 'True while a hold keeps its execution from starting.' }) isHeld!: boolean;
  @Text({
    nullable: true,
    description: 'Why it started nothing; null when it started an execution or was filtered.',
  })
  reason!: string | null;
}

export class TriggerView {
  @Text({ description: 'The id of the trigger, which begins with `trg_`.' }) id!: string;
  @Text({ description: 'The id of its workflow.' }) workflowId!: string;
  @OneOf(triggerKinds, { description: 'What it waits for.' }) kind!: string;
  @Text({ description: 'The name, which is unique in the workflow.' }) name!: string;
  @Bool({
    description:
      'True when it comes from `start.triggers` of the definition. It is changed there, and by a deploy.',
  })
  isDefined!: boolean;
  @OneOf(['active', 'paused', 'disabled', 'ended'], {
    description:
      '`active` starts executions. `paused` was paused, or its workflow is not deployed. `disabled` was switched off after forged deliveries. `ended` is a schedule after its last moment.',
  })
  status!: string;
  @Text({ nullable: true, description: 'Why it starts nothing; null while it is active.' }) reason!:
    | string
    | null;
  @One(() => PrincipalView, {
    description:
      'Who made or changed it last. Its executions act for this user or key, and meet their limits.',
  })
  actsFor!: PrincipalView;
  @Obj({ nullable: true, description: inputsText }) inputs!: JsonObject | null;
  @Text({ nullable: true, description: whenText }) when!: string | null;
  @One(() => WebhookView, {
    nullable: true,
    description: 'How deliveries are proven, told apart and answered; null for another kind.',
  })
  webhook!: WebhookView | null;
  @One(() => ScheduleView, {
    nullable: true,
    description: 'When it starts executions; null for another kind.',
  })
  schedule!: ScheduleView | null;
  @One(() => StartingEventsView, {
    nullable: true,
    description: 'The events that start the workflow; null for another kind.',
  })
  event!: StartingEventsView | null;
  @One(() => FormTriggerView, { nullable: true, description: 'The page of a form; null for another kind.' })
  form!: FormTriggerView | null;
  @One(() => LastDeliveryView, { nullable: true, description: 'The newest delivery; null before the first.' })
  lastDelivery!: LastDeliveryView | null;
  @Texts({ description: 'What everybody should know about it; empty when there is nothing.' })
  warnings!: string[];
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of(trigger: TriggerState): TriggerView {
    const { id, workflowId, kind, name, status, note, actor, inputs, filter, webhook } = trigger;
    const isIdle = status === 'active' && !trigger.isDeployed;
    const { formerSecretUntil, formerTokenUntil, lastDelivery, isDefined } = trigger;
    return {
      id,
      workflowId,
      kind,
      name,
      isDefined,
      status: isIdle ? 'paused' : hasEnded(trigger) ? 'ended' : status,
      reason: isIdle ? 'The workflow is not deployed. The trigger goes on with the next deploy.' : note,
      actsFor: { kind: actor.kind, id: actor.id },
      inputs,
      when: filter,
      webhook: webhook && {
        ...webhook,
        secretName: webhook.secretName ?? null,
        hasSecret: trigger.hasSecret,
        formerSecretUntil: toFuture(formerSecretUntil),
        formerUrlUntil: toFuture(formerTokenUntil),
      },
      schedule: ScheduleView.of(trigger),
      event: trigger.event,
      form: FormTriggerView.of(trigger),
      lastDelivery: lastDelivery && { ...lastDelivery, at: lastDelivery.at.toISOString() },
      warnings: toWarnings(trigger),
      createdAt: trigger.createdAt.toISOString(),
      updatedAt: trigger.updatedAt.toISOString(),
    };
  }
}

const toFuture = (at: Date | null): string | null =>
  at && at.getTime() > readClockMs() ? at.toISOString() : null;

const hasEnded = (trigger: TriggerState): boolean =>
  trigger.schedule !== null &&
  trigger.status === 'active' &&
  trigger.waiting.length === 0 &&
  (trigger.nextAt === null || countRunsLeft(trigger.schedule, trigger) === 0);

const toWarnings = (trigger: TriggerState): string[] => [...warnOfSecret(trigger), ...trigger.inputWarnings];

function warnOfSecret({ webhook, hasSecret }: TriggerState): string[] {
  if (!webhook) return [];
  const { scheme } = webhook;
  if (scheme === 'none')
    return [
      'Nothing proves the sender: whoever knows the address starts this workflow. Choose a scheme with a secret.',
    ];
  if (hasSecret) return [];
  if (webhook.secretName)
    return [`There is no secret "${webhook.secretName}" in this workspace, so every delivery is refused.`];
  const how = getScheme(scheme).secretOfSender ? 'Copy the secret that the sender shows' : 'Make a secret';
  return [`There is no secret yet, so every delivery is refused. ${how}, by POST …/rotate.`];
}

export class OpenedTriggerView extends TriggerView {
  @Text({
    nullable: true,
    description: 'The address for the sender, shown only now; null when it did not change.',
  })
  url!: string | null;
  @Text({
    nullable: true,
    description: 'The secret for the sender, shown only now; null when none was made.',
  })
  secret!: string | null;

  static ofOpened({ trigger, token, secret }: OpenedTrigger, publicUrl: string): OpenedTriggerView {
    return {
      ...TriggerView.of(trigger),
      url: token === undefined ? null : (trigger.formUrl ?? `${publicUrl}/hooks/${token}`),
      secret: secret ?? null,
    };
  }
}
