import { randomBytes } from 'node:crypto';
import { keyedHash, sameBytes } from '#libs/platform/crypto/crypto';

/** One page that was shown. Its id is that of what is sent from it, so that it counts once. */
export interface ShownPage {
  id: string;
  atMs: number;
}

/** A page that was open for longer is shown again, with what was filled in. */
export const pageLastsMs = 24 * 60 * 60 * 1000;

const tokenPattern = /^([A-Za-z0-9_-]{22})\.(\d{13})\.([A-Za-z0-9_-]{43})$/;

/** Makes the token of a page of a trigger. It says when the page was shown, and nobody else can make one. */
export function newPageToken(secret: string, triggerId: string, nowMs: number): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${nowMs}.${sign(secret, triggerId, { id, atMs: nowMs })}`;
}

/** The page of a token; null for one that is not of this trigger, or too old. */
export function readPageToken(
  secret: string,
  triggerId: string,
  token: string,
  nowMs: number,
): ShownPage | null {
  const [, id = '', at = '', signature = ''] = tokenPattern.exec(token) ?? [];
  const page = { id, atMs: Number(at) };
  if (id === '' || !sameBytes(signature, sign(secret, triggerId, page))) return null;
  return nowMs - page.atMs > pageLastsMs ? null : page;
}

const sign = (secret: string, triggerId: string, { id, atMs }: ShownPage) =>
  keyedHash(secret, 'form-page', `${triggerId} ${id} ${atMs}`);
