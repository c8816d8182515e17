import { ApiError, Conflict, Denied, Invalid, TooMany, Unpaid } from '#libs/platform/errors/errors';
import type { DeliveryVerdict, Trigger } from './trigger.entity.ts';

export type RefusedVerdict = Exclude<DeliveryVerdict, 'accepted'>;

/** Throws the reason why a trigger starts nothing now. */
export function requireOpen({
  status,
  note,
  mayExecute,
}: Pick<Trigger, 'status' | 'note'> & { mayExecute: boolean }): void {
  const reason = note === null ? '' : ` ${note}`;
  if (status === 'paused') throw new Conflict(`The trigger is paused.${reason}`, 'TRIGGER_PAUSED');
  if (status === 'disabled') throw new Conflict(`The trigger is switched off.${reason}`, 'TRIGGER_DISABLED');
  if (!mayExecute)
    throw new Denied(
      'The user or the key for which this trigger acts may no longer execute workflows. Resume the trigger to let it act for you.',
      'PRINCIPAL_GONE',
    );
}

const byCode: Partial<Record<string, RefusedVerdict>> = {
  TRIGGER_PAUSED: 'paused',
  TRIGGER_DISABLED: 'disabled',
  PRINCIPAL_GONE: 'denied',
  NOT_DEPLOYED: 'undeployed',
  EXECUTIONS_HELD: 'held',
  EVENT_LOOP: 'looped',
  FILTERED: 'filtered',
  FLOW_FULL: 'limited',
};

/** The verdict on a delivery that was refused; null when it was not, because something of ours failed. */
export function toVerdict(error: unknown): RefusedVerdict | null {
  if (error instanceof TooMany || error instanceof Unpaid) return 'limited';
  if (error instanceof Invalid) return 'invalid';
  return error instanceof ApiError ? (byCode[error.code] ?? null) : null;
}
