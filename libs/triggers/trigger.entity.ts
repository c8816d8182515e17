import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { FormFieldInput } from '#libs/language/definition/definition';
import type { JsonObject } from '#libs/platform/json/json';
import type { HmacSettings, SchemeName } from './webhooks/schemes.ts';

/** The kinds of triggers that start something. */
export const triggerKinds = ['webhook', 'schedule', 'form', 'event'] as const;
export type TriggerKind = (typeof triggerKinds)[number];
export const triggerStatuses = ['active', 'paused', 'disabled'] as const;

/** How deliveries of a webhook are proven, told apart and answered. */
export interface WebhookSettings {
  scheme: SchemeName;
  /** The secret of the workspace that proves a sender; null for a secret of its own. Rows of before have none. */
  secretName?: string | null;
  /** Only for the scheme `hmac`. */
  hmac: HmacSettings | null;
  /** Where the sender's id of a delivery is, when the scheme does not say it. */
  deliveryIdHeader: string | null;
  deliveryIdPath: string | null;
  /** The seconds in which an equal delivery without an id counts as a repetition. */
  repeatSeconds: number;
  /** `accepted` answers at once; `result` waits for the answer of the Response block. */
  respond: 'accepted' | 'result';
  waitSeconds: number;
}

/** What a schedule does when a moment comes while an earlier execution of it is open. */
export const overlaps = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'allow_all'] as const;

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** The days of a calendar. */
export interface CalendarDays {
  /** As `2026-12-25`. */
  dates: string[];
  /** As `monday`. */
  weekdays: string[];
}

/** When a schedule starts executions. */
export interface ScheduleSettings {
  /** Five or six fields; null for an interval. */
  cron: string | null;
  everySeconds: number | null;
  /** Days with a time on the clock of the zone, as `2026-01-30T09:00` or `holidaysT09:00`, in place of both. Rows of before have neither this nor the next. */
  dates?: string[] | null;
  /** Days of the zone on which nothing starts, as `2026-12-25` or `holidays`. */
  except?: string[] | null;
  /** The calendars that days name, as they are now. They are kept beside the settings. */
  calendars?: Record<string, CalendarDays>;
  /** The zone of the cron expression and of the days, as `Europe/Berlin`. */
  timezone: string;
  overlap: (typeof overlaps)[number];
  /** A moment that is later than this is not caught up. */
  catchUpSeconds: number;
  jitterSeconds: number;
  /** In ISO 8601; null without an end. */
  endsAt: string | null;
  maxRuns: number | null;
}

/** A page that people fill in. */
export interface FormSettings {
  title: string;
  /** Shown above the fields, in Markdown. */
  description: string;
  /** Null: a field for each input of the live version. */
  fields: FormFieldInput[] | null;
  /** `members`: only who has signed in and may execute workflows of the workspace. */
  access: 'public' | 'members';
  ending: { title: string; text: string };
  /** `accepted` shows the ending at once; `result` waits for the output of the workflow and shows it. */
  respond: 'accepted' | 'result';
  waitSeconds: number;
  /** A page that is sent sooner than this after it was opened was not filled in by a person. */
  leastSeconds: number;
}

/** The events that start a workflow. */
export interface EventSettings {
  types: string[];
  /** The workflows of which the events tell. Empty: every other workflow of the workspace. */
  workflowIds: string[];
  /** The table whose rows the events tell of; null for events of anything else. */
  tableId: string | null;
}

/** What is said of a trigger when it is made or changed. */
export interface TriggerFields {
  name: string;
  inputs: JsonObject | null;
  filter: string | null;
  /** The settings of its kind; the others are null. */
  webhook: WebhookSettings | null;
  schedule: ScheduleSettings | null;
  event: EventSettings | null;
  form: FormSettings | null;
}

/** The user or the key for which the executions of a trigger act. */
export interface Principal {
  kind: 'user' | 'key';
  id: string;
}

/** What starts a workflow by itself. */
@Entity('triggers')
export class Trigger {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'workflow_id' }) workflowId!: string;
  @Column('text') kind!: TriggerKind;
  /** True when the definition of the workflow carries it. */
  @Column('boolean', { name: 'is_defined' }) isDefined!: boolean;
  /** Since when the live definition no longer carries it. It starts nothing, and is kept for a version that has it again. */
  @Column('timestamptz', { name: 'left_out_at', nullable: true }) leftOutAt!: Date | null;
  @Column('text') name!: string;
  @Column('text') status!: (typeof triggerStatuses)[number];
  @Column('text', { nullable: true }) note!: string | null;
  @Column('json') actor!: Principal;
  @Column('json', { nullable: true }) inputs!: JsonObject | null;
  @Column('text', { nullable: true }) filter!: string | null;
  @Column('json', { nullable: true }) webhook!: WebhookSettings | null;
  @Column('json', { nullable: true }) schedule!: ScheduleSettings | null;
  @Column('jsonb', { nullable: true }) calendars!: Record<string, CalendarDays> | null;
  @Column('jsonb', { nullable: true }) event!: EventSettings | null;
  @Column('json', { nullable: true }) form!: FormSettings | null;
  @Column('text', { name: 'link_salt', nullable: true }) linkSalt!: string | null;
  @Column('timestamptz', { name: 'next_at', nullable: true }) nextAt!: Date | null;
  /** The moments that wait for an open execution to end, in ISO 8601. */
  @Column('json') waiting!: string[];
  @Column('integer') runs!: number;
  @Column('text', { nullable: true }) secret!: string | null;
  @Column('timestamptz', { name: 'former_token_until', nullable: true }) formerTokenUntil!: Date | null;
  @Column('timestamptz', { name: 'former_secret_until', nullable: true }) formerSecretUntil!: Date | null;
  @Column('integer') revision!: number;
  @Column('timestamptz', { name: 'rotated_at', nullable: true }) rotatedAt!: Date | null;
  @Column('integer') forgeries!: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}

/** Returns the schedule of a row with its calendars. */
export const toSchedule = ({
  schedule,
  calendars,
}: Pick<Trigger, 'schedule' | 'calendars'>): ScheduleSettings | null =>
  schedule && calendars ? { ...schedule, calendars } : schedule;

/** What became of a delivery. Only `accepted` started an execution. */
export const verdicts = [
  'accepted',
  'filtered',
  'forged',
  'paused',
  'disabled',
  'undeployed',
  'denied',
  'limited',
  'held',
  'invalid',
  'overlapped',
  'looped',
  'missed',
] as const;
export type DeliveryVerdict = (typeof verdicts)[number];

/** One delivery to a trigger. */
@Entity('trigger_deliveries')
export class TriggerDelivery {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'trigger_id' }) triggerId!: string;
  @Column('text') source!: 'sender' | 'test' | 'replay' | 'backfill';
  @Column('text') verdict!: DeliveryVerdict;
  @Column('json', { nullable: true }) error!: { code: string; message: string } | null;
  @Column('text', { name: 'execution_id', nullable: true }) executionId!: string | null;
  @Column('text', { name: 'sender_id', nullable: true }) senderId!: string | null;
  @Column('text', { name: 'content_hash', nullable: true }) contentHash!: string | null;
  @Column('json') headers!: Record<string, string>;
  @Column('json') query!: Record<string, string | string[]>;
  @Column('text') body!: string;
  @Column('text', { name: 'content_type', nullable: true }) contentType!: string | null;
  @Column('text', { name: 'replay_of', nullable: true }) replayOf!: string | null;
  @Column('timestamptz', { name: 'received_at' }) receivedAt!: Date;
}
