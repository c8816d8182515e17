import type { FastifyRequest } from 'fastify';
import { Denied } from '#libs/platform/errors/errors';

/** Whether the headers of a browser say that another site made this request. Without `Sec-Fetch-Site` (plain http, old browsers) the origin says it. */
export function isForeign({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return headers.origin !== new URL(publicUrl).origin;
}

/** Whether another site makes a browser read something. A read that a person types into the address bar comes from nowhere. */
export function isForeignRead({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Refuses what another site makes a browser send. Call it before anything that a cookie, or nothing, permits. */
export function refuseForeign(request: FastifyRequest, publicUrl: string): void {
  if (isForeign(request, publicUrl))
    throw new Denied(
      `This call came from another site than ${new URL(publicUrl).origin}. Open the console there and try again.`,
      'FOREIGN_ORIGIN',
    );
}
