import { createHash, randomBytes } from 'node:crypto';
import { sameBytes } from '#libs/platform/crypto/crypto';

/** A secret for a cookie. It binds what a browser has begun to this browser. */
export const newBinding = (): string => randomBytes(32).toString('base64url');

/** The hash of a binding, which is stored in place of it. */
export const hashOfBinding = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

/** True when the cookie of this browser has the secret of the stored hash. */
export const isBoundTo = (hash: unknown, secret: string): boolean =>
  typeof hash === 'string' && secret !== '' && sameBytes(hashOfBinding(secret), hash);
