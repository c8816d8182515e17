import { columnTypes, type ColumnType } from '#libs/tables/schema/cells';
import {
  type Column,
  columnNameMax,
  type IndexState,
  columnNamePattern,
  columnsMax,
} from '#libs/tables/schema/columns';
import type { Table } from '#libs/tables/schema/table';
import type { ExactValue } from '#libs/platform/json/exact-json';
import { Anything, Bool, Int, ListOf, One, OneOf, Text, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

export const tableNameMax = 128;
export const descriptionMax = 500;
export const nameRule = 'must have letters, digits and underscores only, and no digit first';

const indexNote = 'True: an index makes filters on the column fast. It is built while others write.';
const defaultNote = 'The value for a row that is inserted without one; null for no default.';

export class ColumnBody {
  @Text({
    min: 1,
    max: columnNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The name: letters, digits and underscores, no digit first.',
  })
  name!: string;
  @OneOf(columnTypes, { description: 'The type of its cells.' }) type!: ColumnType;
  @Bool({ optional: true, default: false, description: 'True: a row without a value is refused.' })
  required?: boolean;
  @Bool({
    optional: true,
    default: false,
    description: 'True: no two rows may have the same value. Empty cells do not count.',
  })
  unique?: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @Bool({ optional: true, default: false, description: indexNote }) indexed?: boolean;
}

export class SchemaBody {
  @ListOf(() => ColumnBody, {
    min: 1,
    max: columnsMax,
    description: 'The columns, in the order in which they are shown.',
  })
  columns!: ColumnBody[];
}

export class CreateTableBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    min: 1,
    max: tableNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The name, which no other table has: letters, digits and underscores, no digit first.',
  })
  name!: string;
  @Text({
    optional: true,
    max: descriptionMax,
    description: 'A description of the content; empty when left out.',
  })
  description?: string;
  @One(() => SchemaBody, { description: 'The columns of the table.' }) schema!: SchemaBody;
  @Int({
    optional: true,
    min: 1,
    max: 1_000_000_000,
    description: 'A limit of rows below the limit of the plan.',
  })
  maxRows?: number;
}

export class UpdateTableBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    optional: true,
    min: 1,
    max: tableNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The new name. Left out: no change. Blocks that use the old name then fail.',
  })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new description. Left out: no change.' })
  description?: string;
}

export class AddColumnBody {
  @WorkspaceId() workspaceId?: string;
  @One(() => ColumnBody, { description: 'The new column, which comes last.' }) column!: ColumnBody;
}

export class ColumnUpdates {
  @Text({
    optional: true,
    min: 1,
    max: columnNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The new name. Left out: no change.',
  })
  name?: string;
  @OneOf(columnTypes, {
    optional: true,
    description: 'The new type. The change is refused when a cell does not fit it.',
  })
  type?: ColumnType;
  @Bool({
    optional: true,
    description: 'True: no cell may be empty. The change is refused when a cell is empty.',
  })
  required?: boolean;
  @Bool({
    optional: true,
    description: 'True: no two rows may have the same value. The change is refused when two rows do.',
  })
  unique?: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @Bool({ optional: true, description: indexNote }) indexed?: boolean;
}

export class ChangeColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax, description: 'The column to change.' }) columnName!: string;
  @One(() => ColumnUpdates, {
    description: 'The members to change. A member that is left out does not change.',
  })
  updates!: ColumnUpdates;
}

export class DeleteColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax, description: 'The column to delete; its cells are lost.' }) columnName!: string;
}

export class ColumnView {
  @Text({ description: 'The name of the column, unique in the table.' }) name!: string;
  @OneOf(columnTypes, { description: 'The type of its cells.' }) type!: ColumnType;
  @Bool({ description: 'True when a cell may not be empty.' }) required!: boolean;
  @Bool({ description: 'True when no two rows may have the same value; empty cells do not count.' })
  unique!: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @OneOf(['building', 'ready', 'failed'], {
    optional: true,
    description: 'The state of the index; absent when the column has none.',
  })
  index?: IndexState;

  static of({ name, type, required, unique, default: input, index }: Column): ColumnView {
    return {
      name,
      type,
      required,
      unique,
      ...(input === undefined ? {} : { default: input }),
      ...(index ? { index } : {}),
    };
  }
}

export class SchemaView {
  @ListOf(() => ColumnView, { description: 'The columns, in their order.' }) columns!: ColumnView[];
}

export class TableView {
  @Text({ description: 'The id of the table, which begins with `tbl_`.' }) id!: string;
  @Text({ description: 'The name, which is unique in the workspace; blocks use it or the id.' })
  name!: string;
  @Text({ description: 'The description of the content; empty when there is none.' }) description!: string;
  @One(() => SchemaView, { description: 'The columns of the table.' }) schema!: SchemaView;
  @Int({ description: 'The number of its rows.' }) rowCount!: number;
  @Int({
    description: 'The maximum number of rows: the limit of its author or of the plan, whichever is lower.',
  })
  maxRows!: number;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change of its columns or rows.' }) updatedAt!: string;

  static of(table: Table): TableView {
    const { id, name, description, columns, rowCount, maxRows, createdAt, updatedAt } = table;
    return {
      id,
      name,
      description,
      schema: { columns: columns.map((column) => ColumnView.of(column)) },
      rowCount,
      maxRows,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
