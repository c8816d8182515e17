import { Injectable } from '@nestjs/common';
import {
  claimJobs,
  isJobDue,
  JobOutbox,
  type JobStart,
  jobsLag,
} from '#libs/platform/temporal-client/job-outbox';
import { cutText } from '#libs/platform/text/whole-text';
import type { ingestion } from '#temporal/workflows/ingestion';

interface DocumentRow {
  id: string;
  workspaceId: string;
  revision: number;
  filename: string;
}

/** Starts the workflows of documents that must be processed. */
@Injectable()
export class DocumentOutbox extends JobOutbox<DocumentRow, typeof ingestion> {
  protected readonly workflow = 'ingestion';
  readonly due = isJobDue('documents');
  protected readonly claim = claimJobs('documents', 'no', 'job.revision, job.filename');
  protected readonly lagOf = jobsLag('documents');

  protected buildStart(row: DocumentRow, queue: string): JobStart<typeof ingestion> {
    const { id: documentId, workspaceId, revision, filename } = row;
    return {
      workflowId: `${documentId}-${revision}`,
      args: [{ documentId, workspaceId, revision, queue }],
      staticSummary: cutText(`Process the document ${filename}`, 99),
    };
  }
}
