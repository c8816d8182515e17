import { createHmac, hkdfSync } from 'node:crypto';

const peppers = new Map<string, Buffer>();

/** What is stored of a key: a hash under a key of its own, which is derived from the installation's secret. */
export function digestOf(secret: string, value: string): string {
  const pepper = peppers.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, '', 'holdfast api keys', 32));
  peppers.set(secret, pepper);
  return createHmac('sha256', pepper).update(value).digest('base64url');
}
