import { Foundation1700000000001 } from './0001-foundation.ts';

/** Every migration, oldest first. Only ever added to. */
export const migrations = [Foundation1700000000001];
