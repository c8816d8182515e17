import { Injectable, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database';
import { SettingsModule } from '#libs/platform/settings/settings';
import { claimJobs, JobOutbox, type JobStart, jobsLag } from '#libs/platform/temporal-client/job-outbox';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client';
import type { tableImport } from '#temporal/workflows/table-import';

interface Row {
  id: string;
  workspaceId: string;
  tableId: string;
}

/** Starts the workflows of new imports. */
@Injectable()
export class ImportOutbox extends JobOutbox<Row, typeof tableImport> {
  protected readonly workflow = 'tableImport';
  protected readonly claim = claimJobs('table_imports', 'id', 'job.table_id as "tableId"');
  protected readonly lagOf = jobsLag('table_imports');

  protected startOf(
    { id: importId, workspaceId, tableId }: Row,
    queue: string,
  ): JobStart<typeof tableImport> {
    const staticSummary = `Import rows into ${tableId}`;
    return { workflowId: importId, args: [{ importId, workspaceId, queue }], staticSummary };
  }
}

/** Separate from `TablesModule`, which needs no connection to Temporal. */
@Module({
  imports: [DatabaseModule, SettingsModule, TemporalClientModule],
  providers: [ImportOutbox],
  exports: [ImportOutbox],
})
export class ImportOutboxModule {}
