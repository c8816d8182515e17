import { type ImportFormat, importFormats } from '#libs/tables/import-lines';
import { type ImportMode, importModes } from '#libs/tables/imports';
import { Bool, Int, ListOf, OneOf, Text } from '../http/fields.ts';

export class ImportQuery {
  @Text({ optional: true, max: 100, description: 'May be left out when the key reaches one workspace.' })
  workspaceId?: string;
  @OneOf(importModes, {
    optional: true,
    default: 'all',
    description: '`all`: every row or none. `good`: every row that fits, and a report of the others.',
  })
  mode: ImportMode = 'all';
}

export class RefusedLineView {
  @Int({ description: 'The line of the file, from 1.' }) line!: number;
  @Text({ description: 'What is wrong with it.' }) message!: string;
}

export class ImportView {
  @Int() insertedCount!: number;
  @Int() refusedCount!: number;
  @ListOf(() => RefusedLineView, { description: 'The first hundred of the refused lines.' })
  refused!: RefusedLineView[];
}

export class ExportQuery {
  @Text({ optional: true, max: 100, description: 'May be left out when the key reaches one workspace.' })
  workspaceId?: string;
  @OneOf(importFormats, { optional: true, default: 'csv', description: 'The form of the file.' })
  format: ImportFormat = 'csv';
  @Text({ optional: true, max: 65_536, description: 'JSON, as for a list of rows.' }) filter?: string;
  @Text({ optional: true, max: 2000, description: 'JSON, as for a list of rows.' }) sort?: string;
  @Bool({
    query: true,
    optional: true,
    default: true,
    description: 'Puts a quote before text of a CSV that a spreadsheet would take for a formula.',
  })
  guardFormulas: boolean = true;
}
