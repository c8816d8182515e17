import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { Files, type NewFile } from '#libs/platform/files/files';
import { newScratch } from '#libs/platform/files/scratch';
import { Cursors } from '#libs/platform/cursors/cursor';
import type { ImportFormat, ReadOptions, Taken } from './import-options.ts';
import * as sql from './import-jobs.sql.ts';
import {
  type ImportMode,
  type RowImportReport,
  batches,
  Imports,
  type ImportInput,
  type ImportRef,
  refusedShownMax,
} from './imports.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { readTable } from '../schema/table.ts';
import { guardTableName, Tables } from '../schema/tables.ts';
import { TableWriteLock } from '../writes/table-write-lock.ts';

export const importStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** An import that a worker carries out, with its progress. */
export interface ImportJob extends RowImportReport {
  id: string;
  tableId: string;
  format: ImportFormat;
  mode: ImportMode;
  /** How the file is read, from the first attempt on. */
  taken: Taken | null;
  /** Bytes of the file. */
  size: number;
  status: ImportStatus;
  error: string | null;
  /** The number of processed lines with rows. */
  lineCount: number;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
}

/** An import of which an attempt begins. */
export interface BegunImport extends ImportJob {
  options: ReadOptions;
  /** The attempts in a row that made no progress. */
  tries: number;
}

export interface TableImportKey {
  workspaceId: string;
  importId: string;
}

/** The attempt has nothing left to do: the import has ended, or another attempt has processed more lines. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

/** The maximum number of open imports of a table. */
const openMax = 20;
/** The number of days for which an import is kept after its end. */
const keptDays = 30;
/** The maximum number of imports that one statement deletes. */
const batch = 1000;

/** Imports of large files by a worker: stores the files, runs the imports and notes their progress. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly database: Database,
    private readonly files: Files,
    private readonly imports: Imports,
    private readonly tables: Tables,
    private readonly cursors: Cursors,
    private readonly writeLock: TableWriteLock,
  ) {}

  /**
   * Stores the file and the import in one transaction, and makes a new table in it. `path` is where the file is. Returns the import
   * that has the id already, because a call is repeated when its process has stopped behind the commit.
   * Throws `NotFound` without the table, `NameTaken` for a new one, `Conflict` for too many open imports, and `Invalid` for a file of which
   * no table can be made.
   */
  async create(
    ref: ImportRef,
    { mode, options }: ImportInput,
    { id, file, format, path }: { id: string; file: NewFile; format: ImportFormat; path: string },
  ): Promise<ImportJob> {
    const { workspaceId } = ref;
    const [earlier] = await this.database.statement(workspaceId, sql.findRepeated, [id]);
    if (earlier) return toImportJob(earlier);
    const store = (read: ReadOptions, tableIn: (tx: EntityManager) => Promise<string>) =>
      this.database.within(workspaceId, async (tx) => {
        const tableId = await tableIn(tx);
        const [open] = await send(tx, sql.countOpen, [tableId]);
        if (Number(open?.['n']) >= openMax)
          throw new Conflict(
            `${openMax} imports of this table wait already; wait for one to end.`,
            'TOO_MANY_IMPORTS',
          );
        const values = [id, workspaceId, tableId, format, mode, file.size, JSON.stringify(read)];
        const [row] = await send(tx, sql.insertImport, values);
        await send(tx, sql.keepFile, [await this.files.storeWithin(tx, workspaceId, file), id]);
        return toImportJob(required(row));
      });
    if (!('create' in ref)) {
      await readTable(this.database, workspaceId, ref.tableId);
      return store(options, async () => ref.tableId);
    }
    return this.imports.withPlan(ref, options, path, async ({ create: columns, taken: { mapping } }) =>
      guardTableName(ref.create.name, () =>
        store({ ...options, mapping }, async (tx) => {
          const { id: tableId } = await this.tables.createWithin(tx, workspaceId, {
            ...ref.create,
            columns,
          });
          return tableId;
        }),
      ),
    );
  }

  /** Throws `NotFound`. */
  async get({ workspaceId, tableId }: TableRef, importId: string): Promise<ImportJob> {
    const [row] = await this.database.statement(workspaceId, sql.findImport, [tableId, importId]);
    return toImportJob(required(row));
  }

  /** The imports of a table, the newest first. Throws `NotFound` without the table. */
  async list(
    { workspaceId, tableId }: TableRef,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<{ imports: ImportJob[]; nextCursor: string | null }> {
    await readTable(this.database, workspaceId, tableId);
    const scope = `imports ${tableId}`;
    const after = cursor === undefined ? null : this.cursors.open(cursor, scope);
    const rows = await this.database.statement(workspaceId, sql.listImports, [
      tableId,
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
    ]);
    const imports = rows.slice(0, limit).map(toImportJob);
    const last = imports.at(-1);
    const nextCursor =
      rows.length > limit && last
        ? this.cursors.seal({ at: last.createdAt.toISOString(), id: last.id }, scope)
        : null;
    return { imports, nextCursor };
  }

  /** Ends an import. Rows that it has committed stay. Throws `Conflict` when it has ended already. */
  async cancelImport(ref: TableRef, importId: string): Promise<ImportJob> {
    const { workspaceId, tableId } = ref;
    const [row] = await this.database.statement(workspaceId, sql.cancelImport, [tableId, importId]);
    if (row) return toImportJob(row);
    const { status } = await this.get(ref, importId);
    throw new Conflict(`The import is ${status} already.`, 'IMPORT_ENDED');
  }

  /** Counts an attempt that begins. Throws `ImportEnded`. */
  async beginImport({ workspaceId, importId }: TableImportKey): Promise<BegunImport> {
    const [row] = await this.database.statement(workspaceId, sql.beginImport, [importId]);
    if (!row) throw new ImportEnded();
    return { ...toImportJob(row), options: row['options'] as ReadOptions, tries: Number(row['tries']) };
  }

  /** Notes that the attempt ended without a crash of its worker, whatever its result is. Resets the tries. */
  async endedInOrder({ workspaceId, importId }: TableImportKey): Promise<void> {
    await this.database.statement(workspaceId, sql.forgetAttempt, [importId]);
  }

  /**
   * Imports the file from the line at which the last attempt stopped. Awaits `beat` after each batch with the number of processed lines.
   * In the mode `good` each transaction writes a batch, its report and the number of its last line. So the next attempt neither repeats
   * nor skips a row. In the mode `all` a single transaction writes the whole file and the end of the import.
   * Throws `Invalid` for a file that cannot be imported, and `ImportEnded`.
   */
  async runImport(
    key: TableImportKey,
    job: BegunImport,
    beat: (lines: number) => Promise<void>,
  ): Promise<void> {
    const folder = await newScratch();
    try {
      const path = join(folder, 'rows');
      await pipeline(this.content(key), createWriteStream(path, { mode: 0o600 }));
      await (job.mode === 'all' ? this.whole(key, job, path, beat) : this.byBatch(key, job, path, beat));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async byBatch(
    key: TableImportKey,
    { tableId, options, lineCount: from }: BegunImport,
    path: string,
    beat: (lines: number) => Promise<void>,
  ): Promise<void> {
    const ref = { workspaceId: key.workspaceId, tableId };
    let lineCount = from;
    await this.imports.withPlan(ref, options, path, async (plan, source) => {
      await this.saveTaken(key, plan.taken);
      for await (const lines of batches(source, plan, lineCount)) {
        const write = async (tx: EntityManager) => {
          await hold(tx, key.importId, lineCount);
          const report = await this.imports.importLines(tx, ref, plan, lines);
          await send(tx, sql.addToImport, [key.importId, lines.length, ...counted(report), refusedShownMax]);
        };
        await this.writeLock.withLock(tableId, () => this.database.within(key.workspaceId, write));
        lineCount += lines.length;
        await beat(lineCount);
      }
    });
    await this.database.within(key.workspaceId, async (tx) => {
      await hold(tx, key.importId, lineCount);
      for (const statement of [sql.completeImport, sql.dropFile]) await send(tx, statement, [key.importId]);
    });
  }

  private async whole(
    key: TableImportKey,
    { tableId, options }: BegunImport,
    path: string,
    beat: (lines: number) => Promise<void>,
  ): Promise<void> {
    const { workspaceId, importId } = key;
    let all = 0;
    await this.imports.readImport({ workspaceId, tableId }, { options, mode: 'all' }, path, {
      begin: (taken) => this.saveTaken(key, taken),
      read: async (lines) => {
        const [row] = await this.database.statement(workspaceId, sql.showProgress, [importId, (all = lines)]);
        if (!row) throw new ImportEnded();
        await beat(lines);
      },
      last: async (tx, report) => {
        await hold(tx, importId, all);
        await send(tx, sql.addToImport, [importId, 0, ...counted(report), refusedShownMax]);
        for (const statement of [sql.completeImport, sql.dropFile]) await send(tx, statement, [importId]);
      },
    });
  }

  private async saveTaken({ workspaceId, importId }: TableImportKey, taken: Taken): Promise<void> {
    await this.database.statement(workspaceId, sql.saveTaken, [
      importId,
      taken.format,
      JSON.stringify(taken),
    ]);
  }

  /** Fails an import with a reason, and deletes its file. An import that has ended keeps its status. */
  async fail(
    { workspaceId, importId }: TableImportKey,
    error: string,
    report: RowImportReport = nothing,
  ): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      await send(tx, sql.failImport, [importId, error, report.refusedCount, JSON.stringify(report.refused)]);
      await send(tx, sql.dropFile, [importId]);
    });
  }

  /** Yields the bytes of the file. Throws `ImportEnded` when the import has ended. */
  private async *content({ workspaceId, importId }: TableImportKey): AsyncGenerator<Buffer> {
    const [row] = await this.database.statement<{ id: string }>(workspaceId, sql.findFile, [importId]);
    if (!row) throw new ImportEnded();
    yield* this.files.read(workspaceId, await this.files.get(workspaceId, row.id));
  }

  /** Deletes imports that ended 30 days ago, and the reports of calls whose idempotency keys have expired. */
  async forgetOld(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...sql.oldReports, rowsMax: batch }, bounds);
    await forgetRows(this.database, { ...sql.oldImports, values: [keptDays], rowsMax: batch }, bounds);
  }
}

const nothing: RowImportReport = { insertedCount: 0, refusedCount: 0, refused: [] };

/** Locks the import for a write. Throws `ImportEnded` when it has ended, or when another attempt has processed more lines. */
async function hold(tx: EntityManager, importId: string, lineCount: number): Promise<void> {
  const [row] = await send(tx, sql.holdImport, [importId, lineCount]);
  if (!row) throw new ImportEnded();
}

const counted = ({ insertedCount, refusedCount, refused }: RowImportReport) => [
  insertedCount,
  refusedCount,
  JSON.stringify(refused),
];

function required<T>(row: T | undefined): T {
  if (!row) throw new NotFound('import');
  return row;
}

function toImportJob(row: Record<string, unknown>): ImportJob {
  return {
    id: String(row['id']),
    tableId: String(row['table_id']),
    format: row['format'] as ImportFormat,
    mode: row['mode'] as ImportMode,
    taken: row['taken'] as Taken | null,
    size: Number(row['size']),
    status: row['status'] as ImportStatus,
    error: row['error'] as string | null,
    lineCount: Number(row['line_count']),
    insertedCount: Number(row['inserted_count']),
    refusedCount: Number(row['refused_count']),
    refused: row['refused'] as RowImportReport['refused'],
    createdAt: row['created_at'] as Date,
    startedAt: row['started_at'] as Date | null,
    completedAt: row['completed_at'] as Date | null,
  };
}
