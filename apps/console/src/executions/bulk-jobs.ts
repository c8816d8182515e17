import type { Schemas } from '../api/client.ts';

/** True when an undo of the job may find something: it has ended, and not all that it did is taken back. */
export const isUndoable = ({ verb, status, done, undone }: Schemas['BulkJobView']): boolean =>
  status !== 'running' && (verb === 'retry' || verb === 'fork') && done > undone;
