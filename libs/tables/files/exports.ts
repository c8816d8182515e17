import { Injectable } from '@nestjs/common';
import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { ColumnType } from '../schema/cells.ts';
import type { TableRef } from '../writes/row-changes.ts';
import { dataByName } from '../reads/row.ts';
import { type RowPage, type RowQuery, Rows } from '../reads/rows.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const pageRows = 1000;

export interface ExportInput extends Pick<RowQuery, 'filter' | 'sort'> {
  format: ExportFormat;
  /** True: `guardedText` protects each text in a CSV from being read as a formula. */
  guardFormulas: boolean;
}

/** Exports tables page by page. It reads a page only after the consumer has taken the page before. */
@Injectable()
export class Exports {
  constructor(private readonly rows: Rows) {}

  /** The export as parts of text. Reads the first page before it returns, so it throws `Invalid` or `NotFound` before anything is sent. */
  async writeExport(ref: TableRef, input: ExportInput): Promise<AsyncGenerator<string>> {
    const first = await this.page(ref, input);
    return this.parts(ref, input, first);
  }

  private async *parts(ref: TableRef, input: ExportInput, first: RowPage): AsyncGenerator<string> {
    // Later pages show the columns of the header.
    const { columns } = first;
    if (input.format === 'csv') yield `${columns.map(({ name }) => name).join(',')}\r\n`;
    for (let page = first; ; page = await this.page(ref, input, page.nextCursor)) {
      const lines = page.rows.map(({ data }) => {
        const shown = dataByName(columns, data);
        if (input.format === 'jsonl') return `${exactJson(shown)}\n`;
        const cells = columns.map(({ name, type }) =>
          csvCell(type, shown[name] ?? null, input.guardFormulas),
        );
        return `${cells.join(',')}\r\n`;
      });
      yield lines.join('');
      if (page.nextCursor === null) return;
    }
  }

  private page(ref: TableRef, { filter, sort }: ExportInput, cursor?: string | null): Promise<RowPage> {
    return this.rows.list(ref, { filter, sort, limit: pageRows, offset: 0, ...(cursor ? { cursor } : {}) });
  }
}

function csvCell(type: ColumnType, value: ExactValue, guardFormulas: boolean): string {
  if (value === null) return '';
  // A text in a json column keeps its quotes, so that an import reads it as JSON again.
  const text =
    typeof value === 'string' && type !== 'json' ? guarded(value, guardFormulas) : exactJson(value);
  return text === '' ? '""' : quotedText(text);
}

function guarded(text: string, guardFormulas: boolean): string {
  return guardFormulas ? guardedText(text) : text;
}

/**
 * The text with a quote in front when it begins like a formula. Spreadsheets then show it as text and do not compute it. A text that looks
 * guarded gets another quote, so that an import can take the guard off exactly.
 */
export function guardedText(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** A cell of a CSV line, in quotes where it needs them. */
export function quotedText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
