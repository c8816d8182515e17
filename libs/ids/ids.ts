import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** The readable prefix tells what an id names. */
export type IdPrefix =
  | 'ws'
  | 'usr'
  | 'key'
  | 'wf'
  | 'dep'
  | 'exec'
  | 'job'
  | 'pause'
  | 'ctx'
  | 'res'
  | 'pay'
  | 'req';

/** A new identifier: prefix and a UUIDv7 without hyphens, so that ids made later sort later. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}

/** An identifier that nobody can guess: 192 random bits. For contexts, which open a pause to whoever knows them. */
export function newUnguessableId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(24).toString('hex')}`;
}

/** Every id of this system; anything else cannot name a thing and is refused before a look-up. */
export const idPattern = /^[a-z]{2,8}_[0-9a-z]{20,64}$/;
