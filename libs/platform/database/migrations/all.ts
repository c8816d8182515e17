import { InitialSchema1700000000001 } from './0001-initial-schema.ts';
import { Installation1700000000002 } from './0002-installation.ts';

/** Every migration, oldest first. New ones are only added at the end. */
export const migrations = [InitialSchema1700000000001, Installation1700000000002];
