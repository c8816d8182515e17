import type { Approvals } from '#libs/definition/blocks/approvals';
import { durationMs } from '#libs/definition/durations';
import { isObject, type Json, type JsonObject } from '#libs/definition/values';

import { BadValue } from './bad-value.ts';

/** Who is asked beside whoever finds the pause, and who is told of it when. Plain JSON. */
export interface Asking {
  approvals?: Approvals;
  notify?: { emails: string[]; webhook?: { url: string; secret: string } };
  /** Milliseconds after the opening, ascending. */
  remindersMs: number[];
  escalation?: { afterMs: number; to: string[] };
}

const namesMax = 100;

/** From the rendered parameters of a human block; undefined when the pause is open to whoever may execute. */
export function askingOf({ approvals, notify, reminders, escalation }: JsonObject): Asking | undefined {
  if ([approvals, notify, reminders, escalation].every((part) => part === undefined)) return undefined;
  const step = isObject(escalation) ? escalation : undefined;
  const asked = isObject(approvals) ? approvalsOf(approvals) : undefined;
  return {
    ...(asked ? { approvals: step ? explicit(asked) : asked } : {}),
    ...(isObject(notify) ? { notify: notifyOf(notify) } : {}),
    remindersMs: listOf(reminders)
      .map(lengthOf)
      .toSorted((a, b) => a - b),
    ...(step
      ? { escalation: { afterMs: lengthOf(step.after ?? null), to: namesOf(step.to, 'escalation.to') } }
      : {}),
  };
}

/** Whoever is asked later is asked beside those who are asked now, so these have to be named. */
function explicit(approvals: Approvals): Approvals {
  const { assignees, roles } = approvals;
  return assignees.length + roles.length > 0 ? approvals : { ...approvals, roles: ['admin', 'editor'] };
}

function approvalsOf(given: JsonObject): Approvals {
  const { required = 1, veto = true, allowStarter = false, assignees, roles, decision = 'approved' } = given;
  return {
    required: typeof required === 'number' ? required : 1,
    veto: veto !== false,
    allowStarter: allowStarter === true,
    assignees: namesOf(assignees, 'approvals.assignees'),
    roles: listOf(roles).map(String),
    decision: String(decision),
  };
}

function notifyOf({ emails, webhook }: JsonObject): NonNullable<Asking['notify']> {
  const told = { emails: namesOf(emails, 'notify.emails') };
  if (!isObject(webhook)) return told;
  const { url = '', secret = '' } = webhook;
  return {
    ...told,
    webhook: { url: String(url), secret: String(secret) },
  };
}

/** Each member is a name or a list of names; each name once. */
function namesOf(given: Json | undefined, where: string): string[] {
  const names = listOf(given).flat();
  const texts = names.filter((name) => typeof name === 'string');
  if (texts.length < names.length || texts.some((name) => name.trim() === '' || name.length > 320))
    throw new BadValue(`${where} must come out as e-mail addresses or user ids.`);
  const once = [...new Map(texts.map((name) => [name.trim().toLowerCase(), name.trim()])).values()];
  if (once.length > namesMax) throw new BadValue(`${where} came out as more than ${namesMax} names.`);
  return once;
}

function lengthOf(value: Json): number {
  const ms = durationMs(value);
  if (ms === undefined) throw new BadValue(`${JSON.stringify(value)} is no duration.`);
  return ms;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
