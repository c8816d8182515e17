import { Body, Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Invalid } from '#libs/platform/errors/errors';
import type { Column } from '#libs/tables/schema/columns';
import { TableColumns } from '#libs/tables/schema/table-columns';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RawJson, RequirePermission } from '../http/route-decorators.ts';
import { type Envelope, ApiResult } from '../http/api-result.ts';
import { AddColumnBody, ChangeColumnBody, ColumnView, DeleteColumnBody } from './tables.dto.ts';

const allColumns: Envelope = { success: 'flag', data: { columns: [ColumnView] } };

@ApiTags('Tables')
@Controller('api/v1/tables/:tableId/columns')
export class TableColumnsController {
  constructor(private readonly columns: TableColumns) {}

  @Post()
  @ApiOperation({
    summary: 'Add a column',
    description: 'Adds a column at the end. A default is written to every existing row.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @ApiResult(201, allColumns, 'All columns. A default is in every existing row.', { also: [409] })
  async addColumn(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Body() { column }: AddColumnBody,
  ) {
    return shown(await this.columns.addColumn({ workspaceId, tableId }, column));
  }

  @Patch()
  @ApiOperation({
    summary: 'Rename a column, or change its type and its rules',
    description:
      'Renames a column, or changes its type or its rules. A change that a row does not fit is refused, and nothing changes.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @ApiResult(
    200,
    allColumns,
    'All columns after the change. A change that some rows do not fit is refused, and `details` shows the first of these rows.',
    { also: [409] },
  )
  async changeColumn(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Body() { columnName, updates }: ChangeColumnBody,
  ) {
    const change = Object.fromEntries(Object.entries(updates).filter(([, value]) => value !== undefined));
    if (Object.keys(change).length === 0)
      throw Invalid.field('updates', 'must name what is to change', 'required');
    return shown(await this.columns.changeColumn({ workspaceId, tableId }, columnName, change));
  }

  @Delete()
  @ApiOperation({
    summary: 'Delete a column with its cells',
    description: 'Deletes a column with all its cells. This cannot be undone.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, allColumns, 'The remaining columns.')
  async deleteColumn(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Body() { columnName }: DeleteColumnBody,
  ) {
    return shown(await this.columns.remove({ workspaceId, tableId }, columnName));
  }
}

function shown(columns: Column[]) {
  return { columns: columns.map((column) => ColumnView.of(column)) };
}
