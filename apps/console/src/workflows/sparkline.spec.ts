import { barsOf } from './sparkline.ts';

test('the bars of a sparkline stay in sight, however different the durations are', () => {
  expect(barsOf([0, 100, 10_000, null])).toEqual([4, 6, 20, 20]);
  expect(barsOf([0])).toEqual([4]);
});
