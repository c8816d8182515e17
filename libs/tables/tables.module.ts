import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { FilesModule } from '#libs/platform/files/files.module';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { ColumnIndexes } from './schema/column-indexes.ts';
import { Exports } from './files/exports.ts';
import { ImportJobs } from './files/import-jobs.ts';
import { Imports } from './files/imports.ts';
import { OrphanedRows } from './schema/orphans.ts';
import { LongWork } from './writes/long-work.ts';
import { RowChanges } from './writes/row-changes.ts';
import { Rows } from './reads/rows.ts';
import { TableColumns } from './schema/table-columns.ts';
import { ChangeFeed } from './reads/change-feed.ts';
import { TableWriteLock } from './writes/table-write-lock.ts';
import { Tables } from './schema/tables.ts';

const providers = [
  TableWriteLock,
  LongWork,
  Tables,
  TableColumns,
  Rows,
  RowChanges,
  OrphanedRows,
  ColumnIndexes,
  ChangeFeed,
  Imports,
  ImportJobs,
  Exports,
];

@Module({
  imports: [DatabaseModule, PagesModule, FilesModule],
  providers,
  exports: providers,
})
export class TablesModule {}
