import { roundUp, spreadLabels } from './value-axis.ts';

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [5, 5],
  [17, 20],
  [0.3, 0.5],
  [0.000001, 0.000001],
  [999, 1000],
  [1001, 2000],
])('an axis up to %d ends at %d', (most, end) => {
  expect(roundUp(most)).toBe(end);
});

test('the labels of an axis are evenly spread, and never more than asked for', () => {
  expect(spreadLabels(24, 6)).toEqual([0, 4, 8, 12, 16, 20]);
  expect(spreadLabels(3, 6)).toEqual([0, 1, 2]);
  for (const count of [0, 1, 25, 168, 750]) expect(spreadLabels(count, 6).length).toBeLessThanOrEqual(6);
});
