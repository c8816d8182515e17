import { Holdfast, HoldfastError, type Schemas } from '#libs/sdk/src/holdfast';
import { connection } from './connection.svelte.ts';

/** The one client of this tab: it calls the origin that has served the page, by the cookie of the session. */
export const client = new Holdfast({
  // A program elsewhere is free to name this variable; a page has one installation.
  baseUrl: location.origin,
  fetch: connection.fetch,
  maxRetries: 1,
});

export {
  ApiError,
  ConnectionError,
  ConflictError,
  NotFoundError,
  OutdatedError,
} from '#libs/sdk/src/holdfast';
export type { Schemas } from '#libs/sdk/src/holdfast';

export type ExecutionStatus = Schemas['LogView']['status'];

/** What went wrong, in a sentence for people. */
export function sentenceOf(error: unknown): string {
  if (error instanceof HoldfastError) return error.message;
  return error instanceof Error ? error.message : String(error);
}

/** An empty filter is no filter: it is left out of the call. */
export function given<T extends object>(params: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  ) as Partial<T>;
}
