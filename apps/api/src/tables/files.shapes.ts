import type { ExactObject } from '#libs/platform/json/exact-json';
import { type ImportFormat, importFormats } from '#libs/tables/files/import-lines';
import { type ImportMode, importModes } from '#libs/tables/files/imports';
import { type ImportJob, importStatuses, type ImportStatus } from '#libs/tables/files/import-jobs';
import { PageCursor, PageLimit } from '../http/cursor-query.ts';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

export class ImportQuery {
  @WorkspaceId() workspaceId?: string;
  @OneOf(importModes, {
    optional: true,
    default: 'all',
    description: '`all`: every row or none. `good`: every row that fits, and a report of the others.',
  })
  mode: ImportMode = 'all';
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB.',
  })
  async: boolean = false;
}

export class ImportListQuery {
  @WorkspaceId() workspaceId?: string;
  @PageLimit('imports', 20) limit: number = 20;
  @PageCursor() cursor?: string;
}

export class ImportWaitQuery {
  @WorkspaceId() workspaceId?: string;
  @Int({
    query: true,
    optional: true,
    min: 0,
    max: 60,
    default: 0,
    description: 'Seconds to wait until the import has ended.',
  })
  wait: number = 0;
}

export class RefusedLineView {
  @Int({ description: 'The line of the file, from 1.' }) line!: number;
  @Text({ description: 'The reason for which the line was refused.' }) message!: string;
}

export class ImportView {
  @Int({ description: 'The number of inserted rows.' }) insertedCount!: number;
  @Int({ description: 'The number of refused lines of the file.' }) refusedCount!: number;
  @ListOf(() => RefusedLineView, { description: 'The first hundred of the refused lines.' })
  refused!: RefusedLineView[];
}

export class ImportJobView extends ImportView {
  @Text({ description: 'The id of the import, which begins with `imp_`.' }) id!: string;
  @Text({ description: 'The id of the table.' }) tableId!: string;
  @OneOf(importStatuses, {
    description: 'The state of the import. `completed`, `failed` and `cancelled` are final.',
  })
  status!: ImportStatus;
  @OneOf(importFormats, { description: 'The form of the file.' }) format!: ImportFormat;
  @OneOf(importModes, {
    description: '`all`: one bad line refuses the file. `good`: a bad line refuses only itself.',
  })
  mode!: ImportMode;
  @Int({ description: 'The size of the file in bytes.' }) size!: number;
  @Int({ description: 'The number of lines with rows that are processed so far.' }) lineCount!: number;
  @Text({ nullable: true, description: 'The reason of the failure.' }) error!: string | null;
  @Time({ description: 'The time at which the file was stored, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({
    nullable: true,
    description: 'The time at which a worker began, in ISO 8601 and UTC; null until then.',
  })
  startedAt!: string | null;
  @Time({
    nullable: true,
    description: 'The time at which the import ended, in ISO 8601 and UTC; null until then.',
  })
  completedAt!: string | null;

  static of({ createdAt, startedAt, completedAt, ...job }: ImportJob): ImportJobView {
    const at = (time: Date | null) => time?.toISOString() ?? null;
    const times = {
      createdAt: createdAt.toISOString(),
      startedAt: at(startedAt),
      completedAt: at(completedAt),
    };
    return Object.assign(new ImportJobView(), job, times);
  }
}

class ImportBegunData {
  @One(() => ImportJobView, { description: 'The import, which waits for a worker.' }) import!: ImportJobView;
  @Text({ description: 'The absolute URL of the import.' }) statusUrl!: string;
  @Text({ description: 'The accepted work, in a sentence for people.' }) message!: string;
}

export class ImportBegunView {
  @Bool({ description: 'Always true: the file is stored.' }) success!: boolean;
  @One(() => ImportBegunData, { description: 'The import and the URL of its progress.' })
  data!: ImportBegunData;
}

export class ImportPageView {
  @ListOf(() => ImportJobView, { description: 'The imports, the newest first.' }) imports!: ImportJobView[];
  @Text({ nullable: true, description: 'The `cursor` of the next page; null on the last page.' })
  nextCursor!: string | null;
}

const guardNote = 'True: a quote comes before each text in a CSV that a spreadsheet would read as a formula.';

export class ExportQuery {
  @WorkspaceId() workspaceId?: string;
  @OneOf(importFormats, { optional: true, default: 'csv', description: 'The form of the file.' })
  format: ImportFormat = 'csv';
  @Text({ optional: true, max: 65_536, description: 'JSON, in the form of the list of rows.' })
  filter?: string;
  @Text({ optional: true, max: 2000, description: 'JSON, in the form of the list of rows.' }) sort?: string;
  @Bool({
    query: true,
    optional: true,
    default: true,
    description: guardNote,
  })
  guardFormulas: boolean = true;
}

export class ExportBody {
  @WorkspaceId() workspaceId?: string;
  @OneOf(importFormats, { optional: true, default: 'csv', description: 'The form of the file.' })
  format?: ImportFormat;
  @Obj({ optional: true, description: 'In the form of the list of rows.' }) filter?: ExactObject;
  @Obj({ optional: true, description: 'In the form of the list of rows.' }) sort?: ExactObject;
  @Bool({ optional: true, default: true, description: guardNote }) guardFormulas?: boolean;
}
