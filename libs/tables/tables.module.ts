import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database/database';
import { FilesModule } from '#libs/files/files';
import { PagesModule } from '#libs/pages/cursor';
import { ColumnIndexes } from './column-indexes.ts';
import { Exports } from './exports.ts';
import { ImportJobs } from './jobs/import-jobs.ts';
import { Imports } from './imports.ts';
import { Leftovers } from './leftovers.ts';
import { LongWork } from './long-work.ts';
import { RowChanges } from './row-changes.ts';
import { Rows } from './rows.ts';
import { TableColumns } from './table-columns.ts';
import { TableChanges } from './table-changes.ts';
import { TableTurns } from './table-turns.ts';
import { Tables } from './tables.ts';

const providers = [
  TableTurns,
  LongWork,
  Tables,
  TableColumns,
  Rows,
  RowChanges,
  Leftovers,
  ColumnIndexes,
  TableChanges,
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
