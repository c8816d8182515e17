import { randomBytes } from 'node:crypto';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import { requireEventTemplates } from './event-inputs.ts';
import { requireForm } from './forms/form-settings.ts';
import { requireRecurrence } from './schedules/moments.ts';
import type { TriggerFields, TriggerKind, WebhookSettings } from './trigger.entity.ts';
import { getScheme } from './webhooks/schemes.ts';

/** Throws `Invalid` with every fault of the settings that holds at any time and in any workspace. */
export function requireSettings(fields: Partial<TriggerFields>, kind: TriggerKind, secret?: string): void {
  const { webhook, schedule, form } = fields;
  const details = [
    listFaults(() => requireEventTemplates(fields, kind === 'schedule' ? 'schedule' : 'event')),
    listFaults(() => webhook && requireWebhook(webhook, secret)),
    listFaults(() => schedule && requireRecurrence(schedule)),
    listFaults(() => form && requireForm(form)),
  ].flat();
  if (details.length > 0) throw new Invalid(details);
}

/** Returns the faults for which a check throws `Invalid`. */
function listFaults(check: () => unknown): Detail[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return error.details ?? [];
  }
}

/** Throws `Invalid` for settings that do not belong together, and for a secret that the scheme cannot use. */
export function requireWebhook(
  { scheme, hmac, secretName }: WebhookSettings,
  secret: string | undefined,
  path = 'secret',
): void {
  if ((hmac !== null) !== (scheme === 'hmac'))
    throw Invalid.field(
      'webhook.hmac',
      hmac ? 'belongs to the scheme hmac' : 'is required for the scheme hmac',
      hmac ? 'conflict' : 'required',
    );
  if (secretName && scheme === 'none')
    throw Invalid.field('webhook.secretName', 'has no use: the scheme none proves nothing', 'conflict');
  if (secret === undefined) return;
  if (scheme === 'none') throw Invalid.field(path, 'has no use: the scheme none proves nothing', 'conflict');
  if (secretName)
    throw Invalid.field(path, `has no use: the secret is "${secretName}" of the workspace`, 'conflict');
  const isStandard = scheme === 'standard-webhooks' || (scheme === 'gitlab' && secret.startsWith('whsec_'));
  if (isStandard && !standardSecret.test(secret))
    throw Invalid.field(path, 'must be whsec_ and 24 to 64 bytes in base64', 'pattern');
}

const standardSecret = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** Makes a secret in the form of the scheme; undefined when it is made elsewhere, or when there is none. */
export function newSecret({ scheme, secretName }: WebhookSettings): string | undefined {
  if (secretName || scheme === 'none' || getScheme(scheme).secretOfSender) return undefined;
  if (scheme === 'standard-webhooks') return `whsec_${randomBytes(32).toString('base64')}`;
  return randomBytes(32).toString('hex');
}

/** The kind of the settings that are there. */
export const kindOf = ({ webhook, schedule, form }: TriggerFields): TriggerKind =>
  webhook ? 'webhook' : schedule ? 'schedule' : form ? 'form' : 'event';
