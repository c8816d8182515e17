import { Injectable, Module } from '@nestjs/common';
import { Database, DatabaseModule } from '#libs/platform/database/database';
import { Outbox } from '#libs/platform/database/outbox';
import { Settings, SettingsModule } from '#libs/platform/settings/settings';
import { startSoon, startOnce } from '#libs/platform/temporal-client/start-once';
import { TemporalClient, TemporalClientModule } from '#libs/platform/temporal-client/temporal-client';
import type { tableImport } from '#temporal/workflows/table-import';
import { claimImports, importsLag } from './import-jobs.sql.ts';
import type { TableImportKey } from './import-jobs.ts';

interface Row {
  id: string;
  workspace_id: string;
  table_id: string;
}

/** Starts the workflows of new imports in Temporal, and starts them again when an import waits too long. A second start changes nothing. */
@Injectable()
export class ImportOutbox extends Outbox<Row> {
  protected readonly claim = claimImports;
  protected readonly lagOf = importsLag;

  constructor(
    database: Database,
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {
    super(database);
  }

  protected deliver({ id: importId, workspace_id: workspaceId, table_id: tableId }: Row): Promise<void> {
    return this.start({ importId, workspaceId }, tableId);
  }

  /** Starts the workflow of the import at once. When Temporal is unavailable, the outbox starts it later. */
  async deliverNow(key: TableImportKey, tableId: string): Promise<void> {
    await startSoon(this.temporal, () => this.start(key, tableId));
  }

  private async start(key: TableImportKey, tableId: string): Promise<void> {
    const { queue } = this.settings;
    await startOnce<typeof tableImport>(this.temporal, 'tableImport', {
      workflowId: key.importId,
      taskQueue: queue,
      args: [{ ...key, queue }],
      staticSummary: `Import rows into ${tableId}`,
      priority: { priorityKey: 4, fairnessKey: key.workspaceId },
    });
  }
}

/** Separate from `TablesModule`, which needs no connection to Temporal. */
@Module({
  imports: [DatabaseModule, SettingsModule, TemporalClientModule],
  providers: [ImportOutbox],
  exports: [ImportOutbox],
})
export class ImportOutboxModule {}
