import { readConnection } from '#libs/sdk/src/connection';
import { Transport } from '#libs/sdk/src/transport';
import { connection } from './connection.svelte.ts';

/**
 * Sends all calls of this tab to the origin that has served the page, by the cookie of the session. Each resource has a file of
 * its own in `resources`, so that a page loads the calls that it makes.
 */
export const transport = new Transport(
  // A program elsewhere is free to name this variable; a page has one installation.
  readConnection({ baseUrl: location.origin, fetch: connection.fetch, maxRetries: 1 }),
);

export { ApiError, ConflictError, NotFoundError, OutdatedError } from '#libs/sdk/src/errors';
export type { Schemas } from '#libs/sdk/src/shapes';

/** The failure, in a sentence for people. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An empty filter is no filter: it is left out of the call. */
export function given<T extends object>(params: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  ) as Partial<T>;
}
