import type { TextBuilder } from './text-builder.ts';

const columnsMax = 1000;

/**
 * Writes each row of a table as a line that names its columns: `city: Rome; people: 2.8`. So each line keeps its meaning wherever the text
 * is cut. When the first row is no header, for example with an empty or a repeated cell, the cells have no names.
 */
export class RowText {
  private names: string[] | null = null;
  private isFirst = true;

  constructor(private readonly to: TextBuilder) {}

  row(cells: string[]): void {
    const values = cells.slice(0, columnsMax).map((cell) => cell.replace(/\s+/g, ' ').trim());
    if (values.every((value) => value === '')) return;
    if (this.isFirst && isHeader(values)) this.names = values;
    const names = this.isFirst ? null : this.names;
    this.isFirst = false;
    const said = values.flatMap((value, at) => {
      const name = names?.[at];
      if (value === '') return [];
      return name ? [`${name}: ${value}`] : [value];
    });
    this.to
      .line()
      .addText(said.join(names ? '; ' : ' | '))
      .line();
  }
}

/** True when the values can be column names: none is empty, long, repeated or a number. */
function isHeader(values: string[]): boolean {
  const hasAll = values.length > 1 && values.every((value) => value !== '' && value.length <= 100);
  return (
    hasAll && new Set(values).size === values.length && values.every((value) => Number.isNaN(Number(value)))
  );
}
