import { foldTime, toPosition, type TimeSpan, buildTicks } from './time-axis.ts';

const work = (begin: number, end: number | null): TimeSpan => ({ begin, end, isIdle: false });
const question = (begin: number, end: number | null): TimeSpan => ({ begin, end, isIdle: true });
const day = 86_400_000;

describe('the axis of a timeline', () => {
  test('the axis of a timeline is one even stretch where the run worked all the time', () => {
    const axis = foldTime([work(0, 300), work(300, 1_000)], 0, 1_000);
    expect(axis).toEqual([{ begin: 0, end: 1_000, from: 0, to: 1, isFolded: false }]);
    expect(toPosition(500, axis)).toBeCloseTo(0.5);
  });

  test('the axis of a timeline folds two days in which the run waited for a person', () => {
    const axis = foldTime(
      [work(0, 200), question(200, 2 * day), work(2 * day, 2 * day + 300)],
      0,
      2 * day + 300,
    );
    expect(axis.map(({ isFolded }) => isFolded)).toEqual([false, true, false]);
    expect(toPosition(200, axis)).toBeGreaterThan(0.3);
    expect(toPosition(2 * day, axis) - toPosition(200, axis)).toBeLessThan(0.15);
  });

  test('the axis of a timeline folds the time since a question that is still open', () => {
    const axis = foldTime([work(0, 200), question(200, null)], 0, day);
    expect(axis.at(-1)).toMatchObject({ begin: 200, end: day, isFolded: true });
  });

  test('the axis of a timeline folds no pause that is short against the work', () => {
    expect(foldTime([work(0, 4_000), question(4_000, 10_000), work(10_000, 14_000)], 0, 14_000)).toHaveLength(
      1,
    );
  });

  test('the axis of a timeline has a place for every moment even when nothing took any time', () => {
    const axis = foldTime([work(5, 5)], 5, 5);
    expect(toPosition(5, axis)).toBe(0);
    expect(buildTicks(axis)).toEqual([]);
  });

  test('the axis of a timeline has round distances below it, and none in a fold', () => {
    const axis = foldTime([work(0, 1_000), question(1_000, day)], 0, day);
    expect(buildTicks(axis).map(({ distance }) => distance)).toEqual([0, 500, 1_000]);
  });
});
