import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { exactJson, type ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { type ImportFormat, type ImportLine, linesOf } from './import-lines.ts';
import { RowParser } from '../writes/row-parser.ts';
import { LongWork } from '../writes/long-work.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { rowIds } from '../reads/row-ids.ts';
import { RowWriter, uniqueColumns } from '../writes/row-writer.ts';
import { readTable } from '../schema/table.ts';
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
  line: number;
  message: string;
}

export interface RowImportReport {
  insertedCount: number;
  refusedCount: number;
  /** The first refused lines, at most 100. */
  refused: RefusedLine[];
}

export interface ImportInput {
  format: ImportFormat;
  mode: ImportMode;
}

/** Further steps of an import. `read` runs after each batch, and `last` runs in the transaction of the rows before its commit. */
export interface ImportHooks {
  read?(lines: number): Promise<void>;
  last?(tx: EntityManager, report: RowImportReport): Promise<void>;
}

/** Imports rows from files into tables, while the bytes of the files arrive. */
@Injectable()
export class Imports {
  constructor(
    private readonly database: Database,
    private readonly writeLock: TableWriteLock,
    private readonly longWork: LongWork,
  ) {}

  /**
   * Imports a file in one transaction: after an error nothing is written. Throws `RowsRefused` for a refused line in the mode `all`,
   * `Invalid` for a file that cannot be read, `NotFound` without the table, and `TableLocked`.
   */
  async readImport(
    place: TableRef,
    { format, mode }: ImportInput,
    bytes: AsyncIterable<Uint8Array>,
    { read, last }: ImportHooks = {},
  ): Promise<RowImportReport> {
    const { workspaceId, tableId } = place;
    // Reads the first lines before it locks the table, so that a slow sender does not block other writers.
    const ready = this.batches(place, format, bytes);
    const first = await ready.next();
    const report: RowImportReport = { insertedCount: 0, refusedCount: 0, refused: [] };
    let lines = 0;
    const write = async (tx: EntityManager) => {
      const batchWriter = new BatchWriter(tx, await RowWriter.openTable(tx, workspaceId, tableId), mode);
      for (let part = first; part.done !== true; part = await ready.next()) {
        await batchWriter.writeBatch(part.value, report);
        await read?.((lines += part.value.length));
      }
      if (mode === 'all' && report.refusedCount > 0) throw new RowsRefused(report);
      await last?.(tx, report);
    };
    await this.writeLock.withLock(tableId, () => this.database.within(workspaceId, write));
    return report;
  }

  /**
   * Imports a file as `readImport` does, for a call with an idempotency key. `id` belongs to the key, and the rows are stored with it.
   * A retry with the same id writes nothing, and returns the report of the first call. Also throws `LongWorkTaken`.
   */
  async readOnce(
    id: string,
    place: TableRef,
    wish: ImportInput,
    bytes: AsyncIterable<Uint8Array>,
    { read, last }: ImportHooks = {},
  ): Promise<RowImportReport> {
    const before = await this.reportOf(place, id);
    if (before) return before;
    try {
      const once = {
        read,
        last: async (tx: EntityManager, report: RowImportReport) => {
          await send(tx, insertReport, [id, place.workspaceId, JSON.stringify(report)]);
          await last?.(tx, report);
        },
      };
      return await this.longWork.runLongWork(place.workspaceId, () =>
        this.readImport(place, wish, bytes, once),
      );
    } catch (error) {
      // Another call with the key has committed first. This call has written nothing.
      const other = repeatedConstraint(error) === 'import_reports_pkey' && (await this.reportOf(place, id));
      if (other) return other;
      throw error;
    }
  }

  private async reportOf({ workspaceId }: TableRef, id: string): Promise<RowImportReport | undefined> {
    const [row] = await this.database.statement<{ report: RowImportReport }>(workspaceId, findReport, [id]);
    return row?.report;
  }

  /** Writes the rows of a batch that fit, in the transaction of the caller. Call it within `TableWriteLock`. */
  async importLines(
    tx: EntityManager,
    { workspaceId, tableId }: TableRef,
    lines: ImportLine[],
  ): Promise<RowImportReport> {
    const report: RowImportReport = { insertedCount: 0, refusedCount: 0, refused: [] };
    await new BatchWriter(tx, await RowWriter.openTable(tx, workspaceId, tableId), 'good').writeBatch(
      lines,
      report,
    );
    return report;
  }

  /** The lines of a file with rows, in batches of 1,000. Skips the first `from` lines. Throws as `linesOf` does. */
  async *batches(
    { workspaceId, tableId }: TableRef,
    format: ImportFormat,
    bytes: AsyncIterable<Uint8Array>,
    from = 0,
  ): AsyncGenerator<ImportLine[]> {
    const { columns } = await readTable(this.database, workspaceId, tableId);
    let n = 0;
    let held: ImportLine[] = [];
    for await (const line of linesOf(format, columns, bytes)) {
      if (n++ < from) continue;
      held.push(line);
      if (held.length < batch) continue;
      yield held;
      held = [];
    }
    if (held.length > 0) yield held;
  }
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
    const nameOf = (id: unknown) => columns.find((column) => column.id === id)?.name;
    return new Map(
      found.map((row) => [
        Number(row['ord']) - 1,
        `${nameOf(row['column_id'])} is unique, and its value is there already`,
      ]),
    );
  }
}

function readBatch(
  columns: Parameters<typeof linesOf>[1],
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
