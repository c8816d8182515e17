import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Tables } from '#libs/tables/schema/tables';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RawJson, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { CreateTableBody, TableView, UpdateTableBody } from './tables.dto.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';

const oneTable = { success: 'flag', data: { table: TableView, message: 'text' } } as const;

@ApiTags('Tables')
@Controller('api/v1/tables')
export class TablesController {
  constructor(private readonly tables: Tables) {}

  @Post()
  @ApiOperation({
    summary: 'Create a table',
    description: 'Makes an empty table with typed columns. Blocks find it by its name or its id.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @ApiResult(200, oneTable, 'The table was created.', { also: [409] })
  async createTable(
    @CurrentCaller() { workspaceId }: Admission,
    @Body() { name, description, schema, maxRows }: CreateTableBody,
  ) {
    const input = { name, description, columns: schema.columns, maxRows };
    return {
      table: TableView.of(await this.tables.create(workspaceId, input)),
      message: 'Table created',
    };
  }

  @Get()
  @ApiOperation({
    summary: 'List the tables',
    description: 'Lists every table of the workspace with its columns and the number of its rows.',
  })
  @TakesWorkspace({ required: true })
  @RequirePermission('read', 'named')
  @ApiResult(
    200,
    { success: 'flag', data: { tables: [TableView], totalCount: 'whole' } },
    'Every table, the oldest first.',
  )
  async listTables(@CurrentCaller() { workspaceId }: Admission) {
    const tables = (await this.tables.list(workspaceId)).map((table) => TableView.of(table));
    return { tables, totalCount: tables.length };
  }

  @Get(':tableId')
  @ApiOperation({
    summary: 'Read a table without its rows',
    description: 'Shows the columns of a table, its number of rows and its limit.',
  })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { success: 'flag', data: { table: TableView } }, 'The table with its columns.')
  async getTable(@CurrentCaller() { workspaceId }: Admission, @Param('tableId') tableId: string) {
    return { table: TableView.of(await this.tables.get(workspaceId, tableId)) };
  }

  @Patch(':tableId')
  @ApiOperation({
    summary: 'Rename or describe a table',
    description: 'Changes only the sent members. Rows and columns do not change.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, oneTable, 'The table as it is after the change.', { also: [409] })
  async updateTable(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Body() { name, description }: UpdateTableBody,
  ) {
    requireChange({ name, description }, ['name', 'description']);
    const table = await this.tables.update(workspaceId, tableId, { name, description });
    return { table: TableView.of(table), message: 'Table updated' };
  }

  @Delete(':tableId')
  @ApiOperation({
    summary: 'Delete a table with all its rows',
    description: 'Deletes the table with all its rows. Blocks that use it then fail. This cannot be undone.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(200, { success: 'flag', data: { message: 'text' } }, 'The table and its rows were deleted.')
  async deleteTable(@CurrentCaller() { workspaceId }: Admission, @Param('tableId') tableId: string) {
    await this.tables.delete(workspaceId, tableId);
    return { message: 'Table deleted' };
  }
}
