import { setImmediate as breathe } from 'node:timers/promises';
import { screen } from '#libs/language/definition/checks/screen';
import {
  ExactNumber,
  exactJson,
  exactNumber,
  type ExactObject,
  type ExactValue,
  isExactObject,
} from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { delimiters } from '#libs/platform/text/delimiter';
import { cutText } from '#libs/platform/text/whole-text';
import {
  areBooleans,
  areNumbers,
  type Decimal,
  detectDateFormats,
  findDecimals,
  isIsoDate,
  parseBoolean,
  parseNumber,
  requireDateFormat,
  toIso,
} from './cell-texts.ts';
import { type ColumnType, readCell } from '../schema/cells.ts';
import { type ColumnInput, columnNameMax, columnNamePattern, columnsMax } from '../schema/columns.ts';
import { refusedFile } from './csv-records.ts';
import {
  type ImportLine,
  quotedNothing,
  SheetValue,
  type RawCell,
  type RawRecord,
  type ReadOptions,
  type Taken,
} from './import-options.ts';
import type { FileSource } from './import-source.ts';
import { firstFault, parseDocument } from './json-records.ts';

/** The number of records from which an import finds out what is not said. */
const sampleRecords = 1000;
/** The number of records among which the header is sought. */
const headerRecords = 10;
const samplesShown = 3;
/** The maximum number of names in a file. A mapping may leave some of them out. */
const fileColumnsMax = 2 * columnsMax;
/** After so much computing, in milliseconds, other work has a turn. */
const computeMsMax = 10;

/** A column of a file. */
export interface FileColumn {
  name: string;
  /** The type that its first values have. */
  type: ColumnType;
  samples: string[];
  /** The samples as the table would hold them. */
  stored: string[];
  /** The column of the table, or null when it is left out. */
  column: string | null;
}

/** How a file becomes rows of a table. */
export interface ImportPlan {
  taken: Taken;
  columns: FileColumn[];
  /** The columns that the table does not have yet. */
  create: ColumnInput[];
  toLines(records: RawRecord[]): ImportLine[];
}

type KnownColumn = Pick<ColumnInput, 'name' | 'type' | 'default'> & { isGuessed?: boolean };

/** Decides how to read a file into a table with these columns. Throws `Invalid` for a file that does not fit them. */
export async function buildPlan(
  source: FileSource,
  known: readonly KnownColumn[],
  options: ReadOptions,
): Promise<ImportPlan> {
  const sample = await readSample(source);
  const header = findHeader(sample, known, options);
  const names = toNames(sample, header);
  const values = await inTurns(names, (name, at) => getValues(sample, header, name, at));
  const targets = toTargets(sample, names, header, known, options);
  const types = new Map(known.map(({ name, type }) => [name, type]));
  const columns = values.map((column, at) => ({ type: types.get(targets[at] ?? ''), values: column }));
  const decimal =
    options.decimal ??
    chooseDecimal(await inTurns(columns, (column) => findDecimals(textsOfNumbers(column))));
  const dateFormat =
    options.dateFormat ??
    chooseDateFormat((await inTurns(columns, formatsOfDates)).filter((one) => one !== null));
  if (dateFormat !== undefined) requireDateFormat(dateFormat);
  // A file with commas between its values has none in its fractions, so 1,234 is a whole number there.
  const isFound = options.decimal === undefined && !(decimal === '.' && source.delimiter === ',');
  const cells = new CellReader({ ...options, decimal, dateFormat });
  const guessed = await inTurns(values, (column) => cells.guessType(column, isFound));
  const create: ColumnInput[] = [];
  const makeName = newNames([...known.map(({ name }) => name), ...targets]);
  for (const [at, name] of names.entries()) {
    const target = targets[at];
    if (target === null || (target !== undefined && types.has(target))) continue;
    const isSkipped = isUnnamed(name, at, header) && (values[at]?.length === 0 || !options.createColumns);
    if (target === undefined && (isSkipped || !(options.createColumns || sample.isCells))) continue;
    if (!options.createColumns) throw unknownColumn(header?.line ?? 0, name, source, known);
    const made = target ?? makeName(name, at);
    create.push({ name: made, type: guessed[at] ?? 'string' });
    targets[at] = made;
  }
  if (known.length + create.length > columnsMax)
    throw refusedFile(
      header?.line ?? 1,
      `has ${names.length} columns, and a table has ${columnsMax} at most`,
    );
  const all = [...known, ...create.map((column) => ({ ...column, isGuessed: true }))];
  const byName = new Map<string | null | undefined, KnownColumn>(all.map((column) => [column.name, column]));
  // A member that is no column refuses its line.
  const decided = names.flatMap((name, at) =>
    sample.isCells || targets[at] !== undefined ? [[name, targets[at] ?? null]] : [],
  );
  const mapping = Object.fromEntries(decided) as Record<string, string | null>;
  return {
    taken: {
      format: source.format,
      delimiter: source.delimiter,
      encoding: source.encoding,
      sheet: source.sheet,
      header: header?.line ?? null,
      decimal: decimal ?? '.',
      dateFormat: dateFormat ?? null,
      nulls: options.nulls ?? 'null',
      mapping,
      createdColumns: create.map(({ name }) => name),
    },
    columns: names.map((name, at) => {
      const samples = (values[at] ?? []).slice(0, samplesShown);
      const column = targets[at] ?? null;
      const to = byName.get(column);
      return {
        name,
        type: guessed[at] ?? 'string',
        samples: samples.map(shown),
        stored: samples.map((value) => shown(to ? cells.readStored(to, value) : value)),
        column,
      };
    }),
    create,
    toLines: sample.isCells
      ? cellLines(
          names.map((name, at) => ({
            name,
            to: byName.get(targets[at]),
            isNamed: targets[at] !== undefined,
          })),
          header?.line ?? 0,
          source.format === 'csv',
          cells,
        )
      : memberLines(all, mapping, cells),
  };
}

/** Like `map`, but lets other work have turns. */
async function inTurns<T, Result>(
  list: readonly T[],
  work: (one: T, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begunMs = performance.now();
  for (const [at, one] of list.entries()) {
    results.push(work(one, at));
    if (performance.now() - begunMs < computeMsMax) continue;
    await breathe();
    begunMs = performance.now();
  }
  return results;
}

interface Sample {
  /** False for a file of objects. */
  isCells: boolean;
  records: RawRecord[];
}

async function readSample(source: FileSource): Promise<Sample> {
  const records: RawRecord[] = [];
  for await (const part of source.read()) {
    records.push(...part.slice(0, sampleRecords - records.length));
    if (records.length >= sampleRecords) break;
  }
  return { isCells: source.format !== 'jsonl' && source.format !== 'json', records };
}

/** The names of the columns in a file and the line of them, or undefined for a file without. */
interface Header {
  line: number;
  names: string[];
}

const isBlank = (cell: RawCell) =>
  cell === null || cell === quotedNothing || (typeof cell === 'string' && cell.trim() === '');

function findHeader(
  { isCells, records }: Sample,
  known: readonly KnownColumn[],
  { header, mapping = {} }: ReadOptions,
): Header | undefined {
  if (!isCells || header === false) return undefined;
  const filled = records.filter((one) => one.cells && (one.cells.length > 1 || !one.cells.every(isBlank)));
  const toHeader = ({ line, cells = [] }: RawRecord) => ({
    line,
    names: cells.map((cell) => shown(cell).trim()),
  });
  if (typeof header === 'number') {
    const found = records.find(({ line, cells }) => line === header && cells);
    if (!found)
      throw Invalid.field('header', `names line ${header}, where no record of the file begins`, 'header');
    return toHeader(found);
  }
  const [first = records[0]] = filled;
  if (!first) throw refusedFile(1, 'the file is empty; its first line must name the columns');
  if (first.fault !== undefined) throw refusedFile(first.line, first.fault);
  const finder = new NameFinder(known);
  const isName = (name: string) => Object.hasOwn(mapping, name.trim()) || finder.find(name) !== undefined;
  const fits = filled.slice(0, headerRecords).find(({ cells = [] }) => {
    if (cells.length > fileColumnsMax) return false;
    const named = cells.filter((cell) => !isBlank(cell));
    return named.length > 0 && named.every((cell) => isName(shown(cell)));
  });
  return toHeader(fits ?? (known.length === 0 ? titled(filled) : first) ?? first);
}

/** The first record of a new table that is more than a title: it fills more than half of the widest record, or all but its first cell. */
function titled(records: RawRecord[]): RawRecord | undefined {
  const width = ({ cells = [] }: RawRecord) => cells.filter((cell) => !isBlank(cell)).length;
  const widest = Math.max(0, ...records.slice(0, headerRecords).map(width));
  const lacksFirst = ({ cells = [] }: RawRecord) => cells.every((cell, at) => isBlank(cell) === (at === 0));
  return records
    .slice(0, headerRecords)
    .find((record) => width(record) * 2 > widest || (width(record) * 2 === widest && lacksFirst(record)));
}

function toNames({ isCells, records }: Sample, header: Header | undefined): string[] {
  if (!isCells) return listMembers(records);
  const columnCount =
    header?.names.length ?? records.reduce((widest, { cells = [] }) => Math.max(widest, cells.length), 0);
  if (columnCount > fileColumnsMax) throw tooManyColumns(header?.line ?? 1, String(columnCount));
  return Array.from({ length: columnCount }, (_, at) => header?.names[at] || unnamed(at));
}

/** The names of all members, each once. */
function listMembers(records: RawRecord[]): string[] {
  const names = new Set<string>();
  for (const { line, data = {} } of records) {
    for (const name of Object.keys(data)) names.add(name);
    if (names.size > fileColumnsMax) throw tooManyColumns(line, `more than ${fileColumnsMax}`);
  }
  return [...names];
}

const tooManyColumns = (line: number, count: string) =>
  refusedFile(
    line,
    `has ${count} columns, and a file may have ${fileColumnsMax}, of which a table takes ${columnsMax}`,
  );

const unnamed = (at: number) => `column ${at + 1}`;
const isUnnamed = (name: string, at: number, header: Header | undefined) =>
  header?.names[at] === '' && name === unnamed(at);

/** The values of a column in the sample that are not empty. */
function getValues(
  { records }: Sample,
  header: Header | undefined,
  name: string,
  at: number,
): (RawCell | ExactValue)[] {
  return records.flatMap(({ line, cells, data }) => {
    if (line <= (header?.line ?? 0)) return [];
    const value = cells ? cells[at] : data && Object.hasOwn(data, name) ? data[name] : null;
    return value === undefined || value === null || value === '' || value === quotedNothing ? [] : [value];
  });
}

/** The column of the table for each column of the file: null leaves it out, and undefined is not decided. */
function toTargets(
  { isCells }: Sample,
  names: string[],
  header: Header | undefined,
  known: readonly KnownColumn[],
  { mapping = {}, createColumns }: ReadOptions,
): (string | null | undefined)[] {
  const [inFile, inTable] = [new Set(names), new Set(known.map(({ name }) => name))];
  for (const [name, to] of Object.entries(mapping)) {
    if (!inFile.has(name))
      throw Invalid.field(
        `mapping.${name}`,
        `is no column of the file; it has ${formatList(names)}`,
        'unknown_column',
      );
    if (to === null || inTable.has(to)) continue;
    if (createColumns && (!columnNamePattern.test(to) || to.length > columnNameMax || to === '__proto__'))
      throw Invalid.field(`mapping.${name}`, `must be a name of a column: ${nameRule}`, 'pattern');
    if (!createColumns)
      throw Invalid.field(
        `mapping.${name}`,
        `names ${JSON.stringify(cutText(to, 80))}, which is no column of this table`,
        'unknown_column',
      );
  }
  const said = names.map((name) => (Object.hasOwn(mapping, name) ? mapping[name] : undefined));
  const mapped = new Set(said);
  const free = new NameFinder(known.filter(({ name }) => !mapped.has(name)));
  const targets = names.map((name, at) => {
    if (said[at] !== undefined || isUnnamed(name, at, header)) return said[at];
    // A file without names has the columns in the order of the table.
    return header || name !== unnamed(at) ? free.find(name) : known[at]?.name;
  });
  const seen = new Set<string>();
  const isRepeated = (one: string | null | undefined) =>
    typeof one === 'string' && (seen.has(one) || !seen.add(one));
  const repeated = isCells && targets.find(isRepeated);
  if (repeated) throw refusedFile(header?.line ?? 1, `names ${repeated} twice`);
  return targets;
}

const nameRule = `letters, digits and underscores, ${columnNameMax} at most, not a digit first`;

/** Finds the column that a name means: exactly, then without regard to case, then to blanks and punctuation. */
class NameFinder {
  private readonly forms;

  constructor(known: readonly KnownColumn[]) {
    this.forms = [(text: string) => text, (text: string) => text.toLowerCase(), bare].map((form) => {
      /** By form of a name: the column, or null when several have this form. */
      const found = new Map<string, string | null>();
      for (const { name } of known) found.set(form(name), found.has(form(name)) ? null : name);
      found.delete('');
      return { form, found };
    });
  }

  find(name: string): string | undefined {
    for (const { form, found } of this.forms) {
      const column = found.get(form(name));
      if (column) return column;
    }
    return undefined;
  }
}

const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

function formatList(names: string[]): string {
  const shownNames = names.slice(0, 20).map((name) => JSON.stringify(cutText(name, 40)));
  return names.length > 20 ? `${shownNames.join(', ')} and more` : shownNames.join(', ');
}

function unknownColumn(
  line: number,
  name: string,
  { delimiter }: FileSource,
  known: readonly KnownColumn[],
): Invalid {
  const other = delimiter && otherDelimiter(name, delimiter, known);
  const why = other
    ? `; the values were separated by ${spoken(delimiter)}, and the line has ${spoken(other)}: say delimiter=${other === '\t' ? 'tab' : other}`
    : '; map it, leave it out by mapping it to null, or say createColumns=true';
  return refusedFile(
    line,
    `names ${JSON.stringify(cutText(name, 80))}, which is no column of this table${why}`,
  );
}

/** The sign in a name that seems to separate several names: a usual delimiter, or one that makes columns of the table of it. */
function otherDelimiter(name: string, delimiter: string, known: readonly KnownColumn[]): string | undefined {
  const finder = new NameFinder(known);
  const usual = delimiters.find((one) => one !== delimiter && name.includes(one));
  const signs = new Set(cutText(name, 1000).match(/[^\p{L}\p{N}\s"]/gu) ?? []);
  return (
    usual ?? [...signs].find((sign) => name.split(sign).every((part) => finder.find(part) !== undefined))
  );
}

const spoken = (delimiter: string) =>
  ({ ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'pipes' })[delimiter] ?? JSON.stringify(delimiter);

/** Makes names for new columns, which no other column has. */
function newNames(others: (string | null | undefined)[]): (name: string, at: number) => string {
  const taken = new Set(others.map((name) => name?.toLowerCase()));
  /** By name: the number with which the next search begins. */
  const next = new Map<string, number>();
  return (name, at) => {
    const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
    const word = plain.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
    const begin = cutText(
      word === '' ? `column_${at + 1}` : /^\d/.test(word) ? `_${word}` : word,
      columnNameMax,
    );
    for (let n = next.get(begin) ?? 1; ; n++) {
      const end = n === 1 ? '' : `_${n}`;
      const made = cutText(begin, columnNameMax - end.length) + end;
      if (taken.has(made.toLowerCase())) continue;
      taken.add(made.toLowerCase());
      next.set(begin, n + 1);
      return made;
    }
  };
}

interface SampledColumn {
  type: ColumnType | undefined;
  values: (RawCell | ExactValue)[];
}

const textsIn = (values: SampledColumn['values']) =>
  values.filter((value): value is string => typeof value === 'string');
const likeNumber = /^[-+]?[\d.,'’ \u00a0\u202f]+(?:[eE][-+]?\d+)?%?$/;

const signs = ['.', ','] as const;

/** Three groups or more that are all full: a phone number or a number of a company, seldom an amount. */
const likeIdentifier = /^\d{3}(?:[ .]\d{3}){2,}$/;

/** The texts that may show the decimal sign. A new column counts when all its values are numbers with one of them. */
function textsOfNumbers({ type, values }: SampledColumn): string[] {
  const texts = textsIn(values);
  if (type === undefined) return signs.some((sign) => areNumbers(texts, sign)) ? texts : [];
  return type === 'number' ? texts : [];
}

/** The decimal sign of a file; undefined when its columns show none, or both. */
function chooseDecimal(ofColumns: Decimal[][]): Decimal | undefined {
  const [only, ...more] = new Set(ofColumns.flat());
  return more.length === 0 ? only : undefined;
}

/** The forms of dates that all values of a column fit; null for a column without such dates. */
function formatsOfDates({ type, values }: SampledColumn): string[] | null {
  if (type !== undefined && type !== 'date') return null;
  const texts = textsIn(values).filter((text) => !isIsoDate(text));
  if (texts.length === 0 || (type === undefined && texts.every((text) => likePlainNumber.test(text.trim()))))
    return null;
  const fitting = detectDateFormats(texts);
  return fitting.length > 0 ? fitting : null;
}

/** The form that all columns of dates share; undefined for two that fit, such as 3/4/2024 alone. */
function chooseDateFormat([first = [], ...others]: string[][]): string | undefined {
  const shared = first.filter((one) => others.every((formats) => formats.includes(one)));
  return shared.length === 1 ? shared[0] : undefined;
}

const likePlainNumber = /^\d+$/;

type CellOptions = Pick<ReadOptions, 'decimal' | 'dateFormat' | 'nulls' | 'guardFormulas'>;
type ReadValue = { value: ExactValue | undefined; fault?: undefined } | { value?: undefined; fault: string };

/** Reads the values of a file as cells of columns. */
class CellReader {
  constructor(private readonly options: CellOptions) {}

  /** The value of a cell; undefined leaves it out of its row. */
  readCell(column: KnownColumn, cell: RawCell): ReadValue {
    const { name, type, default: input } = column;
    if (cell === null || cell === '' || (cell === quotedNothing && type !== 'string'))
      // Left out, a cell gets the default of its column.
      return { value: input !== undefined && this.options.nulls !== 'default' ? null : undefined };
    if (cell === quotedNothing) return { value: '' };
    if (typeof cell === 'string') return this.readText(column, cell);
    if (typeof cell === 'boolean') return { value: type === 'string' ? String(cell) : cell };
    const { kind, text } = cell;
    if (kind === 'error') return { fault: `${name} holds the error ${text} of the workbook` };
    if (kind === 'number' && type === 'boolean') return this.readText(column, text);
    return { value: kind === 'number' && type === 'json' ? exactNumber(text) : text };
  }

  private readText(column: KnownColumn, text: string): ReadValue {
    const { name, type } = column;
    if (type === 'string') return { value: this.options.guardFormulas === false ? text : unguarded(text) };
    if (type === 'json') return parseDocument(text, name);
    return this.convert(column, text);
  }

  /** A text as a value of a column of numbers, booleans or dates. One that does not fit stays, and is refused later with a reason. */
  convert({ name, type, isGuessed }: KnownColumn, text: string): ReadValue {
    if (type === 'boolean') return { value: parseBoolean(text) ?? text };
    if (type === 'number') {
      const read = parseNumber(text, this.options.decimal);
      // No value of the sample was so.
      if (isGuessed && read !== undefined && !areNumbers([text], this.options.decimal))
        return {
          fault: `${name} was taken for numbers, and ${JSON.stringify(cutText(text, 40))} would change; add it as a column of texts first`,
        };
      if (read !== undefined || !likeNumber.test(text.trim())) return { value: read ?? text };
      const advice = 'say decimal=, or decimal=. to name the decimal sign';
      return { fault: `${name} must be a number, not ${JSON.stringify(cutText(text, 40))}; ${advice}` };
    }
    const trimmed = text.trim();
    if (isIsoDate(trimmed)) return { value: trimmed };
    const iso = this.options.dateFormat === undefined ? undefined : toIso(trimmed, this.options.dateFormat);
    if (iso !== undefined || !/^\d{1,4}[./-]\d/.test(trimmed)) return { value: iso ?? trimmed };
    const why =
      this.options.dateFormat === undefined
        ? 'say its form, such as dateFormat=DD/MM/YYYY'
        : `the dates were read as ${this.options.dateFormat}`;
    return { fault: `${name} must be a date, not ${JSON.stringify(cutText(trimmed, 40))}; ${why}` };
  }

  /** The value that a row would have; one that is refused stays. */
  readStored(column: KnownColumn, value: RawCell | ExactValue): RawCell | ExactValue {
    const read = isCell(value) ? this.readCell(column, value).value : value;
    return (read === undefined || read === null ? undefined : readCell(column.type, read).value) ?? value;
  }

  /** The type that all values have. Texts have another one only when it changes none of them. */
  guessType(values: (RawCell | ExactValue)[], isDecimalFound: boolean): ColumnType {
    const texts = textsIn(values);
    const isAllText = values.length > 0 && texts.length === values.length;
    const is = (fits: (value: RawCell | ExactValue) => boolean) => values.length > 0 && values.every(fits);
    const isText = (fits: (text: string) => boolean) => (value: unknown) =>
      typeof value === 'string' && fits(value);
    if (is((value) => typeof value === 'boolean') || (isAllText && areBooleans(texts))) return 'boolean';
    if (is(isNumber) || (isAllText && this.areNumbers(texts, isDecimalFound))) return 'number';
    if (is(isDate) || is(isText((text) => this.isDate(text)))) return 'date';
    if (is((value) => !(value instanceof SheetValue) && (Array.isArray(value) || isExactObject(value))))
      return 'json';
    return is(isText((text) => /^\s*[{[]/.test(text) && parseDocument(text, '').fault === undefined))
      ? 'json'
      : 'string';
  }

  /** The decimal sign of other columns is no proof that 1.234 is a whole number here. */
  private areNumbers(texts: string[], isDecimalFound: boolean): boolean {
    const { decimal } = this.options;
    const mayBeOther = decimal === ',' ? /^-?\d{1,3}\.\d{3}$/ : /^-?\d{1,3},\d{3}$/;
    const all = (form: RegExp) => texts.every((text) => form.test(text.trim()));
    // A number that the table refuses, such as 1e-400, is a text.
    const isStored = (text: string) =>
      readCell('number', parseNumber(text, decimal) ?? text).value !== undefined;
    return (
      areNumbers(texts, decimal) &&
      texts.every(isStored) &&
      !all(likeIdentifier) &&
      !(isDecimalFound && all(mayBeOther))
    );
  }

  /** A date that the table refuses, such as one with microseconds, is a text. */
  private isDate(text: string): boolean {
    const { dateFormat } = this.options;
    const iso = isIsoDate(text) ? text.trim() : dateFormat && toIso(text, dateFormat);
    return iso !== undefined && readCell('date', iso).value !== undefined;
  }
}

const isCell = (value: RawCell | ExactValue): value is RawCell =>
  ['string', 'boolean', 'symbol'].includes(typeof value) || value === null || value instanceof SheetValue;
const isNumber = (value: RawCell | ExactValue) =>
  typeof value === 'number' ||
  value instanceof ExactNumber ||
  (value instanceof SheetValue && value.kind === 'number');
const isDate = (value: RawCell | ExactValue) => value instanceof SheetValue && value.kind === 'date';

/** A value for people. */
function shown(value: RawCell | ExactValue): string {
  if (typeof value === 'string') return cutText(value, 200);
  if (value === null || typeof value === 'symbol') return '';
  return cutText(value instanceof SheetValue ? value.text : exactJson(value), 200);
}

/** Takes the guard of an export away. Exports guard a guarded text too, so this is exact. */
function unguarded(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}

const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

interface CellColumn {
  name: string;
  to: KnownColumn | undefined;
  /** False for a column without a name, which may only be empty. */
  isNamed: boolean;
}

/** Reads records of cells by the places of their columns. */
function cellLines(columns: CellColumn[], headerLine: number, isText: boolean, cells: CellReader) {
  const least = isText ? columns.findLastIndex(({ isNamed }) => isNamed) + 1 : 0;
  return (records: RawRecord[]) =>
    records.flatMap((record): ImportLine[] => {
      const { line, cells: input } = record;
      if (line <= headerLine) return [];
      if (!input) return [{ line, fault: record.fault ?? 'is no record' }];
      if (input.length === 1 && input[0] === '' && columns.length !== 1) return [];
      if (input.length < least || input.some((cell, at) => at >= columns.length && !isBlank(cell)))
        return [{ line, fault: `has ${input.length} values, and the header has ${columns.length}` }];
      const texts: [string, ExactValue][] = [];
      const members: [string, ExactValue][] = [];
      for (const [at, { name, to, isNamed }] of columns.entries()) {
        const cell = input[at] ?? null;
        if (!to) {
          if (isNamed || isBlank(cell)) continue;
          const advice = `leave it out with mapping={"${name}":null}`;
          return [
            { line, fault: `has a value in ${name}, which has no name; name the column, or ${advice}` },
          ];
        }
        const { value, fault } = cells.readCell(to, cell);
        if (fault !== undefined) return [{ line, fault }];
        if (value !== undefined) (to.type === 'json' ? members : texts).push([to.name, value]);
      }
      const fault = firstFault(screen(Object.fromEntries(texts), ''));
      // An assignment to a member `__proto__` would add no member, so the object is made from entries.
      return [
        fault === undefined ? { line, data: Object.fromEntries([...texts, ...members]) } : { line, fault },
      ];
    });
}

/** Reads records of members by their names. A name that the sample does not have is looked for when it comes. */
function memberLines(
  known: readonly KnownColumn[],
  mapping: Record<string, string | null>,
  cells: CellReader,
) {
  const byName = new Map(known.map((column) => [column.name, column]));
  const finder = new NameFinder(known);
  const targets = new Map<string, string | null>(Object.entries(mapping));
  const findTarget = (name: string) => {
    const found = targets.get(name);
    if (found !== undefined) return found;
    const target = finder.find(name) ?? name;
    if (targets.size < columnsMax) targets.set(name, target);
    return target;
  };
  const toLine = ({ line, data, fault }: RawRecord): ImportLine => {
    if (!data) return { line, fault: fault ?? 'is no record' };
    const count = Object.keys(data).length;
    if (count > fileColumnsMax)
      return { line, fault: `has ${count} members, and may have ${fileColumnsMax}` };
    const read: ExactObject = {};
    for (const [name, input] of Object.entries(data)) {
      const to = findTarget(name);
      if (to === null) continue;
      if (Object.hasOwn(read, to)) return { line, fault: `has ${to} twice` };
      const column = byName.get(to);
      if (input === null && column) {
        const { value } = cells.readCell(column, null);
        if (value !== undefined) read[to] = value;
      } else if (typeof input === 'string' && column && column.type !== 'string' && column.type !== 'json') {
        const cell = cells.convert(column, input);
        if (cell.fault !== undefined) return { line, fault: cell.fault };
        read[to] = cell.value ?? null;
      } else read[to] = input;
    }
    return { line, data: read };
  };
  return (records: RawRecord[]) => records.map(toLine);
}
