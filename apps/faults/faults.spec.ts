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

test('a wrong number of runs is refused with a sentence', async () => {
  const { code, log } = await campaign('--runs', 'many');
  expect(code).toBe(1);
  expect(log).toContain('--runs and --seed are whole numbers, and --runs is above 0.');
});
