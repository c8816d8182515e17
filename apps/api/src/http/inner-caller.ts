import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '#libs/workspace/auth/caller';

/** The caller on whose behalf this process makes a request to itself. Their key does not travel with it. */
export const innerCaller = new AsyncLocalStorage<Caller>();
