import { spawn } from 'node:child_process';

/** The last line of what the program printed, and its exit code. */
async function campaign(...args: string[]): Promise<{ code: number | null; figures: unknown; log: string }> {
  const child = spawn(process.execPath, ['dist/apps/faults/src/main.js', ...args]);
  const [output, log]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const last = Buffer.concat(output).toString().trim().split('\n').at(-1) ?? '';
  return {
    code,
    figures: last.startsWith('{') ? JSON.parse(last) : null,
    log: Buffer.concat(log).toString(),
  };
}

test('sixty runs end as promised while processes of the whole product are killed', async () => {
  const { code, figures, log } = await campaign('--runs', '60', '--seed', '7');
  expect({ log, figures, code }).toEqual({
    log,
    figures: expect.objectContaining({ runs: 60, seed: 7, broken: 0 }),
    code: 0,
  });
}, 300_000);

test('a great load begins many runs between recoveries, most of them of pure blocks, and they end as their kinds do', async () => {
  const { code, figures, log } = await campaign(
    '--runs',
    '144',
    '--round',
    '144',
    '--pure',
    '3',
    '--seed',
    '2',
  );
  expect({ log, figures, code }).toEqual({
    log,
    figures: expect.objectContaining({
      roundSize: 144,
      broken: 0,
      ended: { completed: 134, failed: 4, cancelled: 2, paused: 4 },
    }),
    code: 0,
  });
}, 300_000);

test.each([
  ['round', '0'],
  ['pure', '-1'],
  ['pure', 'many'],
])('a wrong number of --%s is refused with a sentence: %s', async (name, value) => {
  const { code, log } = await campaign(`--${name}=${value}`);
  expect(code).toBe(1);
  expect(log).toContain('--round and --pure are whole numbers, and --round is above 0.');
});

test('a wrong number of runs is refused with a sentence', async () => {
  const { code, log } = await campaign('--runs', 'many');
  expect(code).toBe(1);
  expect(log).toContain('--runs and --seed are whole numbers, and --runs is above 0.');
});
