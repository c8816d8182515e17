import { Controller, Delete, Get, Headers, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import * as operations from '#libs/tables/writes/row-operations';
import { type TableRef, RowChanges } from '#libs/tables/writes/row-changes';
import { Rows } from '#libs/tables/reads/rows';
import { ChangeFeed } from '#libs/tables/reads/change-feed';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RawJson, RequirePermission, StoresData } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork, versioned } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { refuseVersion, TakesIfMatch, versionsIn } from '../http/etag.ts';
import { RawBody } from '../http/raw-input.ts';
import { ApiResult } from '../http/api-result.ts';
import { readFlag, readMembers, required, readText, readTexts } from './exact-bodies.ts';
import { type RowPageQuery, queryOfBody, queryOfParameters } from './row-queries.ts';
import * as shapes from './rows.dto.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';

const oneRow = { success: 'flag', data: { row: shapes.RowView, message: 'text' } } as const;
const updated = {
  success: 'flag',
  data: { message: 'text', updatedCount: 'whole', updatedRowIds: 'texts' },
} as const;
const TakesVersion = () => TakesIfMatch('the row');

@ApiTags('Tables')
@Controller('api/v1/tables/:tableId/rows')
export class RowsController {
  constructor(
    private readonly rows: Rows,
    private readonly changes: RowChanges,
    private readonly feed: ChangeFeed,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List rows',
    description:
      'Finds rows by conditions on their columns, sorted and by pages, with their exact number. Pass `changeToken` later as `changedSince` to get only the changes.',
  })
  @RequirePermission('read', 'named')
  @ApiResult(
    200,
    { success: 'flag', data: shapes.RowPageView },
    'One page of the rows that match, and their exact number.',
    { also: [431] },
  )
  async listRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() query: shapes.RowsQuery,
  ) {
    return this.readPage({ workspaceId, tableId }, queryOfParameters(query));
  }

  @Post('query')
  @ApiOperation({
    summary: 'List rows by a long filter',
    description: 'Lists the rows like the GET call, for a filter that is too long for an address.',
  })
  @RequirePermission('read', 'workspace')
  @RawJson()
  @ApiBody({ type: shapes.QueryRowsBody })
  @ApiResult(
    200,
    { success: 'flag', data: shapes.RowPageView },
    'One page of the rows that match, and their exact number.',
  )
  async queryRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
  ) {
    return this.readPage({ workspaceId, tableId }, queryOfBody(body));
  }

  @Post()
  @ApiOperation({
    summary: 'Insert one row or many',
    description: 'Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @StoresData()
  @ApiBody({ type: shapes.InsertRowsBody })
  @Idempotent('row')
  @ApiResult(201, { success: 'flag', data: shapes.InsertedView }, 'All rows were inserted.', {
    also: [409, 422],
  })
  insertRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
  ) {
    return new KeyedWork(`insert ${tableId}`, body, async ({ repeatableId }) => {
      const members = readMembers(body, ['data', 'rows']);
      const input = operations.parseRowsInput(members);
      const made = await this.changes.insertRows({ workspaceId, tableId }, input, repeatableId);
      return new HttpAnswer(shapes.InsertedView.of(made, members.data !== undefined));
    });
  }

  @Post('upsert')
  @ApiOperation({
    summary: 'Insert a row, or change the row with its unique value',
    description:
      'Changes the row with this value in a unique column, or inserts a row when there is none. It is safe with many callers at once.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @StoresData()
  @ApiBody({ type: shapes.UpsertRowBody })
  @Idempotent('row')
  @TakesVersion()
  @ApiResult(
    200,
    { success: 'flag', data: { row: shapes.RowView, operation: 'text', message: 'text' } },
    'The row, with its version as ETag. `operation` is `insert` or `update`.',
    { also: [409, 412, 422] },
  )
  upsertRow(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    // A call with the same key and another If-Match is another request.
    const request = ifMatch === undefined ? body : { body, ifMatch };
    return new KeyedWork(`upsert ${tableId}`, request, async ({ repeatableId, isRetry }) => {
      const members = readMembers(body, ['data', 'conflictTarget']);
      const [data, target] = [required(members, 'data'), readText(members, 'conflictTarget')];
      const expected = ifMatch === undefined ? undefined : { versions: versionsIn(ifMatch) };
      const upsert = operations.buildUpsert(data, target, {
        expected,
        firstId: repeatableId,
        isRetry,
      });
      const result = await this.changes.apply({ workspaceId, tableId }, upsert);
      const [row] = shapes.RowView.all(result);
      const operation = result.inserted ? 'insert' : 'update';
      const message = result.inserted ? 'Row inserted' : 'Row updated';
      return versioned({ row, operation, message }, row);
    });
  }

  @Post('aggregate')
  @ApiOperation({
    summary: 'Count, add up and compare rows',
    description:
      'Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.',
  })
  @RequirePermission('read', 'workspace')
  @RawJson()
  @ApiBody({ type: shapes.AggregateBody })
  @ApiResult(
    200,
    { success: 'flag', data: shapes.AggregateView },
    'One group for each combination of values, in their order. Without columns there is one group.',
  )
  async aggregateRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
  ) {
    const members = readMembers(body, ['filter', 'groupBy', 'aggregates']);
    const { filter } = members;
    const input = {
      filter,
      groupBy: readTexts(members, 'groupBy'),
      aggregates: required(members, 'aggregates'),
    };
    return await this.rows.aggregate({ workspaceId, tableId }, input);
  }

  @Patch()
  @ApiOperation({
    summary: 'Change rows, each in its own way',
    description:
      'Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out does not change.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @StoresData()
  @ApiBody({ type: shapes.UpdateRowsBody })
  @ApiResult(200, updated, 'All rows were changed.', { also: [412] })
  async updateRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'each update may name the `version` of its row');
    const updates = required(readMembers(body, ['updates']), 'updates');
    return changed(await this.changes.apply({ workspaceId, tableId }, operations.buildUpdates(updates)));
  }

  @Put()
  @ApiOperation({
    summary: 'Change all rows of a filter alike',
    description:
      'Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @StoresData()
  @ApiBody({ type: shapes.UpdateByFilterBody })
  @ApiResult(200, updated, 'All rows that match were changed, 10,000 at most.')
  async updateRowsByFilter(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'change or delete one row by its id');
    const members = readMembers(body, ['filter', 'all', 'data']);
    const reach = { filter: members.filter, all: readFlag(members, 'all') };
    return changed(
      await this.changes.apply(
        { workspaceId, tableId },
        operations.updateWhere(reach, required(members, 'data')),
      ),
    );
  }

  @Delete()
  @ApiOperation({
    summary: 'Delete rows by a filter or by their ids',
    description:
      'Deletes the rows of a filter or of a list of ids, 10,000 at most. `all: true` means every row.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @ApiBody({ type: shapes.DeleteRowsBody })
  @ApiResult(
    200,
    {
      success: 'flag',
      data: { message: 'text', deletedCount: 'whole', deletedRowIds: 'texts', missingRowIds: 'texts' },
    },
    'The rows were deleted, 10,000 at most.',
  )
  async deleteRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'change or delete one row by its id');
    const members = readMembers(body, ['filter', 'all', 'rowIds']);
    const rowIds = readTexts(members, 'rowIds');
    const deletion = operations.buildDeletions({
      filter: members.filter,
      all: readFlag(members, 'all'),
      rowIds,
    });
    const deleted = await this.changes.apply({ workspaceId, tableId }, deletion);
    const known = new Set(deleted);
    const missing = (rowIds ?? []).filter((id) => !known.has(id));
    const message = `${deleted.length} row(s) deleted`;
    return {
      message,
      deletedCount: deleted.length,
      deletedRowIds: deleted,
      missingRowIds: missing,
    };
  }

  @Get(':rowId')
  @ApiOperation({
    summary: 'Read one row',
    description:
      'Shows one row. Send its ETag as If-Match with a change: the change is refused when the row has changed since.',
  })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { success: 'flag', data: { row: shapes.RowView } }, 'The row; its ETag names its version.')
  async getRow(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('rowId') rowId: string,
  ) {
    const [row] = shapes.RowView.all(await this.rows.get({ workspaceId, tableId }, rowId));
    return versioned({ row }, row);
  }

  @Patch(':rowId')
  @ApiOperation({
    summary: 'Change one row',
    description: 'Changes only the sent columns. null empties a cell.',
  })
  @RequirePermission('write', 'workspace')
  @RawJson()
  @StoresData()
  @ApiBody({ type: shapes.UpdateRowBody })
  @TakesVersion()
  @ApiResult(200, oneRow, 'The row as it is after the change.', { also: [412] })
  async updateRow(
    @CurrentCaller() { workspaceId }: Admission,
    @Param() { tableId, rowId }: { tableId: string; rowId: string },
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    const data = required(readMembers(body, ['data']), 'data');
    const update = operations.buildUpdate(rowId, data, versionsIn(ifMatch));
    const [row] = shapes.RowView.all(await this.changes.apply({ workspaceId, tableId }, update));
    return versioned({ row, message: 'Row updated' }, row);
  }

  @Delete(':rowId')
  @ApiOperation({
    summary: 'Delete one row',
    description: 'Deletes one row. With If-Match it is refused when the row has changed since.',
  })
  @RequirePermission('write', 'named')
  @TakesVersion()
  @ApiBody({ type: shapes.DeleteRowBody })
  @ApiResult(
    200,
    { success: 'flag', data: { message: 'text', deletedCount: 'whole' } },
    'The row was deleted, and its position stays free.',
    { also: [412] },
  )
  async deleteRow(
    @CurrentCaller() { workspaceId }: Admission,
    @Param() { tableId, rowId }: { tableId: string; rowId: string },
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    readMembers(body ?? {}, []);
    await this.changes.apply({ workspaceId, tableId }, operations.buildDeletion(rowId, versionsIn(ifMatch)));
    return { message: 'Row deleted', deletedCount: 1 };
  }

  /** A page of rows, or a page of changes since a token. */
  private async readPage(ref: TableRef, { changedSince, ...query }: RowPageQuery): Promise<object> {
    const { limit, offset } = query;
    if (changedSince === undefined) {
      const page = await this.rows.list(ref, query);
      const { totalCount, nextCursor } = page;
      const changeToken = this.feed.buildToken(ref.tableId, page.version);
      return toRowPage(page, { totalCount, limit, offset, nextCursor, changeToken });
    }
    const page = await this.feed.listChanges(ref, changedSince, query);
    const { totalCount, deletedRowIds, changeToken, hasMore } = page;
    const rest = { changeToken, deletedRowIds, hasMore };
    return toRowPage(page, { totalCount, limit, offset, nextCursor: null, ...rest });
  }
}

function toRowPage(page: operations.TableRows, rest: Omit<shapes.RowPageView, 'rows' | 'rowCount'>) {
  const rows = shapes.RowView.all(page);
  return { rows, rowCount: rows.length, ...rest };
}

function changed(ids: string[]) {
  return {
    message: `${ids.length} row(s) updated`,
    updatedCount: ids.length,
    updatedRowIds: ids,
  };
}
