import { InitialSchema1700000000001 } from './0001-initial-schema.ts';
import { Installation1700000000002 } from './0002-installation.ts';
import { ReadsOfFiles1700000000003 } from './0003-reads-of-files.ts';
import { LostRuns1700000000004 } from './0004-lost-runs.ts';
import { DirectRuns1700000000005 } from './0005-direct-runs.ts';

/** Every migration, oldest first. New ones are only added at the end. */
export const migrations = [
  InitialSchema1700000000001,
  Installation1700000000002,
  ReadsOfFiles1700000000003,
  LostRuns1700000000004,
  DirectRuns1700000000005,
];
