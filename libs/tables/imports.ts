import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/database/database';
import { exactJson, type ExactObject } from '#libs/exact-json/exact-json';
import { Invalid } from '#libs/faults/faults';
import { type ImportFormat, type ImportLine, linesOf } from './import-lines.ts';
import { RowReader } from './row-data.ts';
import type { Place } from './row-changes.ts';
import { rowIds } from './row-ids.ts';
import { RowWriter } from './row-writer.ts';
import { readTable } from './table.ts';
import { takenRows } from './writes.sql.ts';

/** Rows that are written with one statement. */
const batch = 1000;
/** Refused lines that a report lists; it counts all of them. */
const shownMax = 100;

export const importModes = ['all', 'good'] as const;
/** All rows or none, or all rows that are good. */
export type ImportMode = (typeof importModes)[number];

export interface RefusedLine {
  line: number;
  message: string;
}

export interface ImportReport {
  insertedCount: number;
  refusedCount: number;
  /** The first of the refused lines. */
  refused: RefusedLine[];
}

interface Wish {
  format: ImportFormat;
  mode: ImportMode;
}

/** Reads rows from files into tables, as the files come. */
@Injectable()
export class Imports {
  constructor(private readonly database: Database) {}

  /** One transaction: when it ends with an error, nothing was written. In the mode `all` a refused line is such an error. */
  async read(place: Place, { format, mode }: Wish, bytes: AsyncIterable<Uint8Array>): Promise<ImportReport> {
    const { workspaceId, tableId } = place;
    const { columns } = await readTable(this.database, workspaceId, tableId);
    const lines = linesOf(format, columns, bytes);
    // The first lines are read before the table is held: whoever sends slowly must not keep others from writing.
    const ready = batches(lines);
    const first = await ready.next();
    const report: ImportReport = { insertedCount: 0, refusedCount: 0, refused: [] };
    await this.database.within(workspaceId, async (tx) => {
      const writer = await RowWriter.of(tx, workspaceId, tableId);
      const { no, maxRows, columns: now } = writer.table;
      const unique = now.filter((column) => column.unique).map(({ id }) => id);
      const taken = async (rows: ExactObject[]) => {
        if (unique.length === 0) return new Map<number, string>();
        const found = await send(tx, takenRows, [no, exactJson(rows), unique]);
        const nameOf = (id: unknown) => now.find((column) => column.id === id)?.name;
        return new Map(
          found.map((row) => [
            Number(row['ord']) - 1,
            `${nameOf(row['column_id'])} is unique, and its value is there already`,
          ]),
        );
      };
      let room = maxRows - writer.table.rowCount;
      for (let part = first; part.done !== true; part = await ready.next()) {
        const good = readBatch(now, part.value, report);
        const clashes = await taken(good.map(({ data }) => data));
        const fits = good.filter(({ line }, i) => {
          const clash =
            clashes.get(i) ??
            (room <= 0 ? `the table may have ${maxRows} rows, and has no room for it` : undefined);
          if (clash === undefined) room--;
          else refuse(report, line, clash);
          return clash === undefined;
        });
        if (mode === 'all' && report.refusedCount > 0) continue;
        const rows = fits.map(({ data }) => data);
        report.insertedCount += (await writer.insert(rows, rowIds(rows.length))).length;
      }
      if (mode === 'all' && report.refusedCount > 0) throw refusalOf(report);
    });
    return report;
  }
}

async function* batches(lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportLine[]> {
  let held: ImportLine[] = [];
  for await (const line of lines) {
    held.push(line);
    if (held.length < batch) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
}

function readBatch(
  columns: Parameters<typeof linesOf>[1],
  lines: ImportLine[],
  report: ImportReport,
): { line: number; data: ExactObject }[] {
  return lines.flatMap((one) => {
    if (one.fault !== undefined) {
      refuse(report, one.line, one.fault);
      return [];
    }
    try {
      const reader = new RowReader(columns);
      const data = reader.row(one.data, '');
      reader.finish();
      return [{ line: one.line, data }];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const [fault] = error.details ?? [];
      refuse(report, one.line, `${fault?.path.replace(/^\./, '')} ${fault?.message}`);
      return [];
    }
  });
}

function refuse(report: ImportReport, line: number, message: string): void {
  report.refusedCount++;
  if (report.refused.length < shownMax) report.refused.push({ line, message });
}

function refusalOf({ refused, refusedCount }: ImportReport): Invalid {
  const details = refused.map(({ line, message }) => ({ path: `line ${line}`, message, code: 'refused' }));
  return new Invalid(details, `${refusedCount} lines are refused; nothing was imported.`);
}
