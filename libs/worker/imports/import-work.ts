import { Injectable } from '@nestjs/common';
import { Context } from '@temporalio/activity';
import { isUnavailable } from '#libs/platform/database/violations';
import { Invalid, NotFound, Unpaid } from '#libs/platform/errors/errors';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import { ImportEnded, ImportJobs } from '#libs/tables/files/import-jobs';
import { RowsRefused } from '#libs/tables/files/imports';
import { TableLocked } from '#libs/tables/writes/table-write-lock';
import type { ImportActivities, ImportKey } from '#temporal/activities';

/** The maximum number of consecutive attempts that end without a report, for example because the file crashes its worker. */
const triesMax = 5;
const beatMs = 2000;

/** The activities of the import workflow. */
@Injectable()
export class ImportWork implements ImportActivities {
  constructor(
    private readonly jobs: ImportJobs,
    private readonly room: StorageQuota,
  ) {}

  async importRows(key: ImportKey): Promise<void> {
    const context = Context.current();
    let lines = 0;
    const beat = setInterval(() => context.heartbeat(lines), beatMs);
    try {
      await this.attempt(key, async (done) => {
        lines = done;
        if (context.cancellationSignal.aborted) throw new Stopped();
        await this.room.require(key.workspaceId);
      });
    } finally {
      clearInterval(beat);
    }
  }

  /** Runs an attempt. For a file that cannot be imported it fails the import with the reason, and does not throw. */
  private async attempt(key: ImportKey, beat: (lines: number) => Promise<void>): Promise<void> {
    try {
      const job = await this.jobs.beginImport(key);
      if (job.tries > triesMax)
        return await this.jobs.fail(
          key,
          `The import broke off ${triesMax} times; the file may be what ends it.`,
        );
      await this.room.require(key.workspaceId);
      await this.jobs.runImport(key, job, beat);
    } catch (error) {
      if (error instanceof ImportEnded) return;
      if (error instanceof RowsRefused) return this.jobs.fail(key, error.message, error.report);
      if (error instanceof Invalid) return this.jobs.fail(key, reasonOf(error));
      if (error instanceof Unpaid) return this.jobs.fail(key, error.message);
      // The table or the file was deleted, so nobody can ask for the import.
      if (error instanceof NotFound) return;
      if (isUnavailable(error) || error instanceof TableLocked || error instanceof Stopped)
        await this.jobs.endedInOrder(key).catch(() => undefined);
      throw error;
    }
  }

  failImport(key: ImportKey, message: string): Promise<void> {
    return this.jobs.fail(key, message);
  }
}

/** Thrown when this worker stops or the workflow was cancelled. Committed rows stay. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

function reasonOf({ details, message }: Invalid): string {
  const [first] = details ?? [];
  return first ? `${first.path} ${first.message}`.trim() : message;
}
