import { columnTypes, type ColumnType } from '#libs/tables/cells';
import {
  type Column,
  columnNameMax,
  type IndexState,
  columnNamePattern,
  columnsMax,
} from '#libs/tables/columns';
import type { Table } from '#libs/tables/table';
import type { ExactValue } from '#libs/exact-json/exact-json';
import { Anything, Bool, Int, ListOf, One, OneOf, Text, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const tableNameMax = 128;
const descriptionMax = 500;
const nameRule = 'must have letters, digits and underscores only, and no digit first';

const indexNote = 'Makes filters on the column fast; it is built while others write.';
const defaultNote = 'What a row gets that is inserted without a value; null for none.';

export class ColumnBody {
  @Text({ min: 1, max: columnNameMax, pattern: columnNamePattern, rule: nameRule }) name!: string;
  @OneOf(columnTypes) type!: ColumnType;
  @Bool({ optional: true, default: false }) required?: boolean;
  @Bool({ optional: true, default: false }) unique?: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @Bool({ optional: true, default: false, description: indexNote }) indexed?: boolean;
}

export class SchemaBody {
  @ListOf(() => ColumnBody, { min: 1, max: columnsMax }) columns!: ColumnBody[];
}

export class CreateTableBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ min: 1, max: tableNameMax, pattern: columnNamePattern, rule: nameRule }) name!: string;
  @Text({ optional: true, max: descriptionMax }) description?: string;
  @One(() => SchemaBody) schema!: SchemaBody;
  @Int({ optional: true, min: 1, max: 1_000_000_000, description: 'Fewer rows than the plan allows.' })
  maxRows?: number;
}

export class UpdateTableBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: tableNameMax, pattern: columnNamePattern, rule: nameRule })
  name?: string;
  @Text({ optional: true, max: descriptionMax }) description?: string;
}

export class AddColumnBody {
  @WorkspaceId() workspaceId?: string;
  @One(() => ColumnBody) column!: ColumnBody;
}

export class ColumnUpdates {
  @Text({ optional: true, min: 1, max: columnNameMax, pattern: columnNamePattern, rule: nameRule })
  name?: string;
  @OneOf(columnTypes, { optional: true }) type?: ColumnType;
  @Bool({ optional: true }) required?: boolean;
  @Bool({ optional: true }) unique?: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @Bool({ optional: true, description: indexNote }) indexed?: boolean;
}

export class ChangeColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax, description: 'The column to change.' }) columnName!: string;
  @One(() => ColumnUpdates) updates!: ColumnUpdates;
}

export class DeleteColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax }) columnName!: string;
}

export class ColumnView {
  @Text() name!: string;
  @OneOf(columnTypes) type!: ColumnType;
  @Bool() required!: boolean;
  @Bool() unique!: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @OneOf(['building', 'ready', 'failed'], {
    optional: true,
    description: 'The state of the index; absent when the column has none.',
  })
  index?: IndexState;

  static of({ name, type, required, unique, default: given, index }: Column): ColumnView {
    return {
      name,
      type,
      required,
      unique,
      ...(given === undefined ? {} : { default: given }),
      ...(index ? { index } : {}),
    };
  }
}

export class SchemaView {
  @ListOf(() => ColumnView) columns!: ColumnView[];
}

export class TableView {
  @Text() id!: string;
  @Text() name!: string;
  @Text() description!: string;
  @One(() => SchemaView) schema!: SchemaView;
  @Int() rowCount!: number;
  @Int({
    description: 'The rows that the table may have: what its author set, and not more than the plan allows.',
  })
  maxRows!: number;
  @Time() createdAt!: string;
  @Time({ description: 'When its columns or its rows were changed last.' }) updatedAt!: string;

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
