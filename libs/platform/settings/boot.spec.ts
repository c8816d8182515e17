import { execFile } from 'node:child_process';

const env = {
  DATABASE_URL: 'postgres://nowhere/none',
  HOLDFAST_SECRET: 'x'.repeat(32),
  RATE_SYNC_PER_MINUTE: 'many',
  EXECUTION_RETENTION: 'never',
};

test.each(['api/src/main.js', 'api/src/commands/setup.js', 'worker/src/main.js'])(
  '%s ends at once with one line for each wrong setting',
  async (program) => {
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, [`dist/apps/${program}`], { env }, (error, out, errors) =>
        resolve({ code: error?.code, out, errors }),
      );
    });
    expect(ended).toEqual({
      code: 1,
      out: '',
      errors: [
        'RATE_SYNC_PER_MINUTE must be a whole number from 1 to 1000000000: it is "many".',
        'EXECUTION_RETENTION must be a number of days such as 30 or P30D, or off: it is "never".',
        '',
      ].join('\n'),
    });
  },
);
