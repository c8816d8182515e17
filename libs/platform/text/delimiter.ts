/** The delimiters that are found without being named. */
export const delimiters = [',', ';', '\t', '|'];

/** The line above the header in which Excel names the delimiter. */
export const delimiterLine = /^"?sep=([^\r\n])"?\r?(?:\n|$)/i;

/** The maximum number of characters that are looked at. */
const sampleChars = 65_536;
/** The number of records among which the names of columns are sought. */
const headerRecords = 10;

interface DelimiterHints {
  /** Names of columns that the file may have. */
  names?: string[];
  /** False for a text that is the beginning of a longer one. */
  isWhole?: boolean;
}

/**
 * Finds the delimiter of a CSV by its beginning: the one that Excel names, then the one under which the header has the most names, then
 * the one that splits the most records into equally many cells. Quotes are read; a comma when no delimiter is found.
 */
export function detectDelimiter(text: string, { names = [], isWhole = true }: DelimiterHints = {}): string {
  const [, said] = delimiterLine.exec(text) ?? [];
  if (said !== undefined) return said;
  const sample = text.slice(0, sampleChars);
  const known = new Set(names.map((name) => name.toLowerCase()));
  const isAll = isWhole && sample.length === text.length;
  const found = delimiters
    .map((delimiter) => weigh(delimiter, readLoosely(sample, delimiter, isAll), known))
    .filter(({ named, score }) => named > 0 || score > 0)
    .toSorted((a, b) => b.named - a.named || b.score - a.score || b.width - a.width);
  return found[0]?.delimiter ?? ',';
}

interface LooseRecord {
  cells: string[];
  /** True when a line without values precedes it. */
  isApart: boolean;
  /** False when its quotes are wrong. */
  isSound: boolean;
  hasQuotes: boolean;
  /** True when no value without quotes has another delimiter, except in a number. */
  isClean: boolean;
}

/** Reads records with quotes. A wrong quote is a character. The last record of a longer text may be cut, so it is left out. */
function readLoosely(text: string, delimiter: string, isAll: boolean): LooseRecord[] {
  // The parts of a cell: the text in quotes, the closing quote, the text without quotes, and what ends the cell.
  const pattern = `(?:"([^"]*(?:""[^"]*)*)("|$))?([^${delimiter}\\r\\n]*)([${delimiter}]|\\r\\n|[\\r\\n]|$)`;
  const cell = new RegExp(pattern, 'y');
  const records: LooseRecord[] = [];
  let isApart = false;
  while (cell.lastIndex < text.length) {
    const record: LooseRecord = { cells: [], isApart, isSound: true, hasQuotes: false, isClean: true };
    for (let end: string | undefined = delimiter; end === delimiter;) {
      const [, quoted, close, bare = '', sign]: (string | undefined)[] = cell.exec(text) ?? [];
      record.cells.push((quoted ?? '').replaceAll('""', '"') + bare);
      record.hasQuotes ||= quoted !== undefined;
      record.isSound &&= quoted === undefined ? !bare.includes('"') : close !== '' && bare === '';
      record.isClean &&= !/[,;\t|]/.test(bare) || likeNumber.test(bare.trim());
      end = sign;
    }
    isApart = record.cells.length === 1 && record.cells[0]?.trim() === '';
    if (!isApart) records.push(record);
  }
  const isCut = !isAll && records.length > 1 && !isApart;
  return isCut ? records.slice(0, -1) : records;
}

const likeNumber = /^[-+]?(?:[\d.'’]*,\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?)%?$/;

/** What speaks for a delimiter in the records that it makes. */
function weigh(delimiter: string, all: LooseRecord[], known: Set<string>) {
  const counts = all
    .slice(0, headerRecords)
    .map(({ cells }) => cells.filter((cell) => known.has(cell.trim().toLowerCase())).length);
  const named = Math.max(0, ...counts);
  const records = named > 0 ? all.slice(counts.indexOf(named)) : all;
  const split = records.filter(({ cells }) => cells.length > 1);
  const byWidth = new Map<number, number>();
  for (const record of split)
    byWidth.set(record.cells.length, (byWidth.get(record.cells.length) ?? 0) + weightOf(record));
  const [[width, fitting] = [1, 0]] = [...byWidth].toSorted((a, b) => b[1] - a[1]);
  const weight = split.reduce((sum, record) => sum + weightOf(record), 0);
  if (!isTable(records, split, named > 0)) return { delimiter, named, score: 0, width: 0 };
  const clean = split.filter(({ isClean }) => isClean).length;
  const score = ((weight + fitting) * (records.length + clean)) / records.length ** 2;
  return { delimiter, named, score, width };
}

const weightOf = ({ isSound }: LooseRecord) => (isSound ? 1 : 0.5);

/** True when the split records are a table, maybe below titles; false for one column of texts that have the delimiter in them. */
function isTable(records: LooseRecord[], split: LooseRecord[], isNamed: boolean): boolean {
  const [header, ...rows] = split;
  if (!header) return false;
  const isMost = split.length * 2 > records.length;
  const titles = records.indexOf(header);
  if (titles === 0) return isMost;
  if (isNamed || rows.length === 0) return false;
  const isHeader = header.cells.some(
    (name, at) => !/\d/.test(name) && rows.every(({ cells }) => /\d/.test(cells[at] ?? '')),
  );
  const isBlock = split.length === records.lastIndexOf(rows.at(-1) ?? header) - titles + 1;
  if (isBlock && (header.isApart || isHeader || split.some((one) => one.isSound && one.hasQuotes)))
    return true;
  const [title = ''] = records[0]?.cells ?? [];
  return isMost && (titles > 1 || /\s/.test(title.trim()) || header.cells.length > 2);
}
