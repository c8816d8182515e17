/** The most pixels that every browser lets an element be high. */
const mostHeight = 10_000_000;

export interface GridSize {
  rows: number;
  rowHeight: number;
  /** The height of the visible rows. */
  view: number;
}

const whole = ({ rows, rowHeight }: GridSize) => rows * rowHeight;

/** The height of the sheet. Very many rows have a lower sheet than their heights add up to. */
export const sheetHeight = (size: GridSize): number => Math.min(whole(size), mostHeight);

/** The pixels of rows above the view. On a sheet that is lower than its rows, the bar moves over more rows at once. */
export function rowsAbove(scrolled: number, size: GridSize): number {
  const room = sheetHeight(size) - size.view;
  if (room <= 0) return 0;
  return (Math.min(Math.max(scrolled, 0), room) / room) * (whole(size) - size.view);
}

/** The position of the bar that shows a row; undefined when the row is visible. */
export function scrollTo(row: number, scrolled: number, size: GridSize): number | undefined {
  const above = rowsAbove(scrolled, size);
  const top = row * size.rowHeight;
  const wanted =
    top < above
      ? top
      : top + size.rowHeight > above + size.view
        ? top + size.rowHeight - size.view
        : undefined;
  if (wanted === undefined) return undefined;
  const hidden = whole(size) - size.view;
  return hidden <= 0 ? 0 : (wanted / hidden) * (sheetHeight(size) - size.view);
}

/** The columns between two places, and how much lies before the first of them. */
export function columnsBetween(
  widths: number[],
  from: number,
  to: number,
): { first: number; end: number; before: number } {
  let at = 0;
  let first = 0;
  let before = 0;
  let end = widths.length;
  for (const [n, width] of widths.entries()) {
    if (at + width <= from) {
      first = n + 1;
      before = at + width;
    }
    at += width;
    if (at >= to) {
      end = n + 1;
      break;
    }
  }
  return { first: Math.min(first, widths.length), end, before };
}
