import { createHmac } from 'node:crypto';
import { readClockMs } from '#libs/platform/clock/database-clock';

/** The headers of a delivery by the Standard Webhooks scheme, with a signature for each secret; null when a secret does not follow the scheme. */
export function signedHeaders(id: string, body: string, secrets: string[]): Record<string, string> | null {
  const timestamp = String(Math.floor(readClockMs() / 1000));
  const signatures: string[] = [];
  for (const secret of secrets) {
    const key = keyOf(secret);
    if (!key) return null;
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    signatures.push(`v1,${signature}`);
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** The key in a secret: `whsec_` and the base64 of 24 to 64 bytes. */
function keyOf(secret: string): Buffer | null {
  const written = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1];
  const key = Buffer.from(written ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : null;
}
