import { Injectable } from '@nestjs/common';
import {
  claimJobs,
  isJobDue,
  JobOutbox,
  type JobStart,
  jobsLag,
} from '#libs/platform/temporal-client/job-outbox';
import type { tableImport } from '#temporal/workflows/table-import';

interface ImportRow {
  id: string;
  workspaceId: string;
  tableId: string;
}

/** Starts the workflows of new imports. */
@Injectable()
export class ImportOutbox extends JobOutbox<ImportRow, typeof tableImport> {
  protected readonly workflow = 'tableImport';
  readonly due = isJobDue('table_imports');
  protected readonly claim = claimJobs('table_imports', 'id', 'job.table_id as "tableId"');
  protected readonly lagOf = jobsLag('table_imports');

  protected buildStart(
    { id: importId, workspaceId, tableId }: ImportRow,
    queue: string,
  ): JobStart<typeof tableImport> {
    const staticSummary = `Import rows into ${tableId}`;
    return { workflowId: importId, args: [{ importId, workspaceId, queue }], staticSummary };
  }
}
