import { TableLocked } from '#libs/tables/writes/table-write-lock';
import { isOutage, outage } from './put-off.ts';

test('Temporal repeats an attempt without a database, and the workflow repeats it after ten attempts', () => {
  expect([1, 9, 10, 11].map((attempt) => outage(attempt).nonRetryable)).toEqual([false, false, true, true]);
  for (const attempt of [1, 5, 9]) {
    expect(outage(attempt).nextRetryDelay).toBeGreaterThanOrEqual(500);
    expect(outage(attempt).nextRetryDelay).toBeLessThanOrEqual(10_000);
  }
  expect(outage(1).message).not.toMatch(/\d/);
});

test.each([
  [
    'no connection',
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    true,
  ],
  ['a table that is held', new TableLocked(), true],
  ['a statement that was refused', Object.assign(new Error('no such column'), { code: '42703' }), false],
])('%s is an outage: %#', (_, error, expected) => {
  expect(isOutage(error)).toBe(expected);
});
