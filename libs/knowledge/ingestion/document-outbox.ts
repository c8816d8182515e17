import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { claimInTurn } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox } from '#libs/platform/database/outbox';
import { Settings } from '#libs/platform/settings/settings';
import { startSoon, startOnce } from '#libs/platform/temporal-client/start-once';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { ingestion } from '#temporal/workflows/ingestion';
import { cutText } from '#libs/platform/text/whole-text';
import type { ProcessingKey } from './ingestion.ts';

interface Row {
  id: string;
  workspace_id: string;
  revision: number;
  filename: string;
}

/**
 * Starts workflows in Temporal for documents that must be processed. The workflow id belongs to the processing, so a second start changes
 * nothing while the workflow runs. The outbox delivers a document that waits too long again. Temporal then restarts a workflow that ended
 * without a result.
 */
@Injectable()
export class DocumentOutbox extends Outbox<Row> {
  protected readonly claim = claimDocuments;
  protected readonly lagOf = documentsLag;

  constructor(
    database: Database,
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {
    super(database);
  }

  protected deliver({ id: documentId, workspace_id: workspaceId, revision, filename }: Row): Promise<void> {
    return this.start({ documentId, workspaceId, revision }, filename);
  }

  /** Starts the workflows at once. When Temporal is unavailable, the outbox starts them later. */
  async deliverNow(
    workspaceId: string,
    documents: readonly { id: string; revision: number; filename: string }[],
  ) {
    await startSoon(this.temporal, async () => {
      for (const { id: documentId, revision, filename } of documents)
        await this.start({ workspaceId, documentId, revision }, filename);
    });
  }

  private async start(key: ProcessingKey, filename: string): Promise<void> {
    const workflowId = `${key.documentId}-${key.revision}`;
    const { queue } = this.settings;
    await startOnce<typeof ingestion>(this.temporal, 'ingestion', {
      workflowId,
      taskQueue: queue,
      args: [{ ...key, queue }],
      staticSummary: cutText(`Process the document ${filename}`, 99),
      priority: { priorityKey: 4, fairnessKey: key.workspaceId },
    });
  }
}

const claimDocuments = /* sql */ `
update documents d set next_delivery_at = now() + case when d.status = 'pending' then interval '8 seconds' else interval '1 minute' end
from (${claimInTurn({
  table: 'documents',
  id: 'no',
  at: 'next_delivery_at',
  waits: [`status in ('pending', 'processing')`],
})}
) due
where d.no = due.no
returning d.id, d.workspace_id, d.revision, d.filename`;

const documentsLag = lagOver(`select created_at as since from documents
  where status = 'pending' order by next_delivery_at limit 10000`);
