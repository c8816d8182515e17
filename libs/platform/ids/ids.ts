import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { readClockMs } from '#libs/platform/clock/database-clock';

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
  | 'imp'
  | 'doc'
  | 'chk'
  | 'tag'
  | 'file'
  | 'mcp'
  | 'ses'
  | 'pky'
  | 'idn'
  | 'view'
  | 'ep'
  | 'evt'
  | 'trg'
  | 'dlv'
  | 'hold'
  | 'alr'
  | 'cal'
  | 'bulk'
  | 'bkf';

/** A new identifier: prefix and a UUIDv7 without hyphens, so that ids made later sort later. */
export function newId(prefix: IdPrefix): string {
  const random = nextRandom();
  const now = readClockMs();
  // In the same millisecond, or after the clock was set back, the next id increments the last id.
  latest =
    now > latest.msecs
      ? { msecs: now, seq: random.readUInt32BE(6) & 0x7fff_ffff }
      : { msecs: latest.msecs, seq: latest.seq + 1 };
  return `${prefix}_${v7({ random, ...latest }).replaceAll('-', '')}`;
}

const randomBytesEach = 16;
let latest = { msecs: 0, seq: 0 };
let randomness = randomBytes(0);

/** Reads random bytes for many ids at once, because the call to the system is the slowest part of a new id. */
function nextRandom(): Buffer {
  if (randomness.length === 0) randomness = randomBytes(256 * randomBytesEach);
  const next = randomness.subarray(0, randomBytesEach);
  randomness = randomness.subarray(randomBytesEach);
  return next;
}

/** An id of 192 random bits that nobody can guess. It is for contexts, because a person who knows the id can read its pause. */
export function newUnguessableId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(24).toString('hex')}`;
}

/** The form of every id of this system. Anything else is refused before a look-up. */
export const idPattern = /^[a-z]{2,8}_[0-9a-z]{20,64}$/;
