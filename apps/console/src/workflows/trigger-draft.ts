import type { Schemas } from '../api/client.ts';
import { textsOfTriggers } from '../texts-of-triggers.ts';

type Trigger = Schemas['TriggerView'];
type Scheme = Schemas['WebhookBody']['scheme'];
type Hmac = Schemas['HmacBody'];
type Schedule = Schemas['ScheduleBody'];

/** What the form of a trigger holds, as its fields have it. */
export interface TriggerDraft {
  kind: 'webhook' | 'schedule';
  name: string;
  when: string;
  inputs: string;
  scheme: Scheme;
  secret: string;
  hmac: Required<Pick<Hmac, 'header' | 'prefix'>> & {
    algorithm: NonNullable<Hmac['algorithm']>;
    encoding: NonNullable<Hmac['encoding']>;
  };
  rhythm: 'cron' | 'interval' | 'dates';
  cron: string;
  everySeconds: number | null;
  dates: string;
  timezone: string;
  overlap: NonNullable<Schedule['overlap']>;
}

/** Schemes whose secret the sender makes and shows. */
export const makesSecret = (scheme: string): boolean =>
  ['stripe', 'slack', 'shopify', 'twilio', 'linear'].includes(scheme);

/** The fields for a trigger, or for a new one. */
export function draftOf(trigger?: Trigger): TriggerDraft {
  const schedule = trigger?.schedule;
  const { cron = null, everySeconds = null, dates = null } = schedule ?? {};
  return {
    kind: schedule ? 'schedule' : 'webhook',
    name: trigger?.name ?? '',
    when: trigger?.when ?? '',
    inputs: trigger?.inputs ? JSON.stringify(trigger.inputs, null, 2) : '',
    scheme: 'standard-webhooks',
    secret: '',
    hmac: { header: '', algorithm: 'sha256', encoding: 'hex', prefix: '' },
    rhythm: everySeconds !== null ? 'interval' : dates !== null ? 'dates' : 'cron',
    cron: cron ?? '',
    everySeconds,
    dates: dates?.join('\n') ?? '',
    timezone: schedule?.timezone ?? 'UTC',
    overlap: schedule?.overlap ?? 'skip',
  };
}

/** The body that makes a trigger. Throws when the inputs are no JSON. */
export function toCreate(draft: TriggerDraft): Schemas['CreateTriggerBody'] {
  const { kind, name, scheme, hmac, secret } = draft;
  const common = { kind, name: name.trim(), inputs: parseInputs(draft.inputs) };
  if (kind === 'schedule') return { ...common, schedule: toSchedule(draft) };
  return {
    ...common,
    when: draft.when.trim() || null,
    webhook: scheme === 'hmac' ? { scheme, hmac: { ...hmac, header: hmac.header.trim() } } : { scheme },
    ...(secret.trim() && scheme !== 'none' ? { secret: secret.trim() } : {}),
  };
}

/** The members that differ from the trigger. Settings of a schedule that the form does not show stay as they are. */
export function toUpdate(draft: TriggerDraft, trigger: Trigger): Schemas['UpdateTriggerBody'] {
  const { schedule } = trigger;
  const wanted = {
    name: draft.name.trim(),
    inputs: parseInputs(draft.inputs),
    ...(schedule
      ? { schedule: { ...keepUnshown(schedule), ...toSchedule(draft) } }
      : { when: draft.when.trim() || null }),
  };
  const known: Record<string, unknown> = {
    ...trigger,
    schedule: schedule && { ...keepUnshown(schedule), ...toSchedule(draftOf(trigger)) },
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(known[member]),
    ),
  );
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

function toSchedule({ rhythm, cron, everySeconds, dates, timezone, overlap }: TriggerDraft): Schedule {
  return {
    cron: rhythm === 'cron' ? cron.trim() : null,
    everySeconds: rhythm === 'interval' ? everySeconds : null,
    dates: rhythm === 'dates' ? dates.split(/[\s,]+/).filter(Boolean) : null,
    timezone: timezone.trim() || 'UTC',
    overlap,
  };
}

function keepUnshown({ except, catchUpSeconds, jitterSeconds, endsAt, maxRuns }: Schemas['ScheduleView']) {
  return { except, catchUpSeconds, jitterSeconds, endsAt, maxRuns };
}
