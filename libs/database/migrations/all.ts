import { Foundation1700000000001 } from './0001-foundation.ts';

/** Every migration, oldest first. New ones are only added at the end. */
export const migrations = [Foundation1700000000001];
