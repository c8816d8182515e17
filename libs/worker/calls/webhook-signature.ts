import { createHmac } from 'node:crypto';

/** The headers of a delivery by the Standard Webhooks scheme; null when the secret does not follow the scheme. */
export function signedHeaders(id: string, body: string, secret: string): Record<string, string> | null {
  const key = keyOf(secret);
  if (!key) return null;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** The key in a secret: `whsec_` and the base64 of 24 to 64 bytes. */
function keyOf(secret: string): Buffer | null {
  const written = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1];
  const key = Buffer.from(written ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : null;
}
