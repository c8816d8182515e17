import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { exactJson, type ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import type { ImportLine, ReadOptions, Taken } from './import-options.ts';
import { buildPlan, type FileColumn, type ImportPlan } from './import-plan.ts';
import { inCallBytesMax, type FileSource, withSource } from './import-source.ts';
import { RowParser } from '../writes/row-parser.ts';
import { LongWork } from '../writes/long-work.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { rowIds } from '../reads/row-ids.ts';
import { RowWriter, uniqueColumns } from '../writes/row-writer.ts';
import type { Column, ColumnInput } from '../schema/columns.ts';
import { lockTable, readTable } from '../schema/table.ts';
import { addPlainColumns } from '../schema/table-columns.ts';
import { guardTableName, type TableInput, Tables } from '../schema/tables.ts';
import { TableWriteLock } from '../writes/table-write-lock.ts';
import { takenRows } from '../writes/writes.sql.ts';

/** The number of rows that one statement writes. */
const batch = 1000;
/** The maximum number of refused lines that a report lists. It counts all of them. */
export const refusedShownMax = 100;

export const importModes = ['all', 'good'] as const;
/** `all` imports all rows or none. `good` imports the rows that fit. */
export type ImportMode = (typeof importModes)[number];

export interface RefusedLine {
  /** The line where the record begins, from 1. */
  line: number;
  message: string;
}

export interface RowImportReport {
  insertedCount: number;
  refusedCount: number;
  /** The first refused lines, at most 100. */
  refused: RefusedLine[];
}

export interface ImportReport extends RowImportReport {
  tableId: string;
  taken: Taken;
}

export interface ImportInput {
  mode: ImportMode;
  options: ReadOptions;
}

/** The table that gets the rows of a file: one that exists, or a new one with the columns of the file. */
export type ImportRef = TableRef | { workspaceId: string; create: Pick<TableInput, 'name' | 'description'> };

/** Further steps of an import. `read` runs after each batch, and `last` runs in the transaction of the rows before its commit. */
export interface ImportHooks {
  begin?(taken: Taken): Promise<void>;
  read?(lines: number): Promise<void>;
  last?(tx: EntityManager, report: ImportReport): Promise<void>;
  /** The maximum number of bytes after a gzip is unpacked. */
  bytesMax?: number;
}

export interface ImportPreview {
  taken: Taken;
  columns: FileColumn[];
  sheets: string[];
  /** The number of lines that were tried. */
  checkedCount: number;
  refusedCount: number;
  refused: RefusedLine[];
}

/** Imports rows from files into tables. */
@Injectable()
export class Imports {
  constructor(
    private readonly database: Database,
    private readonly writeLock: TableWriteLock,
    private readonly longWork: LongWork,
    private readonly tables: Tables,
  ) {}

  /**
   * Imports a file in one transaction: after an error nothing is written. Throws `RowsRefused` for a refused line in the mode `all`,
   * `Invalid` for a file that cannot be read, `NotFound` without the table, `NameTaken` for a new table, and `TableLocked`.
   */
  readImport(
    ref: ImportRef,
    { mode, options }: ImportInput,
    path: string,
    { begin, read, last, bytesMax }: ImportHooks = {},
  ): Promise<ImportReport> {
    const work = async (plan: ImportPlan, source: FileSource) => {
      await begin?.(plan.taken);
      // Reads the first lines before it locks the table, so that a slow disk does not block other writers.
      const ready = batches(source, plan);
      const first = await ready.next();
      return this.withTable(ref, plan, async (tx, writer) => {
        const report = { ...noReport(), tableId: writer.table.id, taken: plan.taken };
        const batchWriter = new BatchWriter(tx, writer, mode);
        let lines = 0;
        for (let part = first; part.done !== true; part = await ready.next()) {
          await batchWriter.writeBatch(part.value, report);
          await read?.((lines += part.value.length));
        }
        if (mode === 'all' && report.refusedCount > 0) throw new RowsRefused(report);
        await last?.(tx, report);
        return report;
      });
    };
    return this.withPlan(ref, options, path, work, bytesMax);
  }

  /**
   * Imports a file as `readImport` does, for a call with an idempotency key. `id` belongs to the key, and the rows are stored with it.
   * A retry with the same id writes nothing, and returns the report of the first call. Also throws `LongWorkTaken`.
   */
  async readOnce(
    id: string,
    ref: ImportRef,
    input: ImportInput,
    path: string,
    { read, last }: ImportHooks = {},
  ): Promise<ImportReport> {
    const before = await this.readReport(ref, id);
    if (before) return before;
    try {
      const once = {
        bytesMax: inCallBytesMax,
        read,
        last: async (tx: EntityManager, report: ImportReport) => {
          await send(tx, insertReport, [id, ref.workspaceId, JSON.stringify(report)]);
          await last?.(tx, report);
        },
      };
      return await this.longWork.runLongWork(ref.workspaceId, () => this.readImport(ref, input, path, once));
    } catch (error) {
      // Another call with the key has committed first. This call has written nothing.
      const other = repeatedConstraint(error) === 'import_reports_pkey' && (await this.readReport(ref, id));
      if (other) return other;
      throw error;
    }
  }

  /** Finds out how a file would be read, and which of its first lines an import would refuse. It imports them, and takes this back. */
  preview(ref: ImportRef, options: ReadOptions, path: string): Promise<ImportPreview> {
    const tried = () =>
      this.withPlan(ref, options, path, async (plan, source) => {
        const report = noReport();
        let checkedCount = 0;
        const rehearsal = this.withTable(ref, plan, async (tx, writer) => {
          const batchWriter = new BatchWriter(tx, writer, 'good');
          for await (const lines of batches(source, plan)) {
            await batchWriter.writeBatch(lines, report);
            if ((checkedCount += lines.length) >= previewLines) break;
          }
          throw new Rehearsed();
        });
        await rehearsal.catch((error: unknown) => {
          if (!(error instanceof Rehearsed)) throw error;
        });
        const { refusedCount, refused } = report;
        return {
          taken: plan.taken,
          columns: plan.columns,
          sheets: source.sheets,
          checkedCount,
          refusedCount,
          refused,
        };
      });
    return this.longWork.runLongWork(ref.workspaceId, tried);
  }

  /** Runs work with a file and the way to read it. Throws `Invalid` for a file that cannot be read, and `NotFound` without the table. */
  async withPlan<T>(
    ref: ImportRef,
    input: ReadOptions,
    path: string,
    work: (plan: ImportPlan, source: FileSource) => Promise<T>,
    bytesMax?: number,
  ): Promise<T> {
    const { workspaceId } = ref;
    const isNew = 'create' in ref;
    const { columns } = isNew ? { columns: [] } : await readTable(this.database, workspaceId, ref.tableId);
    const options = isNew ? { ...input, createColumns: true } : input;
    const names = columns.map(({ name }) => name);
    return withSource(path, { names, workspaceId, options, bytesMax }, async (source) =>
      work(await buildPlan(source, columns, options), source),
    );
  }

  /** Runs work in a transaction with the locked table, which has all columns of the plan. */
  private withTable<T>(
    ref: ImportRef,
    { create }: ImportPlan,
    work: (tx: EntityManager, writer: RowWriter) => Promise<T>,
  ): Promise<T> {
    const { workspaceId } = ref;
    if (!('create' in ref))
      return this.writeLock.withLock(ref.tableId, () =>
        this.database.within(workspaceId, async (tx) => work(tx, await openWith(tx, ref, create))),
      );
    const { name } = ref.create;
    return guardTableName(name, () =>
      this.database.within(workspaceId, async (tx) => {
        const { id } = await this.tables.createWithin(tx, workspaceId, { ...ref.create, columns: create });
        return work(tx, await RowWriter.openTable(tx, workspaceId, id));
      }),
    );
  }

  private async readReport({ workspaceId }: ImportRef, id: string): Promise<ImportReport | undefined> {
    const [row] = await this.database.statement<{ report: ImportReport }>(workspaceId, findReport, [id]);
    return row?.report;
  }

  /** Writes the rows of a batch that fit, in the transaction of the caller. Call it within `TableWriteLock`. */
  async importLines(
    tx: EntityManager,
    ref: TableRef,
    { create }: ImportPlan,
    lines: ImportLine[],
  ): Promise<RowImportReport> {
    const report = noReport();
    await new BatchWriter(tx, await openWith(tx, ref, create), 'good').writeBatch(lines, report);
    return report;
  }
}

/** The number of lines that a preview tries. */
const previewLines = 10_000;

/** Ends the transaction of a preview. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
}

const noReport = (): RowImportReport => ({ insertedCount: 0, refusedCount: 0, refused: [] });

async function openWith(
  tx: EntityManager,
  { workspaceId, tableId }: TableRef,
  create: ColumnInput[],
): Promise<RowWriter> {
  if (create.length > 0) await addPlainColumns(tx, await lockTable(tx, workspaceId, tableId), create);
  return RowWriter.openTable(tx, workspaceId, tableId);
}

/** The lines of a file with rows, in batches of 1,000. Skips the first `from` lines. */
export async function* batches(source: FileSource, plan: ImportPlan, from = 0): AsyncGenerator<ImportLine[]> {
  let skip = from;
  let held: ImportLine[] = [];
  for await (const records of source.read()) {
    for (let at = 0; at < records.length; at += batch) {
      for (const line of plan.toLines(records.slice(at, at + batch))) {
        if (skip-- > 0) continue;
        held.push(line);
        if (held.length < batch) continue;
        yield held;
        held = [];
      }
      // A piece of a file may have thousands of lines, and refused lines wait for no database.
      await setImmediate();
    }
  }
  if (held.length > 0) yield held;
}

const insertReport = 'insert into import_reports (id, workspace_id, report) values ($1, $2, $3)';
const findReport = 'select report from import_reports where id = $1';

/** Writes lines of a file into a locked table. */
class BatchWriter {
  private readonly unique: string[];
  private room: number;

  constructor(
    private readonly tx: EntityManager,
    private readonly writer: RowWriter,
    private readonly mode: ImportMode,
  ) {
    this.unique = uniqueColumns(writer.table);
    this.room = writer.table.maxRows - writer.table.rowCount;
  }

  /** Inserts the rows that fit, and adds the others to the report. In the mode `all` it inserts nothing after the first refused line. */
  async writeBatch(lines: ImportLine[], report: RowImportReport): Promise<void> {
    const good = readBatch(this.writer.table.columns, lines, report);
    const clashes = await this.clashes(good.map(({ data }) => data));
    const fits = good.filter(({ line }, i) => {
      const refusal = clashes.get(i) ?? this.fullness();
      if (refusal === undefined) this.room--;
      else refuse(report, line, refusal);
      return refusal === undefined;
    });
    if (this.mode === 'all' && report.refusedCount > 0) return;
    const rows = fits.map(({ data }) => data);
    report.insertedCount += (await this.writer.writeNewRows(rows, rowIds(rows.length))).length;
  }

  private fullness(): string | undefined {
    if (this.room > 0) return undefined;
    return `the table may have ${this.writer.table.maxRows} rows, and has no room for it`;
  }

  /** Finds rows whose value of a unique column is taken. Returns the reason of the refusal by the index of the row. */
  private async clashes(rows: ExactObject[]): Promise<Map<number, string>> {
    if (this.unique.length === 0) return new Map();
    const { no, columns } = this.writer.table;
    const found = await send(this.tx, takenRows, [no, exactJson(rows), this.unique]);
    const findColumnName = (id: unknown) => columns.find((column) => column.id === id)?.name;
    return new Map(
      found.map((row) => [
        Number(row['ord']) - 1,
        `${findColumnName(row['column_id'])} is unique, and its value is there already`,
      ]),
    );
  }
}

function readBatch(
  columns: Column[],
  lines: ImportLine[],
  report: RowImportReport,
): { line: number; data: ExactObject }[] {
  return lines.flatMap((one) => {
    if (one.fault !== undefined) {
      refuse(report, one.line, one.fault);
      return [];
    }
    try {
      const parser = new RowParser(columns);
      const data = parser.parseRow(one.data, '');
      parser.throwFaults();
      return [{ line: one.line, data }];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const [fault] = error.details ?? [];
      refuse(report, one.line, `${fault?.path.replace(/^\./, '')} ${fault?.message}`);
      return [];
    }
  });
}

function refuse(report: RowImportReport, line: number, message: string): void {
  report.refusedCount++;
  if (report.refused.length < refusedShownMax) report.refused.push({ line, message });
}

/** An import in the mode `all` has refused lines. Nothing was written. */
export class RowsRefused extends Invalid {
  constructor(readonly report: RowImportReport) {
    const { refused, refusedCount } = report;
    const details = refused.map(({ line, message }) => ({ path: `line ${line}`, message, code: 'refused' }));
    super(
      details,
      `${refusedCount} ${refusedCount === 1 ? 'line is' : 'lines are'} refused; nothing was imported.`,
    );
  }
}
