import { Injectable, Logger, Module } from '@nestjs/common';
import { Database, DatabaseModule } from '#libs/platform/database/database';
import { Settings, SettingsModule } from '#libs/platform/settings/settings';
import { hint, startOnce } from '#libs/platform/temporal-client/start-once';
import { TemporalClient, TemporalClientModule } from '#libs/platform/temporal-client/temporal-client';
import type { tableImport } from '#temporal/workflows/table-import';
import { claimImports } from './import-jobs.sql.ts';
import type { TableImportKey } from './import-jobs.ts';

/** The most imports of one turn. */
const batch = 50;

/** Hands imports that were committed to Temporal, and looks again at those that wait too long. */
@Injectable()
export class ImportRelay {
  private readonly log = new Logger(ImportRelay.name);

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {}

  /** Runs one turn: starts what Temporal may not have, and does nothing for what it has. */
  async startDueImports(): Promise<void> {
    const rows = await this.database.forgetful<{ id: string; workspace_id: string; table_id: string }>(
      claimImports,
      [batch],
    );
    for (const { id: importId, workspace_id: workspaceId, table_id: tableId } of rows)
      await this.start({ importId, workspaceId }, tableId).catch((error: unknown) =>
        this.log.warn(`${importId} waits for Temporal: ${String(error)}`),
      );
  }

  /** Starts the import at once; when Temporal is away, a later turn does. */
  async hint(key: TableImportKey, tableId: string): Promise<void> {
    await hint(this.temporal, () => this.start(key, tableId));
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

/** Apart from the tables themselves, which need no Temporal. */
@Module({
  imports: [DatabaseModule, SettingsModule, TemporalClientModule],
  providers: [ImportRelay],
  exports: [ImportRelay],
})
export class ImportRelayModule {}
