import { Injectable } from '@nestjs/common';
import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { ColumnType } from '../schema/cells.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { dataByName } from '../reads/row.ts';
import { type RowPage, type RowQuery, Rows } from '../reads/rows.ts';
import type { ImportFormat } from './import-lines.ts';

const pageRows = 1000;

export interface ExportInput extends Pick<RowQuery, 'filter' | 'sort'> {
  format: ImportFormat;
  /** Spreadsheets compute what begins like a formula: a quote in front of it keeps them from that. */
  guardFormulas: boolean;
}

/** Writes tables out, page by page. A page is read when the one before it has been taken. */
@Injectable()
export class Exports {
  constructor(private readonly rows: Rows) {}

  /** Reads the first page, so that what is wrong with the call is known before anything is sent. */
  async writeExport(place: TableRef, wish: ExportInput): Promise<AsyncGenerator<string>> {
    const first = await this.page(place, wish);
    return this.parts(place, wish, first);
  }

  private async *parts(place: TableRef, wish: ExportInput, first: RowPage): AsyncGenerator<string> {
    // Later pages show the columns that the header has.
    const { columns } = first;
    if (wish.format === 'csv') yield `${columns.map(({ name }) => name).join(',')}\r\n`;
    for (let page = first; ; page = await this.page(place, wish, page.nextCursor)) {
      const lines = page.rows.map(({ data }) => {
        const shown = dataByName(columns, data);
        if (wish.format === 'jsonl') return `${exactJson(shown)}\n`;
        const cells = columns.map(({ name, type }) => csvCell(type, shown[name] ?? null, wish.guardFormulas));
        return `${cells.join(',')}\r\n`;
      });
      yield lines.join('');
      if (page.nextCursor === null) return;
    }
  }

  private page(place: TableRef, { filter, sort }: ExportInput, cursor?: string | null): Promise<RowPage> {
    return this.rows.list(place, { filter, sort, limit: pageRows, offset: 0, ...(cursor ? { cursor } : {}) });
  }
}

function csvCell(type: ColumnType, value: ExactValue, guardFormulas: boolean): string {
  if (value === null) return '';
  // A document that is a text keeps its quotes, so that it is read back as one.
  const text =
    typeof value === 'string' && type !== 'json' ? guarded(value, guardFormulas) : exactJson(value);
  return text === '' ? '""' : quotedText(text);
}

function guarded(text: string, guardFormulas: boolean): string {
  return guardFormulas ? guardedText(text) : text;
}

/** Spreadsheets compute what begins like a formula: a quote in front of it keeps them from that. */
export function guardedText(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** A cell of a CSV line, in quotes where it needs them. */
export function quotedText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
