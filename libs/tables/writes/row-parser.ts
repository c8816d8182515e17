import { type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { Invalid, type Detail } from '#libs/platform/errors/errors';
import { Details } from '#libs/platform/errors/details';
import { readCell, storedBytes } from '../schema/cells.ts';
import type { Column } from '../schema/columns.ts';

/** The maximum size of the cells of a row, as Postgres writes them. */
export const rowBytesMax = 400 * 1024;

/** A change of the cells of a row, by column id. */
export interface Patch {
  set: ExactObject;
  /** The cells that become empty. */
  drop: string[];
}

/** Parses the data of rows in the form of the API, with cells by column name. Collects the faults of all rows. */
export class RowParser {
  private readonly byName: ReadonlyMap<string, Column>;
  private readonly found = new Details();

  constructor(private readonly columns: readonly Column[]) {
    this.byName = new Map(columns.map((column) => [column.name, column]));
  }

  /** Parses a new row: cells by column id. A missing cell gets the default of its column. An empty cell of a required column is a fault. */
  parseRow(data: ExactValue | undefined, path: string): ExactObject {
    const { set } = this.patch(data, path);
    if (!isExactObject(data)) return set;
    for (const { id, name, default: input, required } of this.columns) {
      if (input !== undefined && !Object.hasOwn(data, name)) set[id] = input;
      // A refused value has another fault already.
      if (required && !Object.hasOwn(set, id) && (!Object.hasOwn(data, name) || data[name] === null))
        this.fault({ path: `${path}.${name}`, message: 'is required', code: 'required' });
    }
    this.measure(set, path);
    return set;
  }

  /** Parses a change of a row. Missing cells stay as they are, and null empties a cell. */
  parsePatch(data: ExactValue | undefined, path: string): Patch {
    const patch = this.patch(data, path);
    if (isExactObject(data) && Object.keys(data).length === 0)
      this.fault({ path, message: 'must name a column to change', code: 'required' });
    for (const id of patch.drop) {
      const column = this.columns.find((one) => one.id === id);
      if (column?.required)
        this.fault({ path: `${path}.${column.name}`, message: 'is required', code: 'required' });
    }
    this.measure(patch.set, path);
    return patch;
  }

  fault(detail: Detail): void {
    this.found.add(() => detail);
  }

  /** Throws `Invalid` with all collected faults, if there are any. */
  throwFaults(): void {
    if (!this.found.none) throw new Invalid(this.found.all);
  }

  private patch(data: ExactValue | undefined, path: string): Patch {
    const patch: Patch = { set: {}, drop: [] };
    if (!isExactObject(data)) {
      this.fault({ path, message: 'must be an object of columns and values', code: 'type' });
      return patch;
    }
    for (const [name, input] of Object.entries(data)) {
      const column = this.byName.get(name);
      if (!column)
        this.fault({
          path: `${path}.${name}`,
          message: 'is not a column of this table',
          code: 'unknown_column',
        });
      else if (input === null) patch.drop.push(column.id);
      else {
        const cell = readCell(column.type, input);
        if (cell.fault) this.fault({ path: `${path}.${name}`, ...cell.fault });
        else patch.set[column.id] = cell.value;
      }
    }
    return patch;
  }

  private measure(set: ExactObject, path: string): void {
    const values = Object.values(set);
    if (
      !values.some((value) => typeof value === 'object' || (typeof value === 'string' && value.length > 300))
    )
      return;
    const bytes = storedBytes(set);
    if (bytes > rowBytesMax)
      this.fault({
        path,
        message: `must have at most ${rowBytesMax} bytes, not ${bytes}`,
        code: 'too_large',
      });
  }
}

/** A patch that changes nothing. */
export const noPatch: Patch = { set: {}, drop: [] };

/** Parses changes of rows, each with its path in the request. Throws `Invalid` with the faults of all changes. */
export function parsePatches(
  columns: readonly Column[],
  changes: { data: ExactValue | undefined; path: string }[],
): Patch[] {
  const parser = new RowParser(columns);
  const patches = changes.map(({ data, path }) => parser.parsePatch(data, path));
  parser.throwFaults();
  return patches;
}
