import type { ExactObject } from '#libs/platform/json/exact-json';
import { type ExportFormat, exportFormats } from '#libs/tables/files/exports';
import { type ImportFormat, importFormats, nullWords, type Taken } from '#libs/tables/files/import-options';
import type { FileColumn } from '#libs/tables/files/import-plan';
import { type ImportMode, importModes } from '#libs/tables/files/imports';
import { type ImportJob, importStatuses, type ImportStatus } from '#libs/tables/files/import-jobs';
import { type ColumnType, columnTypes } from '#libs/tables/schema/cells';
import { columnNamePattern } from '#libs/tables/schema/columns';
import { PageCursor, PageLimit } from '../http/cursor-query.ts';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { descriptionMax, nameRule, tableNameMax } from './tables.dto.ts';

const modeNote = '`all`: every row or none. `good`: every row that fits, and a report of the others.';
const asyncNote = 'Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB.';

/** How a file is read. What is left out is found out from the file, and the answer says it as `taken`. */
export class ReadFileQuery {
  @WorkspaceId() workspaceId?: string;
  @Text({
    optional: true,
    min: 1,
    max: 9,
    mayBeBlank: true,
    pattern: /^(?:[^"\r\n]|comma|semicolon|tab|pipe)$/,
    rule: 'must be one character, or comma, semicolon, tab or pipe',
    description:
      'The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`.',
  })
  delimiter?: string;
  @Text({
    optional: true,
    min: 1,
    max: 40,
    description: 'The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`.',
  })
  encoding?: string;
  @Text({
    optional: true,
    max: 6,
    pattern: /^(?:true|false|[1-9]\d{0,5})$/,
    rule: 'must be true, false or the line of the header',
    description:
      'The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table.',
  })
  header?: string;
  @Text({
    optional: true,
    max: 200,
    description: 'The name of the sheet of a workbook; the default is the first that is not empty.',
  })
  sheet?: string;
  @Text({
    optional: true,
    max: 65_536,
    description:
      'JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation.',
  })
  mapping?: string;
  @OneOf(nullWords, {
    optional: true,
    default: 'null',
    description: 'An empty cell: `null` leaves it empty, `default` gives it the default of its column.',
  })
  nulls: (typeof nullWords)[number] = 'null';
  @OneOf(['.', ','], { optional: true, description: 'The decimal sign of numbers.' }) decimal?: '.' | ',';
  @Text({
    optional: true,
    max: 40,
    description:
      'The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case.',
  })
  dateFormat?: string;
  @Bool({
    query: true,
    optional: true,
    default: true,
    description: 'True: the quote with which an export guards a text such as `+49` is taken off.',
  })
  guardFormulas: boolean = true;
}

/** How a file is read into a table that exists. */
export class FilePreviewQuery extends ReadFileQuery {
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'True: a column of the file that the table does not have is added to it.',
  })
  createColumns: boolean = false;
}

export class FileImportQuery extends FilePreviewQuery {
  @OneOf(importModes, { optional: true, default: 'all', description: modeNote }) mode: ImportMode = 'all';
  @Bool({ query: true, optional: true, default: false, description: asyncNote }) async: boolean = false;
}

export class ImportTableQuery extends ReadFileQuery {
  @Text({
    min: 1,
    max: tableNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The name of the new table: letters, digits and underscores, no digit first.',
  })
  name!: string;
  @Text({ optional: true, max: descriptionMax, description: 'The description of the new table.' })
  description?: string;
  @OneOf(importModes, { optional: true, default: 'all', description: modeNote }) mode: ImportMode = 'all';
  @Bool({ query: true, optional: true, default: false, description: asyncNote }) async: boolean = false;
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
  @Int({ description: 'The line of the file where the record begins, from 1. In a workbook, the row.' })
  line!: number;
  @Text({ description: 'The reason for which the line was refused.' }) message!: string;
}

export class TakenView implements Taken {
  @OneOf(importFormats, { description: 'The form of the file.' }) format!: ImportFormat;
  @Text({ nullable: true, description: 'The sign between two values of a CSV.' }) delimiter!: string | null;
  @Text({ nullable: true, description: 'The encoding of a text.' }) encoding!: string | null;
  @Text({ nullable: true, description: 'The sheet of a workbook.' }) sheet!: string | null;
  @Int({ nullable: true, description: 'The line of the header; null for a file without.' })
  header!: number | null;
  @OneOf(['.', ','], { description: 'The decimal sign of numbers.' }) decimal!: '.' | ',';
  @Text({ nullable: true, description: 'The form of dates; null when all are in ISO 8601.' })
  dateFormat!: string | null;
  @OneOf(nullWords, { description: 'What an empty cell becomes.' }) nulls!: (typeof nullWords)[number];
  @Obj({ description: 'The column of the table by the name of the column in the file; null is left out.' })
  mapping!: Record<string, string | null>;
  @Texts({ description: 'The columns that the import adds to the table.' }) createdColumns!: string[];
}

export class ImportCountsView {
  @Int({ description: 'The number of inserted rows.' }) insertedCount!: number;
  @Int({ description: 'The number of refused lines of the file.' }) refusedCount!: number;
  @ListOf(() => RefusedLineView, { description: 'The first hundred of the refused lines.' })
  refused!: RefusedLineView[];
}

export class ImportView extends ImportCountsView {
  @Text({ description: 'The id of the table.' }) tableId!: string;
  @One(() => TakenView, { description: 'The way in which the file was read.' }) taken!: TakenView;
}

export class FileColumnView implements FileColumn {
  @Text({ description: 'The name in the file, or `column 3` for one without.' }) name!: string;
  @OneOf(columnTypes, { description: 'The type that its first values have.' }) type!: ColumnType;
  @Texts({ description: 'The first three values that are not empty.' }) samples!: string[];
  @Texts({ description: 'The same values as the table would hold them.' }) stored!: string[];
  @Text({ nullable: true, description: 'The column of the table; null when it is left out.' })
  column!: string | null;
}

export class ImportPreviewView {
  @One(() => TakenView, { description: 'The way in which an import would read the file.' }) taken!: TakenView;
  @ListOf(() => FileColumnView, { description: 'The columns of the file.' }) columns!: FileColumnView[];
  @Texts({ description: 'The sheets of a workbook.' }) sheets!: string[];
  @Int({ description: 'The number of lines that were tried: the first ten thousand.' }) checkedCount!: number;
  @Int({ description: 'The number of these lines that an import would refuse.' }) refusedCount!: number;
  @ListOf(() => RefusedLineView, { description: 'The first hundred of the refused lines.' })
  refused!: RefusedLineView[];
}

export class ImportJobView extends ImportCountsView {
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
  @One(() => TakenView, {
    nullable: true,
    description: 'The way in which the file is read; null until a worker begins.',
  })
  taken!: TakenView | null;
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
  @OneOf(exportFormats, { optional: true, default: 'csv', description: 'The form of the file.' })
  format: ExportFormat = 'csv';
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
  @OneOf(exportFormats, { optional: true, default: 'csv', description: 'The form of the file.' })
  format?: ExportFormat;
  @Obj({ optional: true, description: 'In the form of the list of rows.' }) filter?: ExactObject;
  @Obj({ optional: true, description: 'In the form of the list of rows.' }) sort?: ExactObject;
  @Bool({ optional: true, default: true, description: guardNote }) guardFormulas?: boolean;
}
