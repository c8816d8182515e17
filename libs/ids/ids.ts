import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** The prefixes of ids, which show the kind of thing that an id names. */
export type IdPrefix =
  | 'ws'
  | 'usr'
  | 'key'
  | 'inv'
  | 'wf'
  | 'dep'
  | 'exec'
  | 'job'
  | 'pause'
  | 'ctx'
  | 'res'
  | 'pay'
  | 'req'
  | 'tbl'
  | 'row'
  | 'kb'
  | 'doc'
  | 'chk'
  | 'tag'
  | 'file';

/** A new identifier: prefix and a UUIDv7 without hyphens, so that ids made later sort later. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}

/** An identifier of 192 random bits that nobody can guess, for contexts: whoever knows one can read its pause. */
export function newUnguessableId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(24).toString('hex')}`;
}

/** The form of every id of this system. Anything else is refused before a look-up. */
export const idPattern = /^[a-z]{2,8}_[0-9a-z]{20,64}$/;
