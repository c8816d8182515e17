import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '#libs/workspace/auth/caller';

/** The caller for whom this process makes a request to itself. The request does not carry the key. */
export const innerCaller = new AsyncLocalStorage<Caller>();
