import type { FastifyRequest } from 'fastify';
import { Denied } from '#libs/platform/errors/errors';

/**
 * True when a browser's headers show that another site made this request. Without `Sec-Fetch-Site` (plain http, old
 * browsers) the origin decides.
 */
export function isForeign({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return headers.origin !== new URL(publicUrl).origin;
}

/**
 * True when the browser's headers show that another site sent the form of a page. Without `Sec-Fetch-Site` our own page sends the
 * origin `null`, because its referrer policy also hides the origin.
 */
export function isFormFromElsewhere(request: FastifyRequest, publicUrl: string): boolean {
  const { headers } = request;
  const hidesOrigin = headers['sec-fetch-site'] === undefined && (headers.origin ?? 'null') === 'null';
  return !hidesOrigin && isForeign(request, publicUrl);
}

/** True when another site makes a browser read something. A URL from the address bar has no site. */
export function isForeignRead({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Refuses a request that another site makes a browser send. Call it before anything that a cookie, or nothing, permits. */
export function refuseForeign(request: FastifyRequest, publicUrl: string): void {
  if (isForeign(request, publicUrl))
    throw new Denied(
      `This call came from another site than ${new URL(publicUrl).origin}. Open the console there and try again.`,
      'FOREIGN_ORIGIN',
    );
}
