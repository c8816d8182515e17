import { QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { ConnectionsTaken, isAway, isUnavailable, sqlState } from './violations.ts';

const failure = (code: string) => Object.assign(new Error('it failed'), { code });

test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])(
  'a connection that failed with %s is a database that is away, and no state of Postgres',
  (code) => {
    expect([sqlState(failure(code)), isAway(failure(code)), isUnavailable(failure(code))]).toEqual([
      null,
      true,
      true,
    ]);
  },
);

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
    expect(sqlState(failure(state))).toBe(state);
    expect({ away: isAway(failure(state)), unavailable: isUnavailable(failure(state)) }).toEqual(wanted);
  },
);

test('a workspace that has all its connections taken finds the database away: effects wait, and records are tried again', () => {
  expect([isAway(new ConnectionsTaken()), isUnavailable(new ConnectionsTaken())]).toEqual([true, true]);
});

test.each([
  ['a connection that broke while a query waited for it', new QueryRunnerProviderAlreadyReleasedError()],
  ['a process that is stopped', new Error('Cannot use a pool after calling end on the pool')],
])('%s asks the caller to try again', (_, error) => {
  expect(isUnavailable(error)).toBe(true);
});
