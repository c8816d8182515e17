import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { SettingsModule } from '#libs/platform/settings/settings.module';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { ImportOutbox } from './import-outbox.ts';

/** Separate from `TablesModule`, which needs no connection to Temporal. */
@Module({
  imports: [DatabaseModule, SettingsModule, TemporalClientModule],
  providers: [ImportOutbox],
  exports: [ImportOutbox],
})
export class ImportOutboxModule {}
