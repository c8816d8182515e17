import { columnsBetween, rowsAbove, scrollTo, sheetHeight } from './grid-places.ts';

const small = { rows: 100, rowHeight: 36, view: 360 };
const large = { rows: 1_000_000, rowHeight: 36, view: 360 };

describe('the places of a grid', () => {
  test('the places of a grid are the places of the scroll bar for few rows', () => {
    expect(sheetHeight(small)).toBe(3_600);
    expect(rowsAbove(720, small)).toBe(720);
    expect(scrollTo(5, 0, small)).toBeUndefined();
    expect(scrollTo(99, 0, small)).toBe(3_240);
  });

  test('the places of a grid reach the last of a million rows on a sheet that every browser can draw', () => {
    expect(sheetHeight(large)).toBeLessThanOrEqual(10_000_000);
    const end = scrollTo(999_999, 0, large) ?? 0;
    expect(end).toBeLessThanOrEqual(sheetHeight(large) - large.view);
    expect(rowsAbove(end, large)).toBeCloseTo(999_990 * 36, 3);
    const middle = scrollTo(500_000, 0, large) ?? 0;
    expect(scrollTo(500_000, middle + 0.001, large)).toBeUndefined();
  });

  test('the places of a grid are drawn only for the visible columns', () => {
    const widths = [100, 200, 100, 300];
    expect(columnsBetween(widths, 0, 250)).toEqual({ first: 0, end: 2, before: 0 });
    expect(columnsBetween(widths, 300, 350)).toEqual({ first: 2, end: 3, before: 300 });
    expect(columnsBetween(widths, 310, 5_000)).toEqual({ first: 2, end: 4, before: 300 });
  });
});
