import { ApplicationFailure } from '@temporalio/common';
import { DatabaseOutage } from '#libs/platform/database/connections';
import { toPostgresError } from '#libs/platform/database/support/postgres-error';
import { NotFound, Unavailable } from '#libs/platform/errors/errors';
import { withLastingFailures } from './local-activities.ts';

const failing = (error: unknown) => withLastingFailures(() => Promise.reject(error));

test('a run does not fail while its workspace has no free connection: the attempt is repeated', async () => {
  const error = new Unavailable('This workspace has reached its limit of statements at once.');
  await expect(failing(error)).rejects.toBe(error);
});

test('a run does not fail while the database is away: the attempt is repeated', async () => {
  const error = new DatabaseOutage(new Error('write EPIPE'));
  await expect(failing(error)).rejects.toBe(error);
});

test.each([
  ['a missing resource', new NotFound('run')],
  ['a bug of ours', new TypeError('x is not a function')],
  ['a value that Postgres cannot hold', toPostgresError('22021')],
])('%s fails every attempt, so there is no second one', async (_, error) => {
  const failure = await failing(error).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ nonRetryable: true });
});
