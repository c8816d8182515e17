import { DatabaseOutage } from '#libs/platform/database/connections';
import { toPostgresError } from '#libs/platform/database/support/postgres-error';
import { TableLocked } from '#libs/tables/writes/table-write-lock';
import { isDatabaseUnavailable, databaseUnavailable } from './retry-later.ts';

const delayMs = (attempt: number) => Number(databaseUnavailable(attempt).nextRetryDelay);

test('an attempt without a database is repeated soon at first, and each minute at last', () => {
  expect(delayMs(1)).toBeGreaterThanOrEqual(500);
  expect(delayMs(1)).toBeLessThanOrEqual(1000);
  expect(delayMs(17)).toBeGreaterThanOrEqual(30_000);
  expect(delayMs(17)).toBeLessThanOrEqual(60_000);
  expect(databaseUnavailable(1).message).not.toMatch(/\d/);
});

test('a day without a database costs a run less than two thousand events', () => {
  const attempts = Array.from({ length: 40 }, (_, i) => i + 1);
  const last = attempts.find((attempt) => databaseUnavailable(attempt).nonRetryable);
  // The workflow waits ten seconds between two activities. An activity and the wait are eleven events.
  const cycleMs = attempts.slice(0, last).reduce((sum, attempt) => sum + delayMs(attempt), 10_000);
  expect((86_400_000 / cycleMs) * 11).toBeLessThan(2000);
});

test.each([
  ['no connection', new DatabaseOutage(new Error('connect ECONNREFUSED 10.0.0.7:5432')), true],
  ['a table that is held', new TableLocked(), true],
  ['a statement that was refused', toPostgresError('42703'), false],
])('%s is an outage: %#', (_, error, expected) => {
  expect(isDatabaseUnavailable(error)).toBe(expected);
});
