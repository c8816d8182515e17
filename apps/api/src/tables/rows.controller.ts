import { Controller, Delete, Get, Headers, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import * as change from '#libs/tables/writes/changes';
import { type TableRef, RowChanges } from '#libs/tables/writes/row-changes';
import { Rows } from '#libs/tables/reads/rows';
import { TableChanges } from '#libs/tables/reads/table-changes';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { TakesIdempotencyKey } from '../http/idempotency-key.ts';
import { refuseVersion, TakesIfMatch, versionOf, writeVersion } from '../http/etag.ts';
import { RawBody } from '../http/raw-input.ts';
import { Responds } from '../http/responds.ts';
import { exactEnvelope } from '../http/envelope.ts';
import { flagOf, membersOf, required, textOf, textsOf } from './exact-bodies.ts';
import { writtenOnce } from './keyed-rows.ts';
import { type PageWish, wishOfBody, wishOfParameters } from './row-queries.ts';

import * as shapes from './rows.shapes.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';

const oneRow = { success: 'flag', data: { row: shapes.RowView, message: 'text' } } as const;
const updated = {
  success: 'flag',
  data: { message: 'text', updatedCount: 'whole', updatedRowIds: 'texts' },
} as const;
const write = { exactNumbers: true };
const store = { ...write, stores: true };
/** The headers of a write that may be repeated, and that may name the version of its row. */
interface WriteHeaders {
  'idempotency-key'?: string;
  'if-match'?: string;
}
const TakesVersion = () => TakesIfMatch('the row');

@ApiTags('Tables')
@Controller('api/v1/tables/:tableId/rows')
export class RowsController {
  constructor(
    private readonly rows: Rows,
    private readonly changes: RowChanges,
    private readonly follow: TableChanges,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List rows',
    description:
      'Finds rows by conditions on their columns, sorted and by pages, with their exact number. `changeToken` is where to go on later with `changedSince`, to get only what has changed.',
  })
  @Needs('read', 'named')
  @Responds(
    200,
    { success: 'flag', data: shapes.RowPageView },
    'One page of the rows that match, and their exact number.',
    { also: [431] },
  )
  async listRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() query: shapes.RowsQuery,
  ) {
    return this.page({ workspaceId, tableId }, wishOfParameters(query));
  }

  @Post('query')
  @ApiOperation({
    summary: 'List rows by a long filter',
    description: 'Lists the same as the call by GET, for a filter that is too long for an address.',
  })
  @Needs('read', 'workspace', write)
  @ApiBody({ type: shapes.QueryRowsBody })
  @Responds(200, { success: 'flag', data: shapes.RowPageView }, 'The same as a list, asked for in a body.')
  async queryRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
  ) {
    return this.page({ workspaceId, tableId }, wishOfBody(body));
  }

  @Post()
  @ApiOperation({
    summary: 'Insert one row or many',
    description: 'Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.',
  })
  @Needs('write', 'workspace', store)
  @ApiBody({ type: shapes.InsertRowsBody })
  @TakesIdempotencyKey()
  @Responds(201, { success: 'flag', data: shapes.InsertedView }, 'All rows were inserted.', {
    also: [409, 422],
  })
  async insertRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('idempotency-key') key: string | undefined,
    @RawBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = { ...this.keyed(key, reply), workspaceId, route: `insert ${tableId}`, body };
    return writtenOnce(call, async (firstId) => {
      const members = membersOf(body, ['data', 'rows']);
      return { status: 201, data: await this.insert({ workspaceId, tableId }, members, firstId) };
    });
  }

  @Post('upsert')
  @ApiOperation({
    summary: 'Insert a row, or change the one with the same unique value',
    description:
      'Changes the row that has the same value in a unique column, or inserts it when there is none. It is safe under any number of callers.',
  })
  @Needs('write', 'workspace', store)
  @ApiBody({ type: shapes.UpsertRowBody })
  @TakesIdempotencyKey()
  @TakesVersion()
  @Responds(
    200,
    { success: 'flag', data: { row: shapes.RowView, operation: 'text', message: 'text' } },
    'The row, with its version as ETag; `operation` says whether it is an insert or an update.',
    { also: [409, 412, 422] },
  )
  async upsertRow(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers() { 'idempotency-key': key, 'if-match': ifMatch }: WriteHeaders,
    @RawBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    // Under the same key, another If-Match is another request.
    const asked = ifMatch === undefined ? body : { body, ifMatch };
    const call = { ...this.keyed(key, reply), workspaceId, route: `upsert ${tableId}`, body: asked };
    return writtenOnce(call, async (firstId) => {
      const members = membersOf(body, ['data', 'conflictTarget']);
      const [data, target] = [required(members, 'data'), textOf(members, 'conflictTarget')];
      const expected = ifMatch === undefined ? undefined : { version: versionOf(ifMatch) };
      const upsert = change.upsertOf(data, target, { expected, firstId });
      const result = await this.changes.make({ workspaceId, tableId }, upsert);
      const [row] = shapes.RowView.all(result);
      const operation = result.inserted ? 'insert' : 'update';
      const message = result.inserted ? 'Row inserted' : 'Row updated';
      return { status: 200, data: { row, operation, message }, row };
    });
  }

  @Post('aggregate')
  @ApiOperation({
    summary: 'Count, add up and compare rows',
    description:
      'Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.',
  })
  @Needs('read', 'workspace', write)
  @ApiBody({ type: shapes.AggregateBody })
  @Responds(
    200,
    { success: 'flag', data: shapes.AggregateView },
    'One group for each value of the columns, in their order; one in all when rows are not grouped.',
  )
  async aggregateRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
  ) {
    const members = membersOf(body, ['filter', 'groupBy', 'aggregates']);
    const { filter } = members;
    const wish = {
      filter,
      groupBy: textsOf(members, 'groupBy'),
      aggregates: required(members, 'aggregates'),
    };
    return exactEnvelope(await this.rows.aggregate({ workspaceId, tableId }, wish));
  }

  @Patch()
  @ApiOperation({
    summary: 'Change rows, each in its own way',
    description:
      'Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out stays.',
  })
  @Needs('write', 'workspace', store)
  @ApiBody({ type: shapes.UpdateRowsBody })
  @Responds(200, updated, 'All of them were changed.', { also: [412] })
  async updateRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'each update may name the `version` of its row');
    const updates = required(membersOf(body, ['updates']), 'updates');
    return changed(await this.changes.make({ workspaceId, tableId }, change.updatesOf(updates)));
  }

  @Put()
  @ApiOperation({
    summary: 'Change all rows of a filter alike',
    description:
      'Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.',
  })
  @Needs('write', 'workspace', store)
  @ApiBody({ type: shapes.UpdateByFilterBody })
  @Responds(200, updated, 'All rows that match were changed, 10,000 at most.')
  async updateRowsByFilter(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'change or delete one row by its id');
    const members = membersOf(body, ['filter', 'all', 'data']);
    const reach = { filter: members.filter, all: flagOf(members, 'all') };
    return changed(
      await this.changes.make({ workspaceId, tableId }, change.updateWhere(reach, required(members, 'data'))),
    );
  }

  @Delete()
  @ApiOperation({
    summary: 'Delete rows by a filter or by their ids',
    description:
      'Deletes the rows of a filter, or those of a list of ids, 10,000 at most. `all: true` means every row.',
  })
  @Needs('write', 'workspace', write)
  @ApiBody({ type: shapes.DeleteRowsBody })
  @Responds(
    200,
    {
      success: 'flag',
      data: { message: 'text', deletedCount: 'whole', deletedRowIds: 'texts', missingRowIds: 'texts' },
    },
    'They were deleted, 10,000 at most.',
  )
  async deleteRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    refuseVersion(ifMatch, 'change or delete one row by its id');
    const members = membersOf(body, ['filter', 'all', 'rowIds']);
    const rowIds = textsOf(members, 'rowIds');
    const reach = { filter: members.filter, all: flagOf(members, 'all') };
    if (rowIds && (reach.filter !== undefined || reach.all !== undefined))
      throw Invalid.field('rowIds', 'must not be there together with a filter', 'conflict');
    const place = { workspaceId, tableId };
    const deletion = rowIds ? change.deletionsOf(rowIds) : change.deleteWhere(reach);
    const deleted = await this.changes.make(place, deletion);
    const known = new Set(deleted);
    const missing = (rowIds ?? []).filter((id) => !known.has(id));
    const message = `${deleted.length} row(s) deleted`;
    return exactEnvelope({
      message,
      deletedCount: deleted.length,
      deletedRowIds: deleted,
      missingRowIds: missing,
    });
  }

  @Get(':rowId')
  @ApiOperation({
    summary: 'Read one row',
    description:
      'Shows one row. Its ETag, sent as If-Match with a change, refuses the change when somebody was faster.',
  })
  @TakesWorkspace()
  @Needs('read', 'workspace')
  @Responds(200, { success: 'flag', data: { row: shapes.RowView } }, 'The row; its ETag names its version.')
  async getRow(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('rowId') rowId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const [row] = shapes.RowView.all(await this.rows.get({ workspaceId, tableId }, rowId));
    writeVersion(reply, row);
    return exactEnvelope({ row });
  }

  @Patch(':rowId')
  @ApiOperation({
    summary: 'Change one row',
    description: 'Changes the columns that are sent and leaves the others. null empties a cell.',
  })
  @Needs('write', 'workspace', store)
  @ApiBody({ type: shapes.UpdateRowBody })
  @TakesVersion()
  @Responds(200, oneRow, 'The row as it is after the change.', { also: [412] })
  async updateRow(
    @Admitted() { workspaceId }: Admission,
    @Param() { tableId, rowId }: { tableId: string; rowId: string },
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const data = required(membersOf(body, ['data']), 'data');
    const update = change.updateOf(rowId, data, versionOf(ifMatch));
    const [row] = shapes.RowView.all(await this.changes.make({ workspaceId, tableId }, update));
    writeVersion(reply, row);
    return exactEnvelope({ row, message: 'Row updated' });
  }

  @Delete(':rowId')
  @ApiOperation({
    summary: 'Delete one row',
    description: 'Deletes one row; with If-Match only when nobody has changed it since.',
  })
  @Needs('write', 'named')
  @TakesVersion()
  @ApiBody({ type: shapes.DeleteRowBody })
  @Responds(
    200,
    { success: 'flag', data: { message: 'text', deletedCount: 'whole' } },
    'The row was deleted, and its position stays free.',
    { also: [412] },
  )
  async deleteRow(
    @Admitted() { workspaceId }: Admission,
    @Param() { tableId, rowId }: { tableId: string; rowId: string },
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody() body: unknown,
  ) {
    membersOf(body ?? {}, []);
    await this.changes.make({ workspaceId, tableId }, change.deletionOf(rowId, versionOf(ifMatch)));
    return exactEnvelope({ message: 'Row deleted', deletedCount: 1 });
  }

  private keyed(key: string | undefined, reply: FastifyReply) {
    return { idempotency: this.idempotency, key, reply };
  }

  private async page(place: TableRef, { changedSince, ...wish }: PageWish) {
    const { filter, sort, cursor, offset, limit } = wish;
    if (changedSince === undefined) {
      const page = await this.rows.list(place, wish);
      const rows = shapes.RowView.all(page);
      const { totalCount, nextCursor } = page;
      const changeToken = this.follow.tokenOf(place.tableId, page.version);
      return exactEnvelope({
        rows,
        rowCount: rows.length,
        totalCount,
        limit,
        offset,
        nextCursor,
        changeToken,
      });
    }
    if (filter !== undefined || sort !== undefined || cursor !== undefined || offset > 0)
      throw Invalid.field('changedSince', 'goes with limit alone', 'conflict');
    const since = await this.follow.since(place, changedSince, limit);
    const rows = shapes.RowView.all(since);
    const { totalCount, deletedRowIds, changeToken, hasMore } = since;
    const page = { rows, rowCount: rows.length, totalCount, limit, offset, nextCursor: null };
    return exactEnvelope({ ...page, changeToken, deletedRowIds, hasMore });
  }

  private async insert(
    place: TableRef,
    { data, rows }: ExactObject,
    firstId: string | undefined,
  ): Promise<shapes.InsertedView> {
    if ((data === undefined) === (rows === undefined))
      throw Invalid.field('', 'must have either data or rows', 'required');
    if (rows !== undefined && !Array.isArray(rows)) throw Invalid.field('rows', 'must be a list', 'type');
    const path = (index: number) => (data === undefined ? `rows.${index}` : 'data');
    const made = await this.changes.insert(place, rows ?? [data ?? null], path, firstId);
    const all = shapes.RowView.all(made);
    const [row] = all;
    const message = `${all.length} row(s) inserted`;
    return { ...(data === undefined ? {} : { row }), rows: all, insertedCount: all.length, message };
  }
}

function changed(ids: string[]) {
  return exactEnvelope({
    message: `${ids.length} row(s) updated`,
    updatedCount: ids.length,
    updatedRowIds: ids,
  });
}
