import type { ExactObject } from '#libs/platform/json/exact-json';

/** The forms of files. Each delimiter makes a CSV. */
export const importFormats = ['csv', 'jsonl', 'json', 'xlsx', 'xls', 'ods'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const nullWords = ['null', 'default'] as const;

/** How a file is read. What is absent is found out from the file. */
export interface ReadOptions {
  /** The media type of the file, with its charset. */
  contentType?: string;
  delimiter?: string;
  encoding?: string;
  /** False: the file has no header. A number: the line of the header. */
  header?: boolean | number;
  sheet?: string;
  /** The column of the table by the name of the column in the file; null leaves a column out. */
  mapping?: Record<string, string | null>;
  createColumns?: boolean;
  /** What an empty cell becomes. */
  nulls?: (typeof nullWords)[number];
  decimal?: '.' | ',';
  dateFormat?: string;
  /** False: a quote that guards a text against being a formula stays. */
  guardFormulas?: boolean;
}

/** How a file was read. */
export interface Taken {
  format: ImportFormat;
  delimiter: string | null;
  encoding: string | null;
  sheet: string | null;
  /** The line of the header. */
  header: number | null;
  decimal: '.' | ',';
  dateFormat: string | null;
  nulls: (typeof nullWords)[number];
  mapping: Record<string, string | null>;
  /** The columns that the import adds to the table. */
  createdColumns: string[];
}

/** A quoted empty text. Without quotes it is an empty cell. */
export const quotedNothing = Symbol('""');

/** A number, a date in ISO 8601 or an error of a workbook. */
export class SheetValue {
  constructor(
    readonly kind: 'number' | 'date' | 'error',
    readonly text: string,
  ) {}
}

/** A cell as a file has it: a text, or a value of a workbook with its type. */
export type RawCell = string | typeof quotedNothing | boolean | null | SheetValue;

/** A record of a file: its cells, its members, or the reason why it is none. `line` is the line where it begins, from 1. */
export type RawRecord =
  | { line: number; cells: RawCell[]; data?: undefined; fault?: undefined }
  | { line: number; data: ExactObject; cells?: undefined; fault?: undefined }
  | { line: number; fault: string; cells?: undefined; data?: undefined };

/** A line of a file: its data by column name, or its fault. */
export type ImportLine =
  | { line: number; data: ExactObject; fault?: undefined }
  | { line: number; fault: string; data?: undefined };
