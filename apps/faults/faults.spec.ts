import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { testInWhole } from '#libs/platform/settings/support/whole';
import { poolerIn, poolerVersion } from './src/pooler.ts';

/** The last line of the program's output, and its exit code. */
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

test('runs of all kinds and imports keep every promise while processes are killed and stopped, the disk is full and a table is locked', async () => {
  const { code, figures, log } = await campaign(
    '--runs',
    '36',
    '--round',
    '12',
    '--seed',
    '7',
    '--held',
    '6',
    '--apart',
  );
  expect({ log, figures, code }).toEqual({
    log,
    figures: expect.objectContaining({
      apart: true,
      runs: 36,
      seed: 7,
      lost: 0,
      repeated: 0,
      broken: 0,
      held: { times: 1, seconds: 6 },
      begunByTwo: 12,
      begunByTwoPeople: 6,
      files: 6,
      firstWorkerAheadS: 3600,
    }),
    code: 0,
  });
  expect(Object.values(Object(figures).terms)).toEqual([1]);
}, 900_000);

testInWhole(
  'a great load of pure runs behind a pooler ends as its kinds do',
  async () => {
    const { code, figures, log } = await campaign(
      '--runs',
      '96',
      '--round',
      '96',
      '--pure',
      '3',
      '--seed',
      '2',
      '--pooler',
    );
    expect({ log, figures, code }).toEqual({
      log,
      figures: expect.objectContaining({
        apart: false,
        roundSize: 96,
        broken: 0,
        ended: { completed: 95, cancelled: 1 },
        pgbouncer: poolerVersion(),
      }),
      code: 0,
    });
  },
  900_000,
);

testInWhole(
  'a storm of kills loses no run, and repeats no call under another key',
  async () => {
    const { code, figures, log } = await campaign('--storm', '--runs', '60');
    expect({ log, figures, code }).toEqual({
      log,
      figures: expect.objectContaining({ runs: 60, completed: 60, lost: 0, repeated: 0, broken: 0 }),
      code: 0,
    });
  },
  900_000,
);

testInWhole(
  'each delivery starts one execution, each moment is decided once, and each held run starts once, while processes are killed',
  async () => {
    for (const [trial, count] of [
      ['--deliveries', '1000'],
      ['--schedules', '50'],
      ['--held-runs', '200'],
    ] as const) {
      const { code, figures, log } = await campaign(trial, count, '--away', '10');
      const kept = expect.objectContaining({ broken: 0 });
      expect({ log, figures, code }).toEqual({ log, figures: kept, code: 0 });
    }
  },
  900_000,
);

test.each([
  ['runs', 'many', '--runs must be a whole number, at least 1.'],
  ['runs', '0', '--runs must be a whole number, at least 1.'],
  ['seed', '1.5', '--seed must be a whole number.'],
  ['round', '0', '--round must be a whole number, at least 1.'],
  ['pure', '-1', '--pure must be a whole number, at least 0.'],
  ['away', 'long', '--away must be a whole number, at least 0.'],
])('a wrong number is refused with a sentence: --%s=%s', async (name, value, sentence) => {
  const { code, log } = await campaign(`--${name}=${value}`);
  expect(code).toBe(1);
  expect(log).toContain(sentence);
});

test('the campaign does not use a PgBouncer before 1.21', () => {
  expect(poolerIn('PgBouncer 1.20.1\nlibevent 2.1')).toBeNull();
  expect(poolerIn('PgBouncer 1.21.0\n')).toBe('1.21.0');
  expect(poolerIn('PgBouncer 2.0.0')).toBe('2.0.0');
});

test('a file of a target that lacks something is refused with a sentence for each member', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-target-'));
  const refusal = async (text: string) => {
    const file = join(folder, 'target.json');
    writeFileSync(file, text);
    const { code, log } = await campaign('--target', file);
    expect(code).toBe(1);
    return log;
  };
  expect(await refusal('{')).toMatch(/target\.json cannot be read as JSON/);
  const log = await refusal('{"urls":["x"],"receiver":{"port":1},"processes":{"api":{}}}');
  for (const member of ['urls', 'personalKey', 'receiver', 'processes'])
    expect(log).toContain(`${member} must`);
  rmSync(folder, { recursive: true });
});
