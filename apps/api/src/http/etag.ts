import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Invalid } from '#libs/platform/errors/errors';

/** Documents the header that `versionOf` reads. */
export const TakesIfMatch = (thing: string) =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: `The ETag of ${thing} as it was read. When it has changed since, the call is refused with 412 and changes nothing.`,
  });

/**
 * The version in an If-Match header; undefined when any version will do. Throws for a weak tag, a list, and anything
 * else that is not one ETag.
 */
export function versionOf(ifMatch: string | undefined, thing = 'a row'): string | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,18})"\s*$/.exec(ifMatch) ?? [];
  if (version !== undefined) return version;
  throw Invalid.field('If-Match', `must be the ETag of ${thing}, in its quotes`, 'pattern');
}

/** Refuses the header on a call that may change many rows. Ignoring it would promise a check that did not happen. */
export function refuseVersion(ifMatch: string | undefined, instead: string): void {
  if (ifMatch !== undefined)
    throw Invalid.field('If-Match', `is not possible for many rows; ${instead}`, 'conflict');
}

export function etagOf(thing: { version: number } | undefined): string | undefined {
  return thing && `"${thing.version}"`;
}

export function writeVersion(reply: FastifyReply, thing: { version: number } | undefined): void {
  writeETag(reply, etagOf(thing));
}

export function writeETag(reply: FastifyReply, etag: string | undefined): void {
  if (etag !== undefined) reply.header('ETag', etag);
}
