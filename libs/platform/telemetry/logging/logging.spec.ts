import { setImmediate as turn } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { scope } from '../tracing/scope.ts';
import { errorFields } from './error-fields.ts';
import { createLogger, nestLogger } from './logging.ts';

/** The lines that a logger writes, as objects. */
function given(logFormat: 'numbers' | 'names' = 'numbers') {
  const lines: Record<string, unknown>[] = [];
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { lines, logger: createLogger('test', { logLevel: 'info', logFormat }, target) };
}

const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };

describe('a line of the log', () => {
  test('a line of the log has the request, execution and trace of its work, and no ids without them', async () => {
    const { lines, logger } = given();
    const works = ['1', '2'].map((n) =>
      scope.run({ requestId: `req_${n}`, executionId: `exec_${n}`, trace }, async () => {
        await turn();
        nestLogger(logger).warn('something', 'Somewhere');
      }),
    );
    await Promise.all(works);
    logger.info('alone');
    expect(lines.map(({ requestId, executionId, traceId }) => [requestId, executionId, traceId])).toEqual([
      ['req_1', 'exec_1', trace.traceId],
      ['req_2', 'exec_2', trace.traceId],
      [undefined, undefined, undefined],
    ]);
  });

  test('a line of the log has the name of its level and the time in ISO 8601 where the setting asks for them', () => {
    const { lines, logger } = given('names');
    logger.warn('one');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        msg: 'one',
      }),
    ]);
  });

  test('a line of the log has the fields of a logged object, without the fields of Nest about its start', () => {
    const { lines, logger } = given();
    nestLogger(logger).log({ msg: 'audit anchor', seq: 3 }, 'Somewhere');
    nestLogger(logger).log('Mapped a route', 'RouterExplorer');
    expect(lines).toEqual([
      expect.objectContaining({ level: 30, msg: 'audit anchor', seq: 3, context: 'Somewhere' }),
    ]);
  });

  test('a line of the log has no credential, by the name of a field or by the form of our keys', () => {
    const { lines, logger } = given();
    logger.info({ headers: { authorization: 'Bearer x' }, apiKey: 'y', kept: 1 }, 'fields');
    nestLogger(logger).error('the key sk-holdfast-AbC123 was refused');
    expect(lines[0]).toMatchObject({
      headers: { authorization: '[redacted]' },
      apiKey: '[redacted]',
      kept: 1,
    });
    expect(lines[1]).toMatchObject({ msg: 'the key sk-holdfast-[redacted] was refused' });
  });
});

describe('an error in a line', () => {
  const failure = ApplicationFailure.nonRetryable('no private', 'HTTP_500', { got: 'private' });
  test.each([
    ['a failure of a run', failure, { type: 'ApplicationFailure', code: 'HTTP_500' }],
    [
      'a failure with a cause',
      new ActivityFailure('private', 'http', 'a', 'TIMEOUT', undefined, failure),
      { type: 'ActivityFailure', code: 'HTTP_500' },
    ],
    [
      'an error of the program',
      new TypeError('Unexpected token p, "private" is not valid\nand private'),
      { type: 'TypeError', message: 'Unexpected token p, … is not valid' },
    ],
    [
      'an error of the database',
      Object.assign(new Error(`invalid input: "${'private '.repeat(1000)}`), { code: '22P02' }),
      { type: 'Error', code: '22P02', message: 'invalid input: …' },
    ],
    ['a value that is no error', 'private', { type: 'Error' }],
  ])('%s shows its kind, and no value', (_, error, said) => {
    expect(errorFields(error)).toEqual(said);
  });
});
