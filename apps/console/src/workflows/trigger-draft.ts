import type { Schemas } from '../api/client.ts';
import { textsOfTriggers } from '../texts-of-triggers.ts';

type Trigger = Schemas['TriggerView'];
type Scheme = Schemas['WebhookBody']['scheme'];
type Hmac = Schemas['HmacBody'];
type Schedule = Schemas['ScheduleBody'];
type Webhook = Schemas['WebhookBody'];

/** What the form of a trigger holds, as its fields have it. */
export interface TriggerDraft {
  kind: 'webhook' | 'schedule';
  name: string;
  when: string;
  inputs: string;
  scheme: Scheme;
  secret: string;
  secretName: string;
  hmac: Required<Omit<Hmac, 'timestampHeader'>> & { timestampHeader: string };
  deliveryIdHeader: string;
  deliveryIdPath: string;
  repeatSeconds: number;
  respond: NonNullable<Webhook['respond']>;
  waitSeconds: number;
  rhythm: 'cron' | 'interval' | 'dates';
  cron: string;
  everySeconds: number | null;
  dates: string;
  timezone: string;
  overlap: NonNullable<Schedule['overlap']>;
  except: string;
  catchUpSeconds: number;
  jitterSeconds: number;
  /** On the clock of this browser; empty without an end. */
  endsAt: string;
  maxRuns: number | null;
}

/** Schemes whose secret the sender makes and shows. */
export const makesSecret = (scheme: string): boolean =>
  ['stripe', 'slack', 'shopify', 'twilio', 'linear'].includes(scheme);

/** The fields for a trigger, or for a new one. */
export function toDraft(trigger?: Trigger): TriggerDraft {
  return {
    kind: trigger?.schedule ? 'schedule' : 'webhook',
    name: trigger?.name ?? '',
    when: trigger?.when ?? '',
    inputs: trigger?.inputs ? JSON.stringify(trigger.inputs, null, 2) : '',
    ...toWebhookDraft(trigger?.webhook),
    ...toScheduleDraft(trigger?.schedule),
  };
}

function toWebhookDraft(webhook?: Trigger['webhook']) {
  const hmac = webhook?.hmac as TriggerDraft['hmac'] | undefined;
  return {
    scheme: webhook?.scheme ?? ('standard-webhooks' as const),
    secret: '',
    secretName: webhook?.secretName ?? '',
    hmac: {
      header: hmac?.header ?? '',
      algorithm: hmac?.algorithm ?? 'sha256',
      encoding: hmac?.encoding ?? 'hex',
      prefix: hmac?.prefix ?? '',
      timestampHeader: hmac?.timestampHeader ?? '',
      toleranceSeconds: hmac?.toleranceSeconds ?? 300,
    },
    deliveryIdHeader: webhook?.deliveryIdHeader ?? '',
    deliveryIdPath: webhook?.deliveryIdPath ?? '',
    repeatSeconds: webhook?.repeatSeconds ?? 300,
    respond: (webhook?.respond ?? 'accepted') as TriggerDraft['respond'],
    waitSeconds: webhook?.waitSeconds ?? 10,
  };
}

function toScheduleDraft(schedule?: Trigger['schedule']) {
  const { cron = null, everySeconds = null, dates = null } = schedule ?? {};
  const rhythm: TriggerDraft['rhythm'] =
    everySeconds !== null ? 'interval' : dates !== null ? 'dates' : 'cron';
  return {
    rhythm,
    cron: cron ?? '',
    everySeconds,
    dates: dates?.join('\n') ?? '',
    timezone: schedule?.timezone ?? 'UTC',
    overlap: (schedule?.overlap ?? 'skip') as TriggerDraft['overlap'],
    except: schedule?.except?.join('\n') ?? '',
    catchUpSeconds: schedule?.catchUpSeconds ?? 600,
    jitterSeconds: schedule?.jitterSeconds ?? 0,
    endsAt: schedule?.endsAt ? toLocalTime(schedule.endsAt) : '',
    maxRuns: schedule?.maxRuns ?? null,
  };
}

/** The body that makes a trigger. Throws when the inputs are no JSON. */
export function toCreate(draft: TriggerDraft): Schemas['CreateTriggerBody'] {
  const { kind, name, scheme, secret } = draft;
  const common = { kind, name: name.trim(), inputs: parseInputs(draft.inputs) };
  if (kind === 'schedule') return { ...common, schedule: toSchedule(draft) };
  return {
    ...common,
    when: draft.when.trim() || null,
    webhook: toWebhook(draft),
    ...(secret.trim() && scheme !== 'none' ? { secret: secret.trim() } : {}),
  };
}

/** The members that differ from the trigger. */
export function toUpdate(draft: TriggerDraft, trigger: Trigger): Schemas['UpdateTriggerBody'] {
  const known: Record<string, unknown> = toMembers(toDraft(trigger), trigger);
  return Object.fromEntries(
    Object.entries(toMembers(draft, trigger)).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(known[member]),
    ),
  );
}

/** All members that the form changes. */
function toMembers(draft: TriggerDraft, { schedule, webhook }: Trigger) {
  return {
    name: draft.name.trim(),
    inputs: parseInputs(draft.inputs),
    ...(schedule ? { schedule: toSchedule(draft) } : { when: draft.when.trim() || null }),
    ...(webhook ? { webhook: toWebhook(draft) } : {}),
  };
}

/** Reads JSON that a person has typed. Undefined for nothing. */
export function parseTyped(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(textsOfTriggers.edit.notJson, { cause });
  }
}

function parseInputs(text: string): Record<string, unknown> | null {
  const value = parseTyped(text) ?? null;
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(textsOfTriggers.edit.notInputs);
  return value as Record<string, unknown> | null;
}

function toSchedule(draft: TriggerDraft): Schedule {
  const { rhythm, overlap, catchUpSeconds, jitterSeconds, endsAt, maxRuns } = draft;
  const except = toWords(draft.except);
  return {
    cron: rhythm === 'cron' ? draft.cron.trim() : null,
    everySeconds: rhythm === 'interval' ? draft.everySeconds : null,
    dates: rhythm === 'dates' ? toWords(draft.dates) : null,
    except: except.length > 0 ? except : null,
    timezone: draft.timezone.trim() || 'UTC',
    overlap,
    catchUpSeconds,
    jitterSeconds,
    endsAt: endsAt ? new Date(endsAt).toISOString() : null,
    maxRuns,
  };
}

function toWebhook(draft: TriggerDraft): Webhook {
  const { scheme, hmac, repeatSeconds, respond, waitSeconds } = draft;
  const { header, timestampHeader } = hmac;
  const signature = { ...hmac, header: header.trim(), timestampHeader: timestampHeader.trim() || null };
  return {
    scheme,
    secretName: draft.secretName.trim() || null,
    ...(scheme === 'hmac' ? { hmac: signature } : {}),
    deliveryIdHeader: draft.deliveryIdHeader.trim() || null,
    deliveryIdPath: draft.deliveryIdPath.trim() || null,
    repeatSeconds,
    respond,
    waitSeconds,
  };
}

const toWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** The value of a field for a time: the clock of this browser, to the millisecond. */
function toLocalTime(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}
