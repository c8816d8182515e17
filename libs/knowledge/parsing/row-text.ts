import { spacedText } from '#libs/platform/text/invisible';
import type { TextBuilder } from './text-builder.ts';

export const columnsMax = 1000;
/** The maximum number of characters of a cell that is said again in each row and column that it spans. */
const repeatedMax = 200;
const headerRowsMax = 3;

/** A cell of a table. `columns` and `rows` are the numbers of columns and rows that it spans. */
export interface TableCell {
  text: string;
  columns?: number;
  rows?: number;
  /** True for a cell that the file marks as the name of a column. */
  isName?: boolean;
}

/** A place of the grid: the text of the cell that lies there, and the cell itself. */
interface CellText {
  text: string;
  cell: TableCell;
}

/**
 * Writes each row of a table as a line that names its columns: `city: Rome; people: 2.8`. So each line keeps its meaning wherever the text
 * is cut. A cell that spans rows or columns is said in each of them. Names in several rows are joined, as in `2024 costs`. When the first
 * row is no header, for example with a repeated cell, the cells have no names.
 */
export class RowText {
  /** The names of the columns; undefined while no row has shown whether there are names. */
  private names: string[] | null | undefined;
  /** The header rows so far, and how many more belong to them at least. */
  private header: CellText[][] = [];
  private headerRowsLeft = 0;
  /** The cells of former rows that reach into the next rows, by their columns. */
  private readonly hanging = new Map<number, { place: CellText; rows: number }>();

  private isCut = false;

  constructor(private readonly to: TextBuilder) {}

  /** What is left out of the table. */
  get warnings(): string[] {
    return this.isCut ? [`A table has more than ${columnsMax} columns; the others are left out.`] : [];
  }

  row(cells: readonly (string | TableCell)[]): void {
    const places = this.findPlaces(cells.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
    // A row without own cells is covered by the cells above it.
    if (cells.length === 0 || places.every(({ text }) => text === '')) return;
    if (this.names === undefined && this.isHeaderRow(places)) return this.write(places);
    this.write(places, this.names ?? []);
  }

  /** Ends a group of rows, such as the head of a table. No cell reaches out of it. */
  endGroup(): void {
    this.hanging.clear();
  }

  /** Lays a row on the grid. */
  private findPlaces(cells: TableCell[]): CellText[] {
    const places: CellText[] = [];
    const last = Math.max(-1, ...this.hanging.keys());
    const hang = () => {
      for (let held; places.length < columnsMax && (held = this.hanging.get(places.length));) {
        if (--held.rows === 0) this.hanging.delete(places.length);
        places.push(held.place);
      }
    };
    for (const given of cells) {
      hang();
      const cell = { ...given, text: spacedText(given.text).trim() };
      const { columns = 1, rows = 1 } = cell;
      if (places.length >= columnsMax && cell.text !== '') this.isCut = true;
      for (let column = 0; column < columns && places.length < columnsMax; column++) {
        const isSaid = column === 0 || cell.text.length <= repeatedMax;
        const place = { text: isSaid ? cell.text : '', cell };
        const below = { text: cell.text.length <= repeatedMax ? cell.text : '', cell };
        if (rows > 1) this.hanging.set(places.length, { place: below, rows: rows - 1 });
        places.push(place);
      }
    }
    while (places.length <= last) {
      hang();
      if (places.length <= last) places.push({ text: '', cell: { text: '' } });
    }
    return places;
  }

  /** Takes a row at the beginning of a table. Returns true when it is part of the header, or a title above the header. */
  private isHeaderRow(places: CellText[]): boolean {
    const isMarked = places.every(({ text, cell }) => text === '' || cell.isName === true);
    if (this.header.length === 0) {
      // A single cell above several columns is a title.
      if (isTitle(places)) return true;
      const isGrouped = places.some(({ text, cell }) => text !== '' && (cell.columns ?? 1) > 1);
      if (isGrouped) this.headerRowsLeft = Math.max(1, ...places.map(({ cell }) => (cell.rows ?? 1) - 1));
      this.headerRowsLeft = Math.min(this.headerRowsLeft, headerRowsMax - 1);
    } else if (this.headerRowsLeft > 0) this.headerRowsLeft--;
    else if (!isMarked || this.header.length >= headerRowsMax) {
      this.names = this.header.length > 0 ? this.joinedNames() : null;
      return false;
    }
    this.header.push(places);
    if (this.headerRowsLeft === 0 && !isMarked) this.names = this.joinedNames();
    return true;
  }

  private joinedNames(): string[] | null {
    const width = Math.max(...this.header.map((row) => row.length));
    const names = Array.from({ length: width }, (_, column) =>
      [...new Set(this.header.map((row) => row[column]?.text ?? ''))].join(' ').trim(),
    );
    const isMarked = this.header.every((row) => row.every(({ text, cell }) => text === '' || cell.isName));
    this.header = [];
    return isMarked || isHeader(names) ? names : null;
  }

  private write(places: CellText[], names: string[] = []): void {
    const isOne = places.length > 1 && places.every(({ cell }) => cell === places[0]?.cell);
    const said = places.flatMap(({ text, cell }, column) => {
      const isAgain = column > 0 && places[column - 1]?.cell === cell;
      const name = isOne ? '' : (names[column] ?? '');
      if (text === '' || (isAgain && name === '')) return [];
      return name ? [`${name}: ${text}`] : [text];
    });
    this.to
      .line()
      .addText(said.join(names.length > 0 ? '; ' : ' | '))
      .line();
  }
}

/** True when a single cell spans the whole row, or is the first and only one with a text. */
function isTitle(places: CellText[]): boolean {
  const [first] = places;
  return (
    places.length > 1 &&
    first?.text !== '' &&
    places.every(({ text, cell }) => text === '' || cell === first?.cell)
  );
}

/**
 * True when the values can be column names: most are there, and none is long, repeated or a number. Years, and numbers that count from 0 or
 * 1, may be names.
 */
function isHeader(values: string[]): boolean {
  const names = values.filter((value) => value !== '');
  const numbers = names.filter((name) => !Number.isNaN(Number(name))).map(Number);
  const areYears = numbers.every((number) => Number.isInteger(number) && number >= 1800 && number <= 2200);
  const areCounted =
    numbers.length > 2 &&
    (numbers[0] ?? 2) < 2 &&
    numbers.every((number, at) => number === (numbers[0] ?? 0) + at);
  return (
    values.length > 1 &&
    names.length * 2 >= values.length &&
    names.every((name) => name.length <= 100) &&
    new Set(names).size === names.length &&
    (areYears || areCounted)
  );
}
