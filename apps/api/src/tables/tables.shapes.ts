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

const tableNameMax = 128;
const descriptionMax = 500;
const nameRule = 'must have letters, digits and underscores only, and no digit first';

const indexNote = 'Makes filters on the column fast; it is built while others write.';
const defaultNote = 'What a row gets that is inserted without a value; null for none.';

export class ColumnBody {
  @Text({
    min: 1,
    max: columnNameMax,
    pattern: columnNamePattern,
    rule: nameRule,
    description: 'The name: letters, digits and underscores, no digit first.',
  })
  name!: string;
  @OneOf(columnTypes, { description: 'What its cells may hold.' }) type!: ColumnType;
  @Bool({ optional: true, default: false, description: 'True: a row without a value is refused.' })
  required?: boolean;
  @Bool({
    optional: true,
    default: false,
    description: 'True: a row with the value of another is refused; empty cells do not count.',
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
    description: "The name: letters, digits and underscores, no digit first, and no other table's.",
  })
  name!: string;
  @Text({ optional: true, max: descriptionMax, description: 'What it holds; empty when left out.' })
  description?: string;
  @One(() => SchemaBody, { description: 'The columns of the table.' }) schema!: SchemaBody;
  @Int({ optional: true, min: 1, max: 1_000_000_000, description: 'Fewer rows than the plan allows.' })
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
    description: 'The new name; left out, it stays. Blocks that use the old one fail from then on.',
  })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new description; left out, it stays.' })
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
    description: 'The new name; left out, it stays.',
  })
  name?: string;
  @OneOf(columnTypes, {
    optional: true,
    description: 'The new type; a change is refused when a cell does not fit it.',
  })
  type?: ColumnType;
  @Bool({ optional: true, description: 'True: no cell may be empty; refused when one is.' })
  required?: boolean;
  @Bool({ optional: true, description: 'True: no two rows may have the same value; refused when two have.' })
  unique?: boolean;
  @Anything({ optional: true, description: defaultNote }) default?: ExactValue;
  @Bool({ optional: true, description: indexNote }) indexed?: boolean;
}

export class ChangeColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax, description: 'The column to change.' }) columnName!: string;
  @One(() => ColumnUpdates, { description: 'What is to change; a member that is left out stays.' })
  updates!: ColumnUpdates;
}

export class DeleteColumnBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ max: columnNameMax, description: 'The column to delete; its cells are lost.' }) columnName!: string;
}

export class ColumnView {
  @Text({ description: 'The name of the column, unique in the table.' }) name!: string;
  @OneOf(columnTypes, { description: 'What its cells may hold.' }) type!: ColumnType;
  @Bool({ description: 'True when a cell may not be empty.' }) required!: boolean;
  @Bool({ description: 'True when no two rows may have the same value; empty cells do not count.' })
  unique!: boolean;
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
  @ListOf(() => ColumnView, { description: 'The columns, in their order.' }) columns!: ColumnView[];
}

export class TableView {
  @Text({ description: 'The id of the table, which begins with `tbl_`.' }) id!: string;
  @Text({ description: 'The name, which is unique in the workspace; blocks use it or the id.' })
  name!: string;
  @Text({ description: 'What it holds; empty when nobody has said.' }) description!: string;
  @One(() => SchemaView, { description: 'The columns of the table.' }) schema!: SchemaView;
  @Int({ description: 'How many rows it has.' }) rowCount!: number;
  @Int({
    description: 'The rows that the table may have: what its author set, and not more than the plan allows.',
  })
  maxRows!: number;
  @Time({ description: 'When it was created, in ISO 8601 and UTC.' }) createdAt!: string;
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
