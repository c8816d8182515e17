import type { Approvals } from '#libs/language/definition/blocks/approvals';
import { durationMs } from '#libs/language/definition/durations';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

/** Thrown when the template of a parameter gave a value that the block cannot use. */
export class BadValue extends Error {
  readonly code = 'INVALID_VALUE';
}

/** The people who may answer a pause, and the notices about it with their times. Plain JSON. */
export interface Asking {
  approvals?: Approvals;
  notify?: { emails: string[]; webhook?: { url: string; secret: string } };
  /** Milliseconds after the opening, ascending. */
  remindersMs: number[];
  escalation?: { afterMs: number; to: string[] };
}

const namesMax = 100;

/** Reads the rendered parameters of a human block. Undefined when everyone who may execute may answer the pause. */
export function parseAsking({ approvals, notify, reminders, escalation }: JsonObject): Asking | undefined {
  if ([approvals, notify, reminders, escalation].every((part) => part === undefined)) return undefined;
  const step = isObject(escalation) ? escalation : undefined;
  const read = isObject(approvals) ? approvalsOf(approvals) : undefined;
  return {
    ...(read ? { approvals: step ? explicit(read) : read } : {}),
    ...(isObject(notify) ? { notify: notifyOf(notify) } : {}),
    remindersMs: listOf(reminders)
      .map(lengthOf)
      .toSorted((a, b) => a - b),
    ...(step
      ? { escalation: { afterMs: lengthOf(step.after ?? null), to: namesOf(step.to, 'escalation.to') } }
      : {}),
  };
}

/**
 * An escalation adds people to the assignees. An empty list means "every member who may execute", so it is written
 * out as roles first, or the addition would narrow it.
 */
function explicit(approvals: Approvals): Approvals {
  const { assignees, roles } = approvals;
  return assignees.length + roles.length > 0 ? approvals : { ...approvals, roles: ['admin', 'editor'] };
}

function approvalsOf(approvals: JsonObject): Approvals {
  const {
    required = 1,
    veto = true,
    allowStarter = false,
    assignees,
    roles,
    decision = 'approved',
  } = approvals;
  return {
    required: typeof required === 'number' ? required : 1,
    veto: veto !== false,
    allowStarter: allowStarter === true,
    ...(approvals.requireSignIn === true ? { requireSignIn: true } : {}),
    assignees: namesOf(assignees, 'approvals.assignees'),
    roles: listOf(roles).map(String),
    decision: String(decision),
  };
}

function notifyOf({ emails, webhook }: JsonObject): NonNullable<Asking['notify']> {
  const receivers = { emails: namesOf(emails, 'notify.emails') };
  if (!isObject(webhook)) return receivers;
  const { url = '', secret = '' } = webhook;
  return {
    ...receivers,
    webhook: { url: String(url), secret: String(secret) },
  };
}

/** Each member is a name or a list of names; each name once. */
function namesOf(value: Json | undefined, where: string): string[] {
  const names = listOf(value).flat();
  const texts = names.filter((name) => typeof name === 'string');
  if (texts.length < names.length || texts.some((name) => name.trim() === '' || name.length > 320))
    throw new BadValue(`${where} must give e-mail addresses or user ids.`);
  const once = [...new Map(texts.map((name) => [name.trim().toLowerCase(), name.trim()])).values()];
  if (once.length > namesMax) throw new BadValue(`${where} gave more than ${namesMax} names.`);
  return once;
}

function lengthOf(value: Json): number {
  const ms = durationMs(value);
  if (ms === undefined) throw new BadValue(`${JSON.stringify(value)} is not a duration.`);
  return ms;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A reminder or an escalation of a pause, and its time in milliseconds since the epoch. */
export type PauseOccasion = [atMs: number, occasion: string];

/** Returns the reminders and the escalation of a pause that come after a moment, in order. */
export function findOccasions(
  { asking, openedAtMs }: { asking?: Asking; openedAtMs: number },
  afterMs = 0,
): PauseOccasion[] {
  const reminders = (asking?.remindersMs ?? []).map((ms, i): PauseOccasion => [
    openedAtMs + ms,
    `reminder ${i + 1}`,
  ]);
  const step = asking?.escalation;
  const all: PauseOccasion[] = step ? [...reminders, [openedAtMs + step.afterMs, 'escalated']] : reminders;
  return all.filter(([atMs]) => atMs > afterMs).toSorted(([a], [b]) => a - b);
}
