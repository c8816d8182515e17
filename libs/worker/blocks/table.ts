import { Injectable } from '@nestjs/common';
import { isAway, isUnavailable } from '#libs/platform/database/violations';
import type { EffectParams } from '#libs/language/definition/blocks/registry';
import type { TableOperation } from '#libs/language/definition/blocks/table';
import { isAbsent, type Json, type JsonObject } from '#libs/platform/json/json';
import { exactJson, ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { ApiError, NotFound } from '#libs/platform/errors/errors';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import * as operations from '#libs/tables/writes/row-operations';
import { duplicate } from '#libs/tables/writes/row-details';
import { type TableRef, RowChanges } from '#libs/tables/writes/row-changes';
import { dataByName } from '#libs/tables/reads/row';
import { rowIdText } from '#libs/tables/reads/row-ids';
import { TableLocked } from '#libs/tables/writes/table-write-lock';
import { Rows } from '#libs/tables/reads/rows';
import { Tables } from '#libs/tables/schema/tables';
import {
  blockFailure,
  type Committed,
  type EffectHandler,
  type EffectContext,
} from '../effects/effect-handler.ts';

type TableParams = EffectParams<'table'>;
/** Does an operation and commits it with the output of the block. */
type Apply = <T>(operation: operations.RowOperation<T>, outputOf: (done: T) => Json) => Promise<Committed>;
type ParamsOf<T extends TableOperation> = Extract<TableParams, { operation: T }>;

/** Reads or writes rows of a table. Rows are committed together with the output, so nothing is written twice. */
@Injectable()
export class TableHandler implements EffectHandler<'table'> {
  constructor(
    private readonly tables: Tables,
    private readonly rows: Rows,
    private readonly changes: RowChanges,
    private readonly room: StorageQuota,
  ) {}

  async execute(context: EffectContext<'table'>): Promise<Json | Committed> {
    const { params, run } = context;
    try {
      const { id } = await this.tables.findTable(run.workspaceId, params.table);
      const place = { workspaceId: run.workspaceId, tableId: id };
      switch (params.operation) {
        case 'query':
          return await this.query(place, params);
        case 'get':
          return { row: await this.findRow(place, params.rowId ?? '') };
        case 'aggregate':
          return await this.aggregate(place, params);
        default:
          return await this.write(place, params, context);
      }
    } catch (error) {
      throw tableFailure(error);
    }
  }

  private async query(place: TableRef, params: ParamsOf<'query'>): Promise<Json> {
    const { filter, sort } = params;
    const page = await this.rows.list(place, {
      filter,
      sort,
      limit: params.limit ?? 100,
      offset: params.offset ?? 0,
      cursor: params.cursor ?? undefined,
    });
    const { totalCount, nextCursor } = page;
    return { rows: shownRows(page), rowCount: page.rows.length, totalCount, nextCursor };
  }

  private async aggregate(place: TableRef, params: ParamsOf<'aggregate'>): Promise<Json> {
    const { filter, aggregates, groupBy } = params;
    const aggregation = await this.rows.aggregate(place, {
      filter,
      groupBy: groupBy ?? undefined,
      aggregates,
    });
    return {
      groups: aggregation.groups.map(({ by, values }) => ({ by: plain(by), values: plain(values) })),
      hasMore: aggregation.hasMore,
    };
  }

  /** A missing row is an answer, not a failure. */
  private async findRow(place: TableRef, id: string): Promise<Json> {
    try {
      return shownRows(await this.rows.get(place, id))[0] ?? null;
    } catch (error) {
      if (error instanceof NotFound && error.resource === 'row') return null;
      throw error;
    }
  }

  private write(
    place: TableRef,
    params: ParamsOf<'insert' | 'upsert' | 'update' | 'delete'>,
    { writes, run }: Pick<EffectContext, 'writes' | 'run'>,
  ): Promise<Committed> {
    const apply: Apply = (operation, outputOf) =>
      this.changes.withLock(place, () =>
        writes.commitOnce(async (tx) => {
          if (params.operation !== 'delete') await this.room.require(place.workspaceId);
          return outputOf(await this.changes.applyIn(tx, place, operation, run.executionId));
        }),
      );
    switch (params.operation) {
      case 'insert': {
        const newRows = operations.parseRowsInput(
          isAbsent(params.rows) ? { data: params.data ?? null } : { rows: params.rows },
        );
        return apply(operations.insertion(newRows), (made) => {
          const rows = shownRows(made);
          return { row: rows[0] ?? null, rows, insertedCount: rows.length };
        });
      }
      case 'upsert':
        return apply(operations.buildUpsert(params.data, params.conflictTarget ?? undefined), (made) => ({
          row: shownRows(made)[0] ?? null,
          operation: made.inserted ? 'insert' : 'update',
        }));
      case 'update':
        return this.update(params, apply);
      case 'delete': {
        const rowIds = isAbsent(params.rowId) ? params.rowIds : [params.rowId];
        const deletion = operations.buildDeletions(isAbsent(rowIds) ? reachOf(params) : { rowIds });
        return apply(deletion, (ids) => ({ deletedCount: ids.length, deletedRowIds: ids }));
      }
    }
  }

  private update(params: ParamsOf<'update'>, apply: Apply): Promise<Committed> {
    const { rowId, data } = params;
    if (isAbsent(rowId))
      return apply(operations.updateWhere(reachOf(params), data), (ids) => ({
        row: null,
        updatedCount: ids.length,
        updatedRowIds: ids,
      }));
    return apply(operations.buildUpdate(rowId, data), (made) => ({
      row: shownRows(made)[0] ?? null,
      updatedCount: made.rows.length,
      updatedRowIds: made.rows.map(({ id }) => rowIdText(id)),
    }));
  }
}

/** Rows as a workflow reads them. */
function shownRows({ columns, rows }: operations.TableRows): Json[] {
  return rows.map(({ id, data, position, version, createdAt, updatedAt }) => ({
    id: rowIdText(id),
    data: plain(dataByName(columns, data)),
    position: Number(position),
    version: Number(version),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

/** The value as a workflow can hold it. A number with too many digits becomes text, which a number column accepts. */
function plain(value: ExactObject): JsonObject;
function plain(value: ExactValue): Json;
function plain(value: ExactValue): Json {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

function reachOf({ filter, all }: ParamsOf<'update' | 'delete'>) {
  return { filter, all: all === true };
}

/** The failure of the block. A retry can only help when others hold the table. */
function tableFailure(error: unknown): unknown {
  if (error instanceof NotFound)
    return blockFailure(error.resource === 'row' ? 'ROW_NOT_FOUND' : 'TABLE_NOT_FOUND', error.message, {
      retryable: false,
    });
  if (error instanceof ApiError && (error.kind === 'invalid' || error.kind === 'unpaid')) {
    const details: Json = JSON.parse(exactJson(error.details ?? []));
    const code = error.code === duplicate ? duplicate : 'TABLE_REFUSED';
    return blockFailure(code, error.message, { retryable: false, details });
  }
  // This is no failure of the block: the whole attempt is repeated, like every attempt without a database.
  if (isAway(error) || error instanceof TableLocked) return error;
  if (isUnavailable(error) || (error instanceof ApiError && error.kind === 'unavailable'))
    return blockFailure('TABLE_UNAVAILABLE', 'The table could not be reached in time.', { retryable: true });
  return error;
}
