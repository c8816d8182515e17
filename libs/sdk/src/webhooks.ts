import { HoldfastError } from './errors.ts';

/** The event is not from its sender, was changed, or is too old. */
export class WebhookError extends HoldfastError {
  override readonly name = 'WebhookError';
  constructor(message: string, options?: ErrorOptions) {
    super('WEBHOOK_INVALID', message, options);
  }
}

/** An event of an installation, as Standard Webhooks carry it. */
export interface WebhookEvent {
  type: string;
  timestamp: string;
  data: unknown;
}

export interface UnwrapOptions {
  /** The clocks of sender and receiver may be so many seconds apart; 300 by default. */
  toleranceS?: number;
}

/** Checks and reads signed events (Standard Webhooks 1.0). */
export class Webhooks {
  /**
   * Checks the signature and the time of an event, and resolves with it. `body` must be the text as it was received. `secret` may be a list while
   * a secret is exchanged. Rejects with WebhookError.
   */
  async unwrap(
    body: string,
    headers: Headers | Record<string, string | string[] | undefined>,
    secret: string | string[],
    { toleranceS = 300 }: UnwrapOptions = {},
  ): Promise<WebhookEvent> {
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      readHeader(headers, name),
    );
    if (!id || !timestamp || !signatures)
      throw new WebhookError(
        'One of the headers webhook-id, webhook-timestamp and webhook-signature is missing.',
      );
    const age = Date.now() / 1000 - Number(timestamp);
    if (!(Math.abs(age) <= toleranceS))
      throw new WebhookError(
        `The event is ${Math.round(Math.abs(age))} s ${age > 0 ? 'old' : 'ahead'}, and ${toleranceS} s are allowed. Check the clock of this machine.`,
      );
    const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
    for (const one of [secret].flat())
      if (await isSigned(one, `${id}.${timestamp}.${body}`, given)) return readEvent(body);
    throw new WebhookError('No signature fits. Check the secret, and give the body as it was received.');
  }
}

async function isSigned(secret: string, content: string, signatures: string[]): Promise<boolean> {
  const bytes = decode(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new WebhookError('The secret is not base64 behind whsec_.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const text = new TextEncoder().encode(content);
  for (const one of signatures) {
    const signature = decode(one);
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, text))) return true;
  }
  return false;
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readEvent(body: string): WebhookEvent {
  try {
    return JSON.parse(body) as WebhookEvent;
  } catch (cause) {
    throw new WebhookError('The event is signed and is no JSON.', { cause });
  }
}

function readHeader(
  headers: Headers | Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}
