import { QueryFailedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { DatabaseOutage, DatabasePool } from './connections.ts';
import { toPostgresError } from './support/postgres-error.ts';
import { ConnectionsTaken, isAway, isUnavailable, sqlState } from './violations.ts';

test.each([
  ['57P01', { away: true, unavailable: true }],
  ['08006', { away: true, unavailable: true }],
  ['53100', { away: true, unavailable: true }],
  ['55P03', { away: false, unavailable: true }],
  ['40P01', { away: false, unavailable: true }],
  ['23505', { away: false, unavailable: false }],
  ['XX000', { away: false, unavailable: false }],
])(
  'the state %s of Postgres tells if it can be reached, and if the caller may try again',
  (state, wanted) => {
    const error = toPostgresError(state);
    for (const thrown of [error, new QueryFailedError('select', [], error)]) {
      expect(sqlState(thrown)).toBe(state);
      expect({ away: isAway(thrown), unavailable: isUnavailable(thrown) }).toEqual(wanted);
    }
  },
);

test('a workspace that has all its connections taken finds the database away: effects wait, and records are tried again', () => {
  expect([isAway(new ConnectionsTaken()), isUnavailable(new ConnectionsTaken())]).toEqual([true, true]);
});

test('a transaction whose connection broke between two of its statements asks the caller to try again', () => {
  expect(isUnavailable(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
});

test('a pool without a connection is a database that is away, whatever the cause', async () => {
  // Nothing listens there.
  const pool = new DatabasePool({ host: '127.0.0.1', port: 1 });
  const refused: unknown = await pool.connect().catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringMatching(/^connect ECONNREFUSED/), port: 1 });
  const told = new Promise((resolve) => pool.connect(resolve));
  await pool.end();
  const ended: unknown = await pool.connect().catch((error: unknown) => error);
  for (const error of [refused, await told, ended]) {
    expect(error).toBeInstanceOf(DatabaseOutage);
    expect([isAway(error), isAway(new QueryFailedError('select', [], error as Error))]).toEqual([true, true]);
  }
});

test.each([
  ['Connection terminated by the peer', {}],
  ['Client has encountered a connection error and is not queryable', {}],
  ['timeout exceeded when trying to connect', {}],
  ['Cannot use a pool after calling end on the pool', {}],
  ['connect ECONNREFUSED 10.0.0.7:5432', { code: 'ECONNREFUSED' }],
  ['terminating connection', { code: '57P01' }],
  ['it failed', { driverError: { code: '57P01' } }],
  ['it failed', { name: 'TransactionNotStartedError' }],
])('an error of others is no outage and no state of Postgres, though it says %j with %j', (text, marks) => {
  const error = Object.assign(new Error(text), marks);
  expect([sqlState(error), isAway(error), isUnavailable(error)]).toEqual([null, false, false]);
});
