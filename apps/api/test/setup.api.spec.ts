import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cloneTemplate } from '#libs/platform/database/template';

let database: { url: string; drop: () => Promise<void> };
let folder: string;
let file: string;
beforeEach(async () => {
  database = await cloneTemplate(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
  file = join(folder, 'first.json');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** Runs the set-up as containers do, and gives all that it prints. */
function setUp(): Promise<{ failed: boolean; printed: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env['HOLDFAST_TEST_TEMPORAL'],
    HOLDFAST_SECRET: 'x'.repeat(32),
    FIRST_KEYS_FILE: file,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/apps/api/src/commands/setup.js'], { env }, (error, out, errors) =>
      resolve({ failed: error !== null, printed: out + errors }),
    );
  });
}

test('the set-up writes the first keys for its owner alone, prints none of them, and makes them only once', async () => {
  // A set-up that ended before its commit has left keys that do not exist.
  writeFileSync(file, 'of a set-up before');
  const first = await setUp();
  expect(first).toMatchObject({ failed: false, printed: expect.stringContaining(file) });
  const aside = readdirSync(folder).filter((name) => name.startsWith('first.json.'));
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['of a set-up before']);
  const { keys } = JSON.parse(readFileSync(file, 'utf8'));
  expect(keys).toEqual({
    workspace: expect.stringMatching(/^sk-holdfast-w/),
    personal: expect.stringMatching(/^sk-holdfast-p/),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = await setUp();
  expect(second.failed).toBe(false);
  expect(first.printed + second.printed).not.toContain('sk-holdfast');
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toEqual(keys);
});

test('the set-up makes no workspace whose keys it cannot hand over', async () => {
  file = join(folder, 'no-such-folder', 'first.json');
  expect((await setUp()).failed).toBe(true);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect((await client.query('select 1 from workspaces')).rows).toEqual([]);
  await client.end();
});
