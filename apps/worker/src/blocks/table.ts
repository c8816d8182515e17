import { Injectable } from '@nestjs/common';
import { isAway, isUnavailable } from '#libs/platform/database/violations';
import type { TableOperation } from '#libs/language/definition/blocks/table';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { exactJson, ExactNumber, type ExactObject, type ExactValue } from '#libs/platform/json/exact-json';
import { Fault, NotFound } from '#libs/platform/errors/errors';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import * as change from '#libs/tables/writes/changes';
import { duplicate } from '#libs/tables/writes/row-details';
import { type TableRef, RowChanges } from '#libs/tables/writes/row-changes';
import { shownData } from '#libs/tables/writes/row-data';
import { rowIdText } from '#libs/tables/reads/row-ids';
import { TableLocked } from '#libs/tables/writes/table-write-lock';
import { Rows } from '#libs/tables/reads/rows';
import { Tables } from '#libs/tables/schema/tables';
import { blockFailure, type Committed, type EffectHandler, type Work } from '../effects/effect-handler.ts';

const pageMax = 1000;

/** Reads or writes rows of a table. What it writes is committed together with its output, so nothing is written twice. */
@Injectable()
export class TableBlock implements EffectHandler {
  constructor(
    private readonly tables: Tables,
    private readonly rows: Rows,
    private readonly changes: RowChanges,
    private readonly room: StorageQuota,
  ) {}

  async carryOut(work: Work): Promise<Json | Committed> {
    const { params, run } = work;
    try {
      const { id } = await this.tables.findTable(run.workspaceId, textOf(params, 'table') ?? '');
      const place = { workspaceId: run.workspaceId, tableId: id };
      return (await this.read(place, params)) ?? (await this.write(place, work));
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** The read of the block; undefined when it writes. A read may be repeated. */
  private async read(place: TableRef, params: JsonObject): Promise<Json | undefined> {
    const { filter } = params;
    switch (params.operation as TableOperation) {
      case 'query': {
        const [limit, offset] = [wholeOf(params, 'limit') ?? 100, wholeOf(params, 'offset') ?? 0];
        if (limit < 1 || limit > pageMax) throw wrong(`limit must be from 1 to ${pageMax}.`);
        const cursor = textOf(params, 'cursor');
        const page = await this.rows.list(place, { filter, sort: params.sort, limit, offset, cursor });
        const { totalCount, nextCursor } = page;
        return { rows: shownRows(page), rowCount: page.rows.length, totalCount, nextCursor };
      }
      case 'get':
        return { row: await this.one(place, textOf(params, 'rowId') ?? '') };
      case 'aggregate': {
        const groupBy = textsOf(params, 'groupBy');
        const found = await this.rows.aggregate(place, {
          filter,
          groupBy,
          aggregates: params.aggregates ?? null,
        });
        return {
          groups: found.groups.map(({ by, values }) => ({ by: plain(by), values: plain(values) })),
          hasMore: found.hasMore,
        };
      }
      default:
        return undefined;
    }
  }

  /** A row that is not there is an answer, not a failure. */
  private async one(place: TableRef, id: string): Promise<Json> {
    try {
      return shownRows(await this.rows.get(place, id))[0] ?? null;
    } catch (error) {
      if (error instanceof NotFound && error.resource === 'row') return null;
      throw error;
    }
  }

  private write(place: TableRef, { params, commitOnce }: Work): Promise<Committed> {
    const make = <T>(one: change.Change<T>, output: (made: T) => Json) =>
      this.changes.makeWithin(place, one, (work) =>
        commitOnce(async (tx) => {
          if (params.operation !== 'delete') await this.room.require(place.workspaceId);
          return output(await work(tx));
        }),
      );
    switch (params.operation as TableOperation) {
      case 'insert': {
        const many = params.rows !== undefined && params.rows !== null;
        const data = many ? listOf(params, 'rows') : [params.data ?? null];
        const path = (index: number) => (many ? `rows.${index}` : 'data');
        return make(change.insertion(data, path), (made) => {
          const rows = shownRows(made);
          return { row: rows[0] ?? null, rows, insertedCount: rows.length };
        });
      }
      case 'upsert':
        return make(change.upsertOf(params.data ?? null, textOf(params, 'conflictTarget')), (made) => ({
          row: shownRows(made)[0] ?? null,
          operation: made.inserted ? 'insert' : 'update',
        }));
      case 'update':
        return this.update(params, make);
      default: {
        const rowId = textOf(params, 'rowId');
        const named = rowId === undefined ? textsOf(params, 'rowIds') : [rowId];
        const deletion = named ? change.deletionsOf(named) : change.deleteWhere(reachOf(params));
        return make(deletion, (ids) => ({ deletedCount: ids.length, deletedRowIds: ids }));
      }
    }
  }

  private update(
    params: JsonObject,
    make: <T>(one: change.Change<T>, output: (made: T) => Json) => Promise<Committed>,
  ): Promise<Committed> {
    const rowId = textOf(params, 'rowId');
    const data = params.data ?? null;
    if (rowId === undefined)
      return make(change.updateWhere(reachOf(params), data), (ids) => ({
        row: null,
        updatedCount: ids.length,
        updatedRowIds: ids,
      }));
    return make(change.updateOf(rowId, data), (made) => ({
      row: shownRows(made)[0] ?? null,
      updatedCount: made.rows.length,
      updatedRowIds: made.rows.map(({ id }) => rowIdText(id)),
    }));
  }
}

/** Rows as the API shows them. */
function shownRows({ columns, rows }: change.TableRows): Json[] {
  return rows.map(({ id, data, position, version, createdAt, updatedAt }) => ({
    id: rowIdText(id),
    data: plain(shownData(columns, data)),
    position: Number(position),
    version: Number(version),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

/** The value as a workflow can hold it: a number with too many digits is text, which a number column takes back. */
function plain(value: ExactObject): JsonObject;
function plain(value: ExactValue): Json;
function plain(value: ExactValue): Json {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

function reachOf({ filter, all }: JsonObject) {
  return { filter, all: all === true };
}

function textOf(params: JsonObject, name: string): string | undefined {
  const value = params[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(`${name} must be text.`);
}

function textsOf(params: JsonObject, name: string): string[] | undefined {
  if (params[name] === undefined || params[name] === null) return undefined;
  const list = listOf(params, name);
  if (list.every((one) => typeof one === 'string')) return list;
  throw wrong(`${name} must be a list of texts.`);
}

function listOf(params: JsonObject, name: string): Json[] {
  const value = params[name];
  if (Array.isArray(value)) return value;
  throw wrong(`${name} must be a list.`);
}

function wholeOf(params: JsonObject, name: string): number | undefined {
  const value = params[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(`${name} must be a whole number.`);
}

function wrong(message: string) {
  return blockFailure('INVALID_VALUE', message, { retryable: false });
}

/** The failure of the block. Only a table that others hold can be better the next time. */
function failureOf(error: unknown): unknown {
  if (error instanceof NotFound)
    return blockFailure(error.resource === 'row' ? 'ROW_NOT_FOUND' : 'TABLE_NOT_FOUND', error.message, {
      retryable: false,
    });
  if (error instanceof Fault && (error.kind === 'invalid' || error.kind === 'unpaid')) {
    const details: Json = JSON.parse(exactJson(error.details ?? []));
    const code = error.code === duplicate ? duplicate : 'TABLE_REFUSED';
    return blockFailure(code, error.message, { retryable: false, details });
  }
  // Not a failure of the block: the whole attempt is made again, as every attempt that meets no database.
  if (isAway(error) || error instanceof TableLocked) return error;
  if (isUnavailable(error) || (error instanceof Fault && error.kind === 'unavailable'))
    return blockFailure('TABLE_UNAVAILABLE', 'The table could not be reached in time.', { retryable: true });
  return error;
}
