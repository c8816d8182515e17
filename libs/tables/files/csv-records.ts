import { Invalid } from '#libs/platform/errors/errors';
import { quotedNothing, type RawCell, type RawRecord } from './import-options.ts';

/** The maximum number of characters of a record. */
export const recordCharsMax = 1024 * 1024;

/** Throws away a whole file, because its rest cannot be read. */
export function refusedFile(line: number, message: string): Invalid {
  return new Invalid([{ path: line > 0 ? `line ${line}` : '', message, code: 'file' }]);
}

/**
 * Reads the records of a CSV as its text arrives. A record with a misplaced quote has a fault, and the next line is read again.
 * Throws `Invalid` for a quote that is not closed, and for a record that is too long.
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<RawRecord[]> {
  const scanner = new CsvScanner(delimiter);
  for await (const part of text) yield scanner.scan(part, false);
  yield scanner.scan('', true);
}

class CsvScanner {
  private text = '';
  private at = 0;
  private line = 1;
  /** The place of the next quote from `at`, or the end of the text. */
  private quote = 0;

  constructor(private readonly delimiter: string) {}

  /** Returns the records that are complete. `isLast`: no more text follows. */
  scan(part: string, isLast: boolean): RawRecord[] {
    this.text = this.text.slice(this.at) + part;
    this.at = this.quote = 0;
    this.findQuote();
    const records: RawRecord[] = [];
    while (this.at < this.text.length) {
      const record = this.record(isLast);
      if (!record) break;
      records.push(record);
    }
    if (this.text.length - this.at > recordCharsMax) throw this.tooLong();
    return records;
  }

  private findQuote(): void {
    const found = this.text.indexOf('"', this.at);
    this.quote = found === -1 ? this.text.length : found;
  }

  /** Returns the next record, or undefined when its end has not arrived. */
  private record(isLast: boolean): RawRecord | undefined {
    const { line, at } = this;
    const end = this.lineEnd(at, isLast);
    if (this.quote < at) this.findQuote();
    if (end !== undefined && end <= this.quote) {
      const cells = this.text.slice(at, end).split(this.delimiter);
      this.skipLine(end);
      return end - at > recordCharsMax ? { line, fault: tooLongText } : { line, cells };
    }
    return end === undefined && this.quote === this.text.length ? undefined : this.quoted(isLast);
  }

  /** Reads a record with quotes, which may go over several lines. */
  private quoted(isLast: boolean): RawRecord | undefined {
    const begin = this.line;
    const cells: RawCell[] = [];
    let at = this.at;
    let line = begin;
    for (;;) {
      let end: number | undefined;
      if (this.text[at] === '"') {
        const close = this.closing(at + 1, isLast);
        if (close === undefined) return isLast ? this.unclosed(line) : undefined;
        const raw = this.text.slice(at + 1, close);
        cells.push(raw === '' ? quotedNothing : raw.replaceAll('""', '"'));
        line += breaksIn(raw);
        end = close + 1;
      } else {
        end = this.cellEnd(at);
        if (end === this.text.length && !isLast) return undefined;
        const cell = this.text.slice(at, end);
        if (cell.includes('"')) return this.faulty(begin, line, end, misplaced, isLast);
        cells.push(cell);
      }
      if (this.text.startsWith(this.delimiter, end)) {
        at = end + 1;
        if (at === this.text.length && !isLast) return undefined;
        continue;
      }
      const here = this.lineEnd(end, isLast);
      if (here === undefined) return undefined;
      if (here !== end) return this.faulty(begin, line, end, behind, isLast);
      this.line = line;
      this.skipLine(end);
      return { line: begin, cells };
    }
  }

  private faulty(
    begin: number,
    line: number,
    at: number,
    fault: string,
    isLast: boolean,
  ): RawRecord | undefined {
    const end = this.lineEnd(at, isLast);
    if (end === undefined) return undefined;
    this.line = line;
    this.skipLine(end);
    return { line: begin, fault };
  }

  private unclosed(line: number): never {
    throw refusedFile(
      line,
      'opens a quote that is not closed; write a quote in a value twice, within quotes',
    );
  }

  private tooLong(): Invalid {
    const said = `has more than ${recordCharsMax} characters`;
    const opened = this.quote < this.text.length ? '; the quote that it opens may not be closed' : '';
    return refusedFile(this.line, said + opened);
  }

  /** The place of the quote that closes a cell, or undefined when it has not arrived. */
  private closing(from: number, isLast: boolean): number | undefined {
    for (let at = from; ; at += 2) {
      at = this.text.indexOf('"', at);
      if (at === -1 || (at + 1 === this.text.length && !isLast)) return undefined;
      if (this.text[at + 1] !== '"') return at;
    }
  }

  /** The end of a cell without quotes: a delimiter, a line break or the end of the text. */
  private cellEnd(from: number): number {
    for (let at = from; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === this.delimiter || char === '\n' || char === '\r') return at;
    }
    return this.text.length;
  }

  /** The place of the next line break, or undefined when it has not arrived as a whole. */
  private lineEnd(from: number, isLast: boolean): number | undefined {
    lineBreak.lastIndex = from;
    const end = lineBreak.exec(this.text)?.index ?? this.text.length;
    if (isLast) return end;
    const isCut = end === this.text.length || (end + 1 === this.text.length && this.text[end] === '\r');
    return isCut ? undefined : end;
  }

  private skipLine(end: number): void {
    this.at = end + (this.text.startsWith('\r\n', end) ? 2 : 1);
    this.line++;
  }
}

const lineBreak = /[\r\n]/g;
const misplaced =
  'has a quote inside of a value; write the value in quotes, and the quote twice, such as "6"" nail"';
const behind = 'has text behind a closing quote; write a quote in a value twice, such as "6"" nail"';
const tooLongText = `has more than ${recordCharsMax} characters`;

function breaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
