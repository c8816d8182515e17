import type { FastifyReply } from 'fastify';
import { Invalid } from '#libs/faults/faults';

/** The version that an If-Match header asks for; undefined when any will do. A weak tag, a list, and whatever else is no ETag of one row is refused. */
export function versionOf(ifMatch: string | undefined): string | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,18})"\s*$/.exec(ifMatch) ?? [];
  if (version !== undefined) return version;
  throw Invalid.field('If-Match', 'must be the ETag of a row, in its quotes', 'pattern');
}

/** Refuses the header where a call may change many rows: ignored, it would promise what nobody has looked at. */
export function refuseVersion(ifMatch: string | undefined, instead: string): void {
  if (ifMatch !== undefined)
    throw Invalid.field('If-Match', `is not possible for many rows; ${instead}`, 'conflict');
}

export function writeVersion(reply: FastifyReply, row: { version: number } | undefined): void {
  if (row) reply.header('ETag', `"${row.version}"`);
}
