import { ApiProperty } from '@nestjs/swagger';
import type { ExactObject } from '#libs/platform/json/exact-json';
import type { Column } from '#libs/tables/schema/columns';
import { rowIdText } from '#libs/tables/reads/row-ids';
import type { TableRows } from '#libs/tables/writes/row-operations';
import { dataByName, type StoredRow } from '#libs/tables/reads/row';
import { PageLimit } from '../http/cursor-query.ts';
import { Bool, Int, ListOf, Obj, One, Text, Texts, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const filterNote =
  'Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.';
const allNote = 'True: the call is for every row. Without it an empty filter is refused.';
const dataNote = 'Values by column. null empties a cell.';

export const limitMax = 1000;
/** The largest offset. It has fifteen digits, so a number of JavaScript holds it exactly. */
export const offsetMax = 999_999_999_999_999;
export const cursorMax = 8000;
export const tokenMax = 500;
const sortNote = 'Up to five columns with asc or desc, in order of priority. Empty cells come last.';
const offsetNote = 'The number of rows before the page.';
const cursorNote = 'The `nextCursor` of the previous page, in place of an offset.';
const sinceNote =
  'The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it.';

export class RowsQuery {
  @WorkspaceId({ required: true }) workspaceId!: string;
  @Text({ optional: true, max: 65_536, description: `JSON. ${filterNote}` }) filter?: string;
  @Text({
    optional: true,
    max: 2000,
    description: `JSON. ${sortNote}`,
  })
  sort?: string;
  @PageLimit('rows', 100, { max: limitMax }) limit: number = 100;
  @Int({ query: true, optional: true, min: 0, max: offsetMax, default: 0, description: offsetNote })
  offset: number = 0;
  @Text({ optional: true, max: cursorMax, description: cursorNote }) cursor?: string;
  @Text({ optional: true, max: tokenMax, description: sinceNote }) changedSince?: string;
}

export class QueryRowsBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ optional: true, description: filterNote }) filter?: ExactObject;
  @Obj({ optional: true, description: sortNote }) sort?: ExactObject;
  @Int({
    optional: true,
    min: 1,
    max: limitMax,
    default: 100,
    description: 'The maximum number of rows on a page.',
  })
  limit?: number;
  @Int({ optional: true, min: 0, max: offsetMax, default: 0, description: offsetNote }) offset?: number;
  @Text({ optional: true, max: cursorMax, description: cursorNote }) cursor?: string;
  @Text({ optional: true, max: tokenMax, description: sinceNote }) changedSince?: string;
}

export class InsertRowsBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ optional: true, description: 'The values of one row by column.' }) data?: ExactObject;
  @ApiProperty({
    required: false,
    description: 'In place of `data`: the values of up to 1,000 rows.',
    type: 'array',
    maxItems: 1000,
    items: { type: 'object', additionalProperties: true },
  })
  rows?: ExactObject[];
}

export class UpsertRowBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ description: dataNote }) data!: ExactObject;
  @Text({
    optional: true,
    max: 50,
    description:
      'The unique column that identifies the row. It may be left out when the table has only one unique column.',
  })
  conflictTarget?: string;
}

export class UpdateRowBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ description: dataNote }) data!: ExactObject;
}

export class RowUpdate {
  @Text({ description: 'The id of the row to change.' }) rowId!: string;
  @Obj({ description: dataNote }) data!: ExactObject;
  @Int({ optional: true, min: 0, description: 'Nothing is written when the row has another version.' })
  version?: number;
}

export class UpdateRowsBody {
  @WorkspaceId() workspaceId?: string;
  @ListOf(() => RowUpdate, {
    min: 1,
    max: 1000,
    description: 'The changes, each of another row. All are made or none.',
  })
  updates!: RowUpdate[];
}

export class UpdateByFilterBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ optional: true, description: filterNote }) filter?: ExactObject;
  @Bool({ optional: true, description: allNote }) all?: boolean;
  @Obj({ description: dataNote }) data!: ExactObject;
}

export class DeleteRowsBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ optional: true, description: filterNote }) filter?: ExactObject;
  @Bool({ optional: true, description: allNote }) all?: boolean;
  @Texts({ optional: true, description: 'In place of a filter: up to 1,000 ids of rows.' }) rowIds?: string[];
}

export class DeleteRowBody {
  @WorkspaceId({ required: true }) workspaceId!: string;
}

export class AggregateBody {
  @WorkspaceId() workspaceId?: string;
  @Obj({ optional: true, description: filterNote }) filter?: ExactObject;
  @Texts({ optional: true, description: 'The columns to group by, two at most.' }) groupBy?: string[];
  @Obj({
    description:
      'The wanted values, by names of your choice: {"total": {"sum": "amount"}, "rows": {"count": "*"}}. Functions are count, sum, avg, min and max.',
  })
  aggregates!: ExactObject;
}

export class RowView {
  @Text({ description: 'The id of the row, which begins with `row_`.' }) id!: string;
  @Obj({ description: 'The values by column name; null for an empty cell.' }) data!: ExactObject;
  @Int({ description: 'The number of the row in order of insertion. A deleted row leaves a gap.' })
  position!: number;
  @Int({
    description: 'The version of the row, which is also its ETag. It rises with each change of the table.',
  })
  version!: number;
  @Time({ description: 'The time at which it was inserted, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  @Text({
    nullable: true,
    description: 'The execution that last wrote the row; null when an API call wrote it.',
  })
  executionId!: string | null;

  static of(columns: readonly Column[], row: StoredRow): RowView {
    return {
      id: rowIdText(row.id),
      data: dataByName(columns, row.data),
      position: Number(row.position),
      version: Number(row.version),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      executionId: row.executionId,
    };
  }

  static all({ columns, rows }: TableRows): RowView[] {
    return rows.map((row) => RowView.of(columns, row));
  }
}

export class InsertedView {
  @One(() => RowView, { optional: true, description: 'The row; only when `data` was sent.' }) row?: RowView;
  @ListOf(() => RowView, { description: 'The rows, in the order in which they were sent.' }) rows!: RowView[];
  @Int({ description: 'The number of inserted rows.' }) insertedCount!: number;
  @Text({ description: 'The result, in a sentence for people.' }) message!: string;

  static of(made: TableRows, isOne: boolean): InsertedView {
    const rows = RowView.all(made);
    const message = `${rows.length} row(s) inserted`;
    return { ...(isOne ? { row: rows[0] } : {}), rows, insertedCount: rows.length, message };
  }
}

export class RowPageView {
  @ListOf(() => RowView, { description: 'The rows of the page, in the requested order.' })
  rows!: RowView[];
  @Int({ description: 'The number of rows on this page.' }) rowCount!: number;
  @Int({ description: 'The exact number of all rows that match.' }) totalCount!: number;
  @Int({ description: 'The maximum number of rows on a page.' }) limit!: number;
  @Int({ description: 'The number of rows before the page; 0 with a cursor.' }) offset!: number;
  @Text({ nullable: true, description: 'The `cursor` of the next page; null on the last page.' })
  nextCursor!: string | null;
  @Text({ description: 'A token for `changedSince`, to read the changes from now on.' }) changeToken!: string;
  @Texts({ optional: true, description: 'With `changedSince`: the ids of rows that were deleted since.' })
  deletedRowIds?: string[];
  @Bool({ optional: true, description: 'With `changedSince`: true when more changes can be read now.' })
  hasMore?: boolean;
}

export class GroupView {
  @Obj({ description: 'The values of the columns by which rows are grouped.' }) by!: ExactObject;
  @Obj({ description: 'The computed values, by the names in the request.' }) values!: ExactObject;
}

export class AggregateView {
  @ListOf(() => GroupView, {
    description: 'One group for each combination of values. Without columns there is one group.',
  })
  groups!: GroupView[];
  @Bool({
    description: 'True when there are more than a thousand groups. The answer has the first thousand.',
  })
  hasMore!: boolean;
}
