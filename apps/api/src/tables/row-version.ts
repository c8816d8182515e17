import type { FastifyReply } from 'fastify';
import { Invalid } from '#libs/faults/faults';

/** The version that an If-Match header asks for; undefined when any will do. A weak tag matches nothing, as the standard has it. */
export function versionOf(ifMatch: string | undefined): string | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,18})"\s*$/.exec(ifMatch) ?? [];
  if (version !== undefined) return version;
  throw Invalid.field('If-Match', 'must be the ETag of a row, in its quotes', 'pattern');
}

export function writeVersion(reply: FastifyReply, row: { version: number } | undefined): void {
  if (row) reply.header('ETag', `"${row.version}"`);
}
